"""A blinded row as integers: right for any random numbers, which reach all that they should."""

import random
from dataclasses import replace

import pytest

from fl.array import WORD_BITS
from fl.array_blinded import BlindedProgram, blinded, blinded_shape, plus_random
from tests.golden.array_blinded import BlindedRow

DIGITS = (2, 4, 8)


def power(program: BlindedProgram, window: int, base: int, exp: int, m: int, seed: int = 1) -> int:
    """The power that the row finds with random numbers of a seed."""
    return BlindedRow(program, base, exp, m, random.Random(seed)).by_windows(window)


@pytest.mark.parametrize("w", DIGITS)
@pytest.mark.parametrize("bits", [0, 1, 3, 4, 8, 32, 64])
def test_small_and_large_moduli(w, bits):
    """Those at which a result below 2m has least room; bases that are multiples of m."""
    rng = random.Random(f"{w} {bits}")
    for nbits in (8, 33):
        program = blinded(nbits, w, WORD_BITS[w], bits, 2)
        ones = (1 << nbits) - 1
        for m in (1, 3, 5, 255, ones, (1 << nbits - 1) + 1, rng.getrandbits(nbits) | 1):
            for base in (0, 1, m - 1, m & ones, ones, rng.getrandbits(nbits)):
                exp = rng.choice([0, 1, ones, rng.getrandbits(nbits)])
                assert power(program, 2, base, exp, m, exp) == pow(base, exp, m), (m, base, exp)


@pytest.mark.quick
@pytest.mark.parametrize("w", DIGITS)
def test_the_modulus_and_the_base_are_any_multiples(w):
    """M = c*m with c = -1/m mod 2^w; what is above that, and the base's multiple, have all bits."""
    bits, m, base = 5, 4001, 77
    program = blinded(12, w, WORD_BITS[w], bits, 1)
    multiples, added = set(), set()
    for seed in range(400):
        row = BlindedRow(program, base, 3, m, random.Random(seed))
        for operation in program.enter:
            row.run(operation)
            if operation.to_table == 1 and operation.name.startswith("base"):
                added.add((row.table[1] - base) // m)
                assert (row.table[1] - base) % m == 0
        c, rest = divmod((row.mod << w) - 1, m)
        assert rest == 0
        assert c % (1 << w) == row.c
        multiples.add(c >> w)
    assert multiples == added == set(range(1 << bits))


@pytest.mark.quick
def test_the_same_request_passes_other_values():
    program = blinded(16, 4, 16, 16, 1)
    seen = set()
    for seed in range(20):
        row = BlindedRow(program, 5, 3, 65521, random.Random(seed))
        for operation in (*program.enter, program.square):
            row.run(operation)
        seen.add(row.x)
    assert len(seen) == 20


def test_a_division_too_few_is_noticed():
    program = blinded(8, 4, 16, 8, 1)
    at = next(i for i, one in enumerate(program.leave) if one.name == "out of 2^w")
    hasty = replace(program, leave=program.leave[: at - 2] + program.leave[at + 1 :])
    assert power(program, 1, 200, 77, 251) == pow(200, 77, 251)
    assert power(hasty, 1, 200, 77, 251) != pow(200, 77, 251)


@pytest.mark.quick
def test_a_sum_that_does_not_stand_is_told():
    program = blinded(8, 4, 16, 8, 1)
    enter = tuple(one for one in program.enter if one.name != "m and sum stand")
    hasty = replace(program, enter=enter)
    with pytest.raises(ValueError, match="x [+] M' is not there yet"):
        [power(hasty, 1, 200, 77, 251, seed) for seed in range(20)]


@pytest.mark.quick
@pytest.mark.parametrize("bits", range(1, 65))
def test_as_many_bits_are_drawn_as_are_asked_for(bits):
    shape = blinded(64, 8, 32, bits, 1).shape
    drawn = [one.literal for one in plus_random("", shape, bits, None) if one.to_mod]
    assert sum(literal.bit_length() for literal in drawn) == bits


@pytest.mark.quick
def test_a_row_is_wider_by_what_is_added_to_the_modulus() -> None:
    """m times a number of so many bits, and one like it added; not by a bit where that is none."""
    assert [blinded_shape(16, 4, 12, bits).nbits for bits in (0, 1, 8)] == [16, 18, 25]
    shape = blinded_shape(16, 4, 12, 0)
    assert (shape.digit_bits, shape.word_bits) == (4, 12)
