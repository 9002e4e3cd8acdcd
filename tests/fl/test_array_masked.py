"""A ladder by shares of the exponent as integers, and the time that the shares have to be made."""

import random
from dataclasses import replace

import pytest

from fl.array import WORD_BITS
from fl.array_blinded import HERE, BlindedProgram
from fl.array_masked import masked, rounds_of
from fl.xcel import words
from tests.golden.array_blinded import BlindedRow

DIGITS = (2, 4, 8)


def power(
    program: BlindedProgram, base: int, exp: int, m: int, seed: int = 1, public: int = 0
) -> int:
    """The power that the row finds with random numbers of a seed."""
    return BlindedRow(program, base, exp, m, random.Random(seed), public).ladder()


@pytest.mark.parametrize("w", DIGITS)
@pytest.mark.parametrize("bits", [0, 1, 8, 64])
def test_any_request(w, bits):
    rng = random.Random(f"{w} {bits}")
    for nbits in (8, 33):
        program = masked(nbits, w, WORD_BITS[w], bits)
        ones = (1 << nbits) - 1
        for m in (1, 3, ones, rng.getrandbits(nbits) | 1):
            for base in (0, 1, m & ones, ones):
                for exp in (0, 1, 2, ones, rng.getrandbits(nbits)):
                    assert power(program, base, exp, m, exp) == pow(base, exp, m), (m, base, exp)


@pytest.mark.quick
@pytest.mark.parametrize("public", [1, 3, 17, 32])
def test_short_exponents(public):
    """Right in as many rounds as the short ones have bits."""
    for nbits in (33, 64):
        program = masked(nbits, 4, WORD_BITS[4], 8)
        m = random.Random(public).getrandbits(nbits) | 1
        edge = 1 << public
        for exp in (0, 1, edge - 1, edge, edge + 1, (1 << nbits) - 1):
            assert rounds_of(exp, nbits, public) == (public if exp < edge else nbits)
            assert power(program, m - 2, exp, m, exp, public) == pow(m - 2, exp, m), exp


@pytest.mark.quick
@pytest.mark.parametrize("w", DIGITS)
def test_the_shares_stand_before_the_first_swap(w):
    """A word of the exponent per cycle, and one cycle more."""
    for nbits in (2, *range(8, 80), 1024, 4096):
        enter = masked(nbits, w, WORD_BITS[w], 0).enter
        [first] = [i for i, one in enumerate(enter) if one.to_table == HERE]
        assert sum(one.cycles for one in enter[:first]) >= words(nbits) + 1


@pytest.mark.quick
def test_the_last_swap_is_needed():
    program = masked(8, 4, 16, 8)
    hasty = replace(program, leave=program.leave[1:])
    assert power(program, 200, 77, 251) == pow(200, 77, 251)
    assert power(hasty, 200, 77, 251) != pow(200, 77, 251)
