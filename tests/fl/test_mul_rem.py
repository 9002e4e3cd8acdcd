"""Multiplication modulo m and division as integers."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.contract import multiplier
from fl.mul_rem import mod_mul
from tests.cases import divide
from tests.golden.dividers import div_rem

pytestmark = pytest.mark.quick

any_integer = st.integers(0, 1 << 300)


@settings(derandomize=True, deadline=None, database=None)
@given(any_integer, any_integer, st.integers(1, 1 << 200))
def test_mod_mul_is_the_least_residue(a, b, m):
    r = mod_mul(a, b, m)
    assert 0 <= r < m
    assert (a * b - r) % m == 0


@settings(derandomize=True, deadline=None, database=None)
@given(st.integers(1, 128), st.data())
def test_div_rem_rebuilds_the_dividend(bits, data):
    operand = st.integers(0, (1 << bits) - 1)
    a, b = data.draw(operand), data.draw(operand)
    quotient, remainder = div_rem(a, b, bits)
    if b:
        assert quotient * b + remainder == a
        assert 0 <= remainder < b
    else:
        assert quotient == (1 << bits) - 1
        assert remainder == a


@pytest.mark.parametrize("nbits", [8, 32, 4096])
def test_mod_mul_agrees_with_the_table(nbits):
    rows = multiplier.edge_cases(nbits) + multiplier.random_cases(nbits, 50, seed=1)
    for case in rows + multiplier.document_cases():
        assert mod_mul(case.a, case.b, case.m) == multiplier.expected(case), case


@pytest.mark.parametrize(("dividend_bits", "divisor_bits"), [(8, 8), (32, 32), (64, 32)])
def test_div_rem_agrees_with_the_table(dividend_bits, divisor_bits):
    rows = divide.edge_cases(dividend_bits, divisor_bits)
    for case in rows + divide.random_cases(dividend_bits, divisor_bits, 50, seed=1):
        assert div_rem(case.a, case.b, dividend_bits) == divide.expected(case), case


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mod_mul(-1, 2, 3), "a must be at least 0, not -1"),
        (lambda: mod_mul(1, -2, 3), "b must be at least 0, not -2"),
        (lambda: mod_mul(1, 2, 0), "m must be at least 1, not 0"),
        (lambda: div_rem(256, 2, 8), "a must be from 0 to 2^8-1, not 256"),
        (lambda: div_rem(1, -1, 8), "b must be from 0 to 2^8-1, not -1"),
    ],
)
def test_operands_out_of_range_are_named(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()
