"""The accelerator's operands by words: kept, or compared as they come."""

from random import Random

import pytest
from pymtl3 import Component, DefaultPassGroup

import rtl.port.operand_words
from eval.catalog import find
from fl.xcel import DP, DQ, EXP, MOD, WRITE, Registers, to_words
from fl.xcel_crt import CrtRegisters
from rtl.port.operand_words import OnlyValue, SecretWords, TwoExponents, WordShifter
from tests.faults import plant
from tests.golden.xcel import Plain

WIDTHS = (8, 32, 33, 70, 128)


def only_at(nbits: int) -> int:
    """The value that counts at that width."""
    return Random(f"only {nbits}").getrandbits(nbits) | 1 << nbits - 1


def pushes(nbits: int) -> list[tuple[bool, int]]:
    """(push, word): the value's words in order after some of them out of order, or a wrong one.

    Its last word comes with any bits above nbits.
    """
    rng = Random(f"pushes {nbits}")
    value = to_words(only_at(nbits), nbits)
    rows = []
    for _ in range(60):
        some = [rng.choice(value) for _ in range(rng.randint(0, len(value)))]
        wrong = [rng.choice(value) ^ 1 << rng.randrange(min(nbits, 32))] * rng.randint(0, 1)
        above = rng.getrandbits(32) << (nbits - 1) % 32 + 1 & 0xFFFFFFFF
        for word in (*some, *wrong, *value[:-1], value[-1] | above):
            rows += [(False, rng.choice(value))] * rng.randint(0, 1) + [(True, word)]
    return rows


def values_of(unit: Component, nbits: int) -> list[int]:
    """Its value after each of the pushes."""
    unit.elaborate()
    unit.apply(DefaultPassGroup())
    unit.sim_reset()
    found = []
    for push, word in pushes(nbits):
        unit.push @= push
        unit.word @= word
        unit.sim_tick()
        found.append(int(unit.value))
    return found


def operands(nbits: int) -> list[int]:
    """The operand of the register map after each of them."""
    registers = Registers(Plain(nbits, lambda *request: (0, 0)))
    found = []
    for push, word in pushes(nbits):
        if push:
            registers.access(WRITE, MOD, word)
        found.append(registers.inputs()[2])
    return found


def only_operands(nbits: int) -> list[int]:
    """The same, with 0 in the place of any other than the value."""
    return [value if value == only_at(nbits) else 0 for value in operands(nbits)]


@pytest.mark.quick
@pytest.mark.parametrize("nbits", WIDTHS)
def test_words_are_kept(nbits: int):
    assert values_of(WordShifter(nbits), nbits) == operands(nbits)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", WIDTHS)
def test_words_are_compared(nbits: int):
    wanted = only_operands(nbits)
    assert 40 < sum(value > 0 for value in wanted) < len(wanted)
    assert values_of(OnlyValue(nbits, only_at(nbits)), nbits) == wanted


@pytest.mark.quick
@pytest.mark.parametrize(
    ("sound", "faulty"),
    [
        ("(s.matched << 1) | 1", "s.matched | 1"),
        ("(s.matched << 1) | 1", "(s.matched << 1) | 3"),
        (
            "if s.push:\n                s.matched",
            "if s.push | ~s.push:\n                s.matched",
        ),
        ("if s.matched[last]:", "if s.fits[last]:"),
    ],
    ids=[
        "words in any order",
        "the first word not looked at",
        "a word that is not pushed",
        "one too early",
    ],
)
def test_fault_in_comparing(tmp_path, sound: str, faulty: str):
    broken = plant(tmp_path, rtl.port.operand_words, sound, faulty)
    nbits = 70
    assert values_of(broken.OnlyValue(nbits, only_at(nbits)), nbits) != only_operands(nbits)


TWO = {EXP: "push", DQ: "push_low", DP: "push_high"}


def two_exponents(unit: Component, nbits: int) -> bool:
    """Whether its values are those of the register map, whichever words of which are pushed."""
    unit.elaborate()
    unit.apply(DefaultPassGroup())
    unit.sim_reset()
    rng, registers = Random(f"two {nbits}"), CrtRegisters(find("array-crt-16").at(nbits))
    for _ in range(60):
        register, word = rng.choice([*TWO, None]), rng.getrandbits(32)
        for one, name in TWO.items():
            getattr(unit, name).__imatmul__(one == register)
        unit.word @= word
        unit.sim_tick()
        if register:
            registers.access(WRITE, register, word)
        key = registers.key
        known = registers.exponents.bit_length() > 64 * registers.half_words - 32
        found = (int(unit.value), int(unit.low), int(unit.high))
        if known and found != (registers.inputs()[1], key.dq, key.dp):
            return False
    return True


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [8, 33, 64, 70, 96, 128])
def test_two_exponents_stand_where_one_does(nbits: int):
    assert two_exponents(TwoExponents(nbits), nbits)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("sound", "faulty"),
    [
        ("s.both[unused : unused + nbits]", "s.both[0:nbits]"),
        ("s.low_words.word @= s.high_words.value[0:WORD_BITS]", "s.low_words.word @= s.word"),
        ("s.high_words.push @= s.push | s.push_high", "s.high_words.push @= s.push_high"),
    ],
    ids=["above the lowest words", "both take the word", "the upper half stays"],
)
def test_fault_in_two_exponents(tmp_path, sound: str, faulty: str):
    broken = plant(tmp_path, rtl.port.operand_words, sound, faulty)
    assert not two_exponents(broken.TwoExponents(96), 96)


def outlives_a_reset(unit: Component) -> bool:
    """Whether anything of what was pushed, in each word, is there after a reset."""
    unit.elaborate()
    unit.apply(DefaultPassGroup())
    unit.sim_reset()
    unit.push @= 1
    unit.word @= 0x80000001
    for _ in range(3):
        unit.sim_tick()
    assert int(unit.value)
    unit.push @= 0
    unit.sim_reset()
    return int(unit.value) != 0


@pytest.mark.quick
def test_a_reset_wipes_what_is_secret(tmp_path):
    for unit in (SecretWords(32), SecretWords(70), TwoExponents(64), TwoExponents(96)):
        assert not outlives_a_reset(unit)
    wipes = "                s.register <<= 0\n"
    broken = plant(tmp_path, rtl.port.operand_words, wipes, wipes.replace("0", "s.register"))
    assert outlives_a_reset(broken.TwoExponents(96))
