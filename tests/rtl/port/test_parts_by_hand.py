"""Single parts of the ports: places beyond the last, pops beyond the last word, what is kept."""

from collections.abc import Callable

import pytest
from pymtl3 import Component

from fl.peripheral_crt import HAS_PARTS, KEY_PARTS, PARTS
from fl.peripheral_map import (
    CAPABILITIES,
    EXPONENT_D,
    EXPONENT_E,
    INPUT_LENGTH,
    MODULUS,
    READ_ADDRESS,
    WRITE_ADDRESS,
)
from rtl.port.key_parts import KeyParts
from rtl.port.operand_words import OnlyValue, TwoExponents, WordShifter
from rtl.port.peripheral_registers import PeripheralRegisters
from rtl.port.result_words import ChosenWords, ResultPorts, ShiftedWords
from sim.python import half_cycles

pytestmark = pytest.mark.quick


def started(unit: Component) -> Callable[..., None]:
    """Reset a unit; what sets its inputs and passes a cycle, or lets it settle alone."""
    settle, edge = half_cycles(unit, None)
    unit.reset @= 1
    settle()
    edge()
    unit.reset @= 0

    def step(passes: bool = True, **values: int) -> None:
        for name, value in values.items():
            port = getattr(unit, name)
            port @= value
        settle()
        if passes:
            edge()
            settle()

    return step


@pytest.mark.parametrize(("nbits", "words"), [(40, 1), (64, 1), (66, 2), (130, 3)])
def test_places_of_the_parts_of_a_key(nbits: int, words: int) -> None:
    """Five parts of half as many bits, rounded up, in words; a place beyond is refused, and so is
    any while an operation goes on, and what is no write changes nothing."""
    unit = KeyParts(nbits)
    step, count, bits = started(unit), 5 * words, -(-nbits // 2)
    step(write=1, to=KEY_PARTS, busy=0)
    for place in range(count):
        step(data=place, word=0xFFFF0000 | place)
        assert unit.takes
    for place in (count, count + 1, 2 * count, 1 << 31, count << 16):
        step(data=place, word=0xBAD)
        assert not unit.takes
    step(data=0, busy=1, word=0xBAD)
    assert not unit.takes
    step(to=KEY_PARTS + 4, busy=0)
    assert not unit.takes
    step(to=KEY_PARTS, write=0)
    assert unit.takes  # it would be
    for number, name in enumerate(PARTS):
        whole = sum((0xFFFF0000 | number * words + j) << 32 * j for j in range(words))
        assert int(getattr(unit, name)) == whole & (1 << bits) - 1


def test_what_a_start_says_of_the_parts() -> None:
    """Bit 5 of what is written, as it starts; it is told what the hardware can do, and no more."""
    unit = KeyParts(40)
    step = started(unit)
    for data, start, by_parts in ((0x20, 0, 0), (0x20, 1, 1), (0xDF, 0, 1), (0xDF, 1, 0)):
        step(data=data, start=start)
        assert int(unit.by_parts) == by_parts
    for address, said in ((CAPABILITIES, HAS_PARTS), (CAPABILITIES + 4, 0), (KEY_PARTS, 0)):
        step(from_=address)
        assert int(unit.also) == said


@pytest.mark.parametrize("nbits", [40, 130])
def test_a_reset_wipes_the_parts_of_a_key(nbits: int) -> None:
    """Each word of each, and that an operation was by them."""
    unit = KeyParts(nbits)
    step, count = started(unit), 5 * -(-nbits // 64)
    step(write=1, to=KEY_PARTS, busy=0, word=0xFFFFFFFF)
    for place in range(count):
        step(data=place)
    step(write=0, data=0x20, start=1)
    assert all(getattr(unit, name) == (1 << -(-nbits // 2)) - 1 for name in PARTS)
    assert unit.by_parts
    step(start=0, reset=1)
    assert not any(getattr(unit, name) for name in PARTS)
    assert not unit.by_parts


@pytest.mark.parametrize("kind", [ChosenWords, ShiftedWords])
@pytest.mark.parametrize("nbits", [8, 32, 40, 100])
def test_however_often_is_popped_beyond_the_last_word(kind: type[ResultPorts], nbits: int) -> None:
    """0 for ever, also before there was a result; the next result begins with its first word."""
    unit = kind(nbits)
    step, count = started(unit), -(-nbits // 32)
    value = (1 << nbits) - 2
    step(value=value, take=0, pop=1)
    for _ in range(2 * count + 3):
        assert unit.word == 0
        step()
    for pops in (5 * count + 7, 1, 0):
        step(take=1, pop=0)
        step(take=0, passes=False)
        for number in range(pops):
            assert unit.word == value >> 32 * number & 0xFFFFFFFF
            step(pop=1)
        assert unit.word == value >> 32 * pops & 0xFFFFFFFF
        step(pop=0)
        assert unit.word == value >> 32 * pops & 0xFFFFFFFF


def test_one_modulus_word_by_word() -> None:
    """The last three words must be its words in order; of the last word the bits above 80 count
    for nothing."""
    only = 0x1234_5555_AAAA_0000_FFFF
    low, middle, high = (only >> 32 * i & 0xFFFFFFFF for i in range(3))
    unit = OnlyValue(80, only)
    step = started(unit)
    for words, fits in (
        ((low, middle, high), True),
        ((low, middle, high | 0xFFFF0000), True),
        ((low, middle), False),
        ((high,), True),
        ((low, middle, high ^ 1), False),
        ((low, middle ^ 1 << 31, high), False),
        ((low ^ 1, middle, high), False),
        ((low, low, middle, high), True),
        ((low, middle, middle, high), False),
        ((low, middle, high, high), False),
        ((middle, high), False),
    ):
        for word in words:
            step(push=1, word=word)
        step(push=0)
        assert int(unit.value) == (only if fits else 0), words


def test_two_exponents_or_one() -> None:
    """40 bits from two words, or 20 in each of two; a push of the one shifts both."""
    unit = TwoExponents(40)
    step = started(unit)
    step(push=1, word=0x89ABCDEF)
    step(word=0x12)
    step(push=0)
    assert int(unit.value) == 0x12_89AB_CDEF
    step(push_high=1, word=0xFFF54321)
    step(push_high=0, push_low=1, word=0x00011111)
    step(push_low=0)
    assert (int(unit.high), int(unit.low)) == (0x54321, 0x11111)


@pytest.mark.parametrize("nbits", [8, 32, 33, 96])
def test_an_operand_is_its_last_words(nbits: int) -> None:
    unit = WordShifter(nbits)
    step, count = started(unit), -(-nbits // 32)
    for word in range(1, count + 3):
        step(push=1, word=word)
    step(push=0, word=99)
    expected = sum((3 + i) << 32 * i for i in range(count))
    assert int(unit.value) == expected & (1 << nbits) - 1


@pytest.mark.parametrize(("nbits", "most"), [(8, 4), (40, 8), (96, 12)])
def test_a_length_beyond_an_operand_is_all_of_it(nbits: int, most: int) -> None:
    """Whichever bit of the word that is written says so."""
    unit = PeripheralRegisters(nbits)
    step = started(unit)
    step(write=1, to=INPUT_LENGTH, busy=0)
    for length in (0, 3, most - 1, most, most + 1, *(1 << bit for bit in range(32))):
        step(data=length)
        assert int(unit.length) == min(length, most), length


@pytest.mark.parametrize(("nbits", "count"), [(8, 1), (40, 2), (96, 3)])
def test_a_place_beyond_an_operand_is_refused(nbits: int, count: int) -> None:
    """Whichever bit of the word that is written says so."""
    unit = PeripheralRegisters(nbits)
    step = started(unit)
    for register in (WRITE_ADDRESS, READ_ADDRESS, MODULUS, EXPONENT_E, EXPONENT_D):
        step(write=1, to=register, busy=0)
        for place in (0, count - 1, count, *(1 << bit for bit in range(32))):
            step(data=place, passes=False)
            assert bool(unit.write_refused) == (place >= count), (register, place)
