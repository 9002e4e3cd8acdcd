"""The bits of an exponent that somebody holds: as they come, and planted faults."""

from random import Random
from types import ModuleType

import pytest
from pymtl3 import Component, DefaultPassGroup

import rtl.exp.exponent_bits
from fl.exponent_bits import skipping_cycles, turns_to_end
from tests.faults import faults, plant

# Width, step, turns of a word, from the top: whole words and others, a word at the end of 1 bit.
SHAPES = [
    (nbits, step, turns, from_top)
    for nbits in (8, 9, 31, 33, 70)
    for step, turns in ((1, 4), (3, 4), (1, 8))
    for from_top in (False, True)
]
WIDTHS = (8, 9, 33, 70)  # of BitsToLast


def exponents(nbits: int) -> list[int]:
    """Edges, a 1 in a word of its own, and random ones."""
    rng = Random(f"exponents {nbits}")
    ones = (1 << nbits) - 1
    return [0, 1, ones, 1 << nbits - 1, 1 << nbits // 2, 0b10001] + [
        rng.getrandbits(rng.randint(1, nbits)) for _ in range(8)
    ]


def prepared(unit: Component) -> Component:
    """The component, ready for its first cycle."""
    unit.elaborate()
    unit.apply(DefaultPassGroup())
    unit.sim_reset()
    return unit


def load(unit: Component, exp: int) -> None:
    """Load an exponent; another one is at `exp` from then on."""
    unit.load @= 1
    unit.advance @= 0
    unit.exp @= exp
    unit.held @= ~unit.exp
    unit.sim_tick()
    unit.load @= 0
    unit.held @= exp
    unit.exp @= ~unit.held
    unit.sim_tick()


def advance(unit: Component, rng: Random) -> None:
    """Go to the next bit, after some cycles or none."""
    for advances in [0] * rng.randint(0, 1) + [1]:
        unit.advance @= advances
        unit.sim_tick()
    unit.advance @= 0
    unit.sim_eval_combinational()


def check_bits(module: ModuleType, nbits: int, step: int, turns: int, from_top: bool) -> bool:
    """Whether the unit gives all steps of each exponent in order."""
    unit = prepared(module.ExponentBits(nbits, step, turns, from_top))
    count = -(-nbits // step)
    rng = Random(nbits)
    for exp in exponents(nbits):
        load(unit, exp)
        for i in range(count):
            place = count - 1 - i if from_top else i
            if int(unit.bits) != exp >> step * place & (1 << step) - 1:
                return False
            advance(unit, rng)
    return True


def check_last(module: ModuleType, nbits: int) -> bool:
    """Whether the unit tells the bits, the next bits, and the last 1 of each exponent."""
    unit = prepared(module.BitsToLast(nbits))
    rng = Random(nbits)
    for exp in exponents(nbits):
        load(unit, exp)
        for i in range(max(exp.bit_length(), 1)):
            left = exp >> i
            found = (unit.bits, unit.last, unit.next_bit, unit.next_last)
            if found != (left & 1, left < 2, left >> 1 & 1, left < 4):
                return False
            advance(unit, rng)
    return True


def check_skipping(module: ModuleType, nbits: int) -> bool:
    """Whether leading zeros pass in time, whole words at once, and the other bits one by one."""
    unit = prepared(module.ExponentBits(nbits, 1, turns_to_end(nbits), True, skips=True))
    rng = Random(nbits)
    for exp in exponents(nbits):
        if not exp:
            continue
        load(unit, exp)
        left = nbits
        unit.skip @= 1
        for _ in range(skipping_cycles(nbits)):
            unit.sim_eval_combinational()
            if unit.bits:
                break
            left -= unit.word_bits if unit.passes else 1
            unit.advance @= 1
            unit.sim_tick()
        unit.skip @= 0
        unit.advance @= 0
        unit.sim_eval_combinational()
        if left != exp.bit_length():
            return False
        for place in reversed(range(left)):
            if int(unit.bits) != exp >> place & 1:
                return False
            advance(unit, rng)
    return True


@pytest.mark.quick
@pytest.mark.parametrize("turns", [4, 8])
def test_an_exponent_that_comes_as_bits_of_the_one_before_still_leave(turns: int):
    """After any number of bits, the last of a word too, with which another word would be taken."""
    unit, rng, exp = prepared(rtl.exp.exponent_bits.ExponentBits(33, 1, turns)), Random(turns), 0
    for leave in range(2 * turns + 1):
        load(unit, ~exp & (1 << 33) - 1)
        unit.advance @= 1
        for _ in range(leave):
            unit.sim_tick()
        exp = rng.getrandbits(33)
        unit.load @= 1
        unit.exp @= exp
        unit.sim_tick()
        unit.load @= 0
        unit.advance @= 0
        unit.held @= exp
        for i in range(33):
            unit.sim_eval_combinational()
            assert int(unit.bits) == exp >> i & 1, (leave, i)
            advance(unit, rng)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_bits_in_order(shape):
    assert check_bits(rtl.exp.exponent_bits, *shape)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", WIDTHS)
def test_the_last_bit_is_known(nbits):
    assert check_last(rtl.exp.exponent_bits, nbits)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", WIDTHS)
def test_leading_zeros_pass(nbits):
    assert check_skipping(rtl.exp.exponent_bits, nbits)


@pytest.mark.parametrize("nbits", [256, pytest.param(1024, marks=pytest.mark.long)])
def test_wide(nbits):
    assert check_skipping(rtl.exp.exponent_bits, nbits)
    assert check_last(rtl.exp.exponent_bits, nbits)
    assert check_bits(rtl.exp.exponent_bits, nbits, 5, 8, True)


BITS_FAULTS = {
    "the first word again": ("s.place <<= 1\n", "s.place <<= 0\n"),
    "the next word again": ("s.place <<= s.place + 1", "s.place <<= s.place"),
    "a turn too few": ("last_turn = turns - 1", "last_turn = turns - 2"),
    "turns go on from those before": (
        "s.word <<= s.first\n                s.turn <<= 0\n",
        "s.word <<= s.first\n",
    ),
    "shifted without advance": (
        "elif s.advance:\n                s.turn",
        "else:\n                s.turn",
    ),
    "words of an exponent that went away": (
        "s.connect_word(word, s.held, i)",
        "s.connect_word(word, s.exp, i)",
    ),
    "first word of the exponent before": (
        "s.connect_word(s.first, s.exp, 0)",
        "s.connect_word(s.first, s.held, 0)",
    ),
}
LAST_FAULTS = {
    "words above not looked at": (
        "(s.word[1:word_bits] == 0) & (s.used_left == 0)",
        "s.word[1:word_bits] == 0",
    ),
    "the first word counts as above": ("s.used_left <<= s.used >> 1", "s.used_left <<= s.used"),
    "words above stay": ("s.used_left <<= s.used_left >> 1", "s.used_left <<= s.used_left"),
    "the next word not looked at": (
        "s.next_bit @= s.next_word[0]",
        "s.next_bit @= s.word[1]",
    ),
    "the next word counts as above": ("(s.used_left[1:count] == 0)", "(s.used_left == 0)"),
    "the next last bit told early": (
        "(s.word[2:word_bits] == 0) & (s.used_left == 0)",
        "(s.word[2:word_bits] == 0)",
    ),
}

SKIPPING_FAULTS = {
    "a word with a 1 passes": ("s.skip & (s.word == 0)", "s.skip & ~s.word[word_bits - 1]"),
    "words of 0s pass later": ("s.skip & (s.word == 0)", "~s.skip & (s.word == 0)"),
    "a word passes bit by bit": (
        "s.new_word @= (s.turn == last_turn) | s.passes",
        "s.new_word @= s.turn == last_turn",
    ),
}


@faults(BITS_FAULTS)
def test_fault_in_the_bits(tmp_path, sound: str, faulty: str):
    broken = plant(tmp_path, rtl.exp.exponent_bits, sound, faulty)
    assert not check_bits(broken, 33, 1, 4, False)


@faults(LAST_FAULTS)
def test_fault_in_the_last(tmp_path, sound: str, faulty: str):
    broken = plant(tmp_path, rtl.exp.exponent_bits, sound, faulty)
    assert not check_last(broken, 33)


@faults(SKIPPING_FAULTS)
def test_fault_in_what_passes(tmp_path, sound: str, faulty: str):
    assert not check_skipping(plant(tmp_path, rtl.exp.exponent_bits, sound, faulty), 70)
