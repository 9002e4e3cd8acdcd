"""Montgomery arithmetic as integers: values against pow, ranges at their edges."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fl.mont_mul import add_red, mm_mul, mm_mul_no_subtraction, mm_mul_open, open_bound
from fl.redc import mm_red, reduction
from tests.golden.montgomery import MontMultiplier
from tests.golden.r_squared import (
    r_squared_by_doubling,
    r_squared_by_product,
    r_squared_by_remainder,
)

pytestmark = pytest.mark.quick

given_cases = settings(derandomize=True, deadline=None, database=None, max_examples=150)
odd_moduli = st.integers(0, (1 << 64) - 1).map(lambda k: 2 * k + 1)


def edge_moduli(nbits):
    """Odd moduli at the edges of nbits, 1 included."""
    ones, top = (1 << nbits) - 1, 1 << (nbits - 1)
    return sorted({1, 3, 5, ones, ones - 2, top + 1, top - 1})


@pytest.mark.parametrize("m", edge_moduli(6))
def test_reductions_over_their_whole_range(m):
    inverse = pow(64, -1, m)
    for t in range(m * 64):
        assert reduction(t, m, 6).result == mm_red(t, m, 6) == t * inverse % m


@pytest.mark.parametrize("m", range(1, 32, 2))
def test_products_over_their_whole_range(m):
    inverse = pow(32, -1, m)
    for a in range(32):
        for b in range(m):
            assert mm_mul(a, b, m, 5) == a * b * inverse % m
            assert mm_mul_open(a, b, m, 5) < b + m


@given_cases
@given(st.integers(0, 1), st.data(), odd_moduli)
def test_add_red_halves_modulo_m_and_stays_below_y_plus_m(x, data, m):
    y = data.draw(st.integers(0, 2 * m))
    s = data.draw(st.integers(0, y + m - 1))
    got = add_red(s, x, y, m)
    assert (2 * got - s - x * y) % m == 0
    assert got < y + m


@pytest.mark.parametrize("m", range(1, 20, 2))
def test_without_subtraction_values_stay_below_2m(m):
    r = open_bound(m)
    inverse = pow(1 << r, -1, m)
    for a in range(1 << r - 1):
        for b in range(2 * m):
            s = mm_mul_no_subtraction(a, b, m, r)
            assert s < 2 * m
            assert (s - a * b * inverse) % m == 0


@pytest.mark.parametrize("nbits", [4, 8, 32])
def test_the_bound_is_four_times_the_modulus(nbits):
    """A full modulus needs n + 2 steps; with one less, values run past 2m."""
    m = (1 << nbits) - 1
    assert open_bound(m) == nbits + 2
    largest = max(mm_mul_open(a, 2 * m - 1, m, nbits + 1) for a in range(2 * m - 9, 2 * m))
    assert largest >= 2 * m


def test_document_002_loses_the_subtraction_it_leaves_out():
    """Its example: cut to 8 bits the product is 109; the sum needs its ninth bit."""
    assert mm_mul(15, 142, 145, 8) == 125
    assert mm_mul_open(15, 142, 145, 8) == 125
    with pytest.raises(ValueError, match="r must be at least 10, not 8"):
        mm_mul_no_subtraction(15, 142, 145, 8)


@pytest.mark.parametrize("nbits", [8, 9, 32, 64, 128])
def test_r_squared_by_every_method(nbits):
    for m in edge_moduli(nbits):
        for r in (nbits, nbits + 2, nbits + 7):
            expected = pow(2, 2 * r, m)
            assert r_squared_by_remainder(m, r) == expected
            assert r_squared_by_product(m, r) == expected
            for squarings in range(r.bit_length()):
                assert r_squared_by_doubling(m, r, nbits, squarings) == expected


@given_cases
@given(st.integers(0, (1 << 64) - 1), st.integers(0, (1 << 20) - 1), odd_moduli)
def test_power_against_pow(base, exp, m):
    mont = MontMultiplier(m, 66)
    assert mont.power(base, exp) == pow(base, exp, m)
    assert mont.convert_out(mont.convert_in(base)) == base % m
    assert mont.multiply(mont.one, base % m) == base % m
    assert (m * mont.n_prime + 1) % (1 << 66) == 0
    assert (mont.r_inverse << 66) % m == 1 % m


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: reduction(0, 4, 3), "m must be odd and at least 1, not 4"),
        (lambda: reduction(0, -3, 3), "m must be odd and at least 1, not -3"),
        (lambda: reduction(0, 9, 3), "m must be from 0 to 2^3-1 = 7, not 9"),
        (lambda: reduction(56, 7, 3), "z must be from 0 to m * 2^3-1 = 55, not 56"),
        (lambda: mm_red(-1, 7, 3), "z must be from 0 to m * 2^3-1 = 55, not -1"),
        (lambda: mm_mul(8, 1, 7, 3), "a must be from 0 to 2^3-1 = 7, not 8"),
        (lambda: mm_mul(1, 7, 7, 3), "b must be from 0 to m-1 = 6, not 7"),
        (
            lambda: mm_mul_no_subtraction(1, 1, 7, 4),
            "2^r must exceed 4m: r must be at least 5, not 4",
        ),
        (lambda: mm_mul_no_subtraction(16, 1, 7, 5), "a must be from 0 to 2^4-1 = 15, not 16"),
        (lambda: mm_mul_no_subtraction(1, 14, 7, 5), "b must be from 0 to 2m-1 = 13, not 14"),
        (lambda: MontMultiplier(8, 4), "m must be odd and at least 1, not 8"),
        (lambda: r_squared_by_doubling(9, 4, 3, 0), "m must be from 0 to 2^3-1 = 7, not 9"),
    ],
)
def test_operands_out_of_range_are_named(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()
