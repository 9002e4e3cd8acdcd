"""A row of elements as integers: the way to R^2, and what its operations make of any request."""

import random
from dataclasses import replace

import pytest

from fl.array import WORD_BITS, RowShape, row_words, way_to_r_squared
from fl.array_program import binary, windows
from fl.schedule import LEFT_TO_RIGHT
from fl.schedule import windows as by_windows
from tests.golden.array_row import Row, row_power

pytestmark = pytest.mark.quick

DIGITS = list(WORD_BITS)
in_stages = pytest.mark.parametrize("stages", [1, 2])


@in_stages
@pytest.mark.parametrize("w", DIGITS)
@pytest.mark.seconds
def test_every_odd_modulus_of_8_bits(w, stages):
    program = binary(RowShape(8, w, WORD_BITS[w], stages=stages))
    rng = random.Random(w)
    for m in range(1, 256, 2):
        for base in (0, 1, m - 1, m, 255, rng.getrandbits(8)):
            exp = rng.getrandbits(8) or 1
            assert row_power(program, LEFT_TO_RIGHT, base, exp, m) == pow(base, exp, m)


@in_stages
@pytest.mark.parametrize("w", DIGITS)
@pytest.mark.parametrize("nbits", [8, 9, 33, 130])
@pytest.mark.seconds
def test_windows_of_any_length(w, nbits, stages):
    rng = random.Random(f"{w} {nbits}")
    for bits in (1, 2, 3, 5):
        program = windows(RowShape(nbits, w, 3 * w, stages=stages), bits)
        for exp in (0, 1, (1 << nbits) - 1, rng.getrandbits(nbits)):
            m = rng.getrandbits(rng.randint(1, nbits)) | 1
            base = rng.getrandbits(nbits)
            assert row_power(program, by_windows(bits), base, exp, m) == pow(base, exp, m)


@in_stages
@pytest.mark.parametrize("w", DIGITS)
@pytest.mark.parametrize("nbits", [8, 9, 33, 64, 130])
def test_the_same_modulus_again(w, nbits, stages):
    """R^2 is in the table still, whatever the requests before."""
    rng = random.Random(f"{w} {nbits}")
    shape = RowShape(nbits, w, WORD_BITS[w], stages=stages)
    for program, schedule in (
        (binary(shape, True), LEFT_TO_RIGHT),
        (windows(shape, 3, True), by_windows(3)),
    ):
        m = rng.getrandbits(rng.randint(1, nbits)) | 1
        row = Row(program, 0, m)
        for again in (False, True, True):
            base, exp = rng.getrandbits(nbits), rng.getrandbits(nbits) | 1
            row.take(base)
            assert row.power(schedule, exp, again) == pow(base, exp, m)


@in_stages
@pytest.mark.parametrize("w", DIGITS)
@pytest.mark.parametrize("nbits", [*range(8, 80), 1024, 1536, 2048, 3072, 4096])
@pytest.mark.seconds
def test_there_is_a_short_way_to_r_squared(w, nbits, stages):
    """About as many squares as R^2's exponent has bits; a product takes no step more for them."""
    shape = RowShape(nbits, w, WORD_BITS[w], stages=stages)
    assert len(shape.squares) <= shape.radix.bit_length() + 2
    most = nbits + shape.low_bits + 2 * w + 8
    assert shape.value_bits <= max(most, shape.word_bits + 2 * w + 3 * w * shape.delay)
    if nbits >= 64:
        assert shape.steps <= -(-(nbits + 2) // w) + 3 + 2 * shape.delay
    assert shape.words == row_words(shape.value_bits, shape.word_bits)


@in_stages
@pytest.mark.parametrize("w", DIGITS)
def test_the_constants_are_what_they_are_called(w, stages):
    """x = R^2 and M' before the base enters; under moduli of all lengths."""
    shape = RowShape(40, w, WORD_BITS[w], stages=stages)
    program = binary(shape)
    for bits in range(1, 41):
        m = 1 << bits - 1 | 1
        row = Row(program, 5, m)
        for operation in program.enter[:-1]:
            row.run(operation)
        assert row.shift_left == 0
        assert row.x % m == pow(2, 2 * shape.radix, m)
        assert row.mod << shape.low_bits == row.c * m + 1


def test_a_sum_that_has_no_room_is_told():
    """The planned bound of a square is one: a value with a bit more does not stay in the row."""
    shape = RowShape(8, 4, 16)
    row = Row(binary(shape), 255, 255)
    row.x = row.mod = row.table[0] = (1 << shape.value_bits + 4) - 1
    with pytest.raises(ValueError, match="square: a sum of"):
        row.run(binary(shape).square)


@pytest.mark.parametrize("w", DIGITS)
def test_a_digit_that_is_used_late(w):
    """A product of two stages is a * b / 2^(w * (D - 1 - d)) modulo m, and stands below 2M."""
    rng = random.Random(w)
    shape = RowShape(50, w, WORD_BITS[w], stages=2)
    for _ in range(20):
        m = rng.getrandbits(50) | 1 << 49 | 1
        row = Row(binary(shape), 0, m)
        big = row.c * m
        assert big % (1 << 3 * w) == (1 << 3 * w) - 1
        row.mod = (big + 1) >> 3 * w
        row.x, row.table[0] = rng.choice([2 * big - 1, rng.randrange(2 * big)]), 2 * big - 1
        expected = row.x * row.table[0] * pow(2, -w * (shape.steps - 3), m) % m
        row.run(binary(shape).multiply)
        assert row.x % m == expected
        assert row.x < 2 * big


@pytest.mark.parametrize("name", ["m again", "-m again"])
def test_a_sum_that_does_not_stand_is_told(name):
    """Without an operation between, x + M' is asked for as x or M' is new, if digits are odd."""
    sound = binary(RowShape(8, 4, 16))
    leave = tuple(operation for operation in sound.leave if operation.name != name)
    hasty = replace(sound, leave=leave)
    with pytest.raises(ValueError, match="x [+] M' is not there yet"):
        [row_power(hasty, LEFT_TO_RIGHT, base, 5, 251) for base in range(256)]


def test_no_way_where_values_have_too_few_bits():
    assert way_to_r_squared(32, 16, 32 + 16 + 1) == ()
