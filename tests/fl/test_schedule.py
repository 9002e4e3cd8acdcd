"""Schedules: their products make the power, and are as many as the exponent's bits say."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.contract.exponentiator import document_cases, edge_cases, expected, random_cases
from fl.schedule import (
    LADDER,
    LEFT_TO_RIGHT,
    LEFT_TO_RIGHT_ALWAYS,
    POWER,
    RESULT,
    RIGHT_TO_LEFT,
    RIGHT_TO_LEFT_ALWAYS,
    SCHEDULES,
    Counts,
)

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)
@pytest.mark.parametrize("nbits", [8, 33])
def test_the_tables(schedule, nbits):
    cases = edge_cases(nbits) + random_cases(nbits, 100, seed=60)
    for case in [*cases, *(case for case in document_cases() if case.nbits <= 128)]:
        if case.mod:
            result = schedule.run(case.base, case.exp, case.mod, case.nbits)
            assert (result, 0) == expected(case), case


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)
@settings(derandomize=True, deadline=None, database=None)
@given(st.integers(0, 1 << 80), st.integers(0, (1 << 64) - 1), st.integers(1, 1 << 64))
def test_any_operands(schedule, base, exp, mod):
    assert schedule.run(base, exp, mod, 64) == pow(base, exp, mod)


@settings(derandomize=True, deadline=None, database=None)
@given(st.integers(1, (1 << 64) - 1))
def test_counts(exp):
    bits, ones = exp.bit_length(), exp.bit_count()
    assert RIGHT_TO_LEFT.counts(exp, 64) == Counts(bits - 1, ones)
    assert LEFT_TO_RIGHT.counts(exp, 64) == Counts(bits - 1, ones - 1)
    assert RIGHT_TO_LEFT_ALWAYS.counts(exp, 64) == Counts(63, 64)
    assert LEFT_TO_RIGHT_ALWAYS.counts(exp, 64) == Counts(64, 64)
    assert LADDER.counts(exp, 64) == Counts(64, 64)
    assert RIGHT_TO_LEFT.counts(exp, 64).total == bits + ones - 1


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)
def test_constant_schedules_have_the_same_rounds_for_every_exponent(schedule):
    shapes = {
        tuple(tuple(p.squares for p in products) for products in schedule.rounds(exp, 8))
        for exp in range(1, 256)
    }
    assert (len(shapes) == 1) == schedule.constant


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)
def test_schedules_in_turn_have_a_product_a_round(schedule):
    sizes = {len(products) for exp in (2, 13, 255) for products in schedule.rounds(exp, 8)}
    assert (sizes == {1}) == schedule.in_turn


@settings(derandomize=True, deadline=None, database=None)
@given(st.integers(0, 96), st.integers(0, 255))
def test_the_ladder_keeps_the_base_between_its_values(base, exp):
    values = {RESULT: 1, POWER: base % 97}
    for products in LADDER.rounds(exp, 8):
        values |= {p.into: values[p.a] * values[p.b] % 97 for p in products}
        assert values[POWER] == values[RESULT] * base % 97


def test_products_of_a_round_do_not_wait_for_each_other():
    """What a product reads, none before it in its round has written."""
    for schedule in SCHEDULES.values():
        for exp in (1, 2, 13, 170, 255):
            for products in schedule.rounds(exp, 8):
                written = set()
                for product in products:
                    assert not written & {product.a, product.b}
                    written.add(product.into)
