"""Random operands compute what theirs would, modulo the multiple, and are other ones each time."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fl.array_blinded import MOST_RANDOM_BITS
from tests.golden.random_multiple import random_operands

NBITS = 40
VALUES = st.integers(0, (1 << NBITS) - 1)
PAIRS = st.lists(st.integers(0, 3), min_size=1, max_size=MOST_RANDOM_BITS)

pytestmark = pytest.mark.quick


@given(base=VALUES, exp=VALUES, mod=VALUES.map(lambda value: value | 1), drawn=PAIRS)
def test_the_power_leaves_the_same(base, exp, mod, drawn):
    operand, one, worked = random_operands(base, mod, drawn)
    assert max(operand, one, worked).bit_length() <= NBITS + len(drawn)
    assert worked % 2
    assert one * pow(operand, exp, worked) % worked % mod == pow(base, exp, mod)


def test_by_hand():
    """c = 0b101 with its last 1, s = 0b11: the bits of s come with the first two of c."""
    assert random_operands(10, 7, [0b11, 0b10, 0b00]) == (10 + 3 * 7, 1 + 2 * 3 * 7, 5 * 7)
    assert random_operands(10, 7, [0b10]) == (10, 1, 7)


def test_no_bit_of_the_base_stays():
    """Of an even and of an odd base, the operand is as often odd."""
    rng = Random(3)
    for base in (200, 201):
        draws = ([rng.getrandbits(2) for _ in range(8)] for _ in range(1000))
        assert 400 < sum(random_operands(base, 253, drawn)[0] & 1 for drawn in draws) < 600
