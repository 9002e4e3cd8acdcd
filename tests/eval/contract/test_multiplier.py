"""Every multiplier of the catalog, at every level: values, cycles, stalls, reset."""

import pytest

from eval.catalog import DESIGNS, MULTIPLIERS
from eval.contract.multiplier import (
    MulCase,
    check_multiplier,
    check_value,
    document_cases,
    edge_cases,
    near_power_cases,
    random_cases,
    taken,
    wide_operands,
)
from sim.stream import NO_STALLS
from tests.harness import multiplier_runner, stalled

UNITS = sorted(MULTIPLIERS)
BETWEEN = ("array-2", "array-4", "array-8")  # rows like array-1 and array-16
WIDEST = 4096  # of which exponentiators have their own test
# By which kinds of hardware PyMTL3's simulator and its import are tried; level batch has the same
# hardware of all, hundreds of times as fast.
IMPORTED = ("mul-rem", "mont-koc-8", "array-4", "fold-4")


def wide(name):
    """The widest, as far as a design that uses the unit is tested; before one for the long tests
    another."""
    limit = max([d.tested_to for d in DESIGNS.values() if d.multiplier.name == name] or [WIDEST])
    limit = min(limit, MULTIPLIERS[name].tested_to)
    widths = [nbits for nbits in (64, 512, WIDEST) if nbits <= limit]
    return widths[-2:] if WIDEST in widths else widths[-1:]


def run(name, nbits, level, cases, stalls=NO_STALLS):
    """The cases that the unit takes, through it; cycles compared where the level has time."""
    unit = MULTIPLIERS[name].by_itself(nbits)
    cases = [*cases, *wide_operands(unit), *near_power_cases(nbits, 8, seed=10)]
    return check_multiplier(multiplier_runner(name, nbits, level), unit, taken(unit, cases), stalls)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [8, 9, 64])
@pytest.mark.parametrize("name", UNITS)
def test_value_is_the_product_mod_m_in_its_domain(name, nbits):
    unit = MULTIPLIERS[name].by_itself(nbits)
    cases = edge_cases(nbits) + random_cases(nbits, 200, seed=1, odd=True)
    cases += random_cases(nbits, 200, seed=1, odd=True, reduced=True)
    cases += wide_operands(unit) + near_power_cases(nbits, 250, seed=1)
    cases = taken(unit, cases)
    assert len(cases) > 200
    for case in cases:
        assert unit.accepts(*case.operands)
        check_value(unit, case)


@pytest.mark.quick
@pytest.mark.parametrize("name", UNITS)
def test_constant_time_units_answer_after_the_same_cycles(name):
    unit = MULTIPLIERS[name].by_itself(32)
    cycles = {unit.latency(*case.operands) for case in taken(unit, edge_cases(32))}
    assert (len(cycles) == 1) == unit.constant_time


MODELS = [pytest.param(level, marks=pytest.mark.quick) for level in ("fl", "cl")]


@pytest.mark.parametrize("level", MODELS)
@pytest.mark.parametrize("name", UNITS)
def test_edges(name, level):
    run(name, 8, level, edge_cases(8))


@pytest.mark.parametrize(
    ("name", "level"),
    [(name, "batch") for name in UNITS] + [(name, "rtl") for name in IMPORTED],
)
def test_edges_in_hardware(name, level):
    run(name, 8, level, edge_cases(8))


@pytest.mark.parametrize(
    ("name", "level", "nbits"),
    [
        (unit, level, nbits)
        for unit in UNITS
        # Where Python simulates hardware, 64 bits take long; test_wide has more than 33 of all.
        for level, widths in (("cl", (8, 33, 64)), ("rtl", (33,)), ("batch", (8, 33)))
        for nbits in widths
        if nbits <= MULTIPLIERS[unit].tested_to and (level != "rtl" or unit in IMPORTED)
    ],
)
def test_random_values_and_cycles(name, level, nbits):
    count = 2000 if level == "batch" else 30
    cases = random_cases(nbits, count, seed=2)
    run(name, nbits, level, cases + random_cases(nbits, count, 2, odd=True, reduced=True))


@stalled(UNITS, IMPORTED)
def test_any_stall(name, level, stalls):
    cases = edge_cases(8)[::7] + random_cases(8, 12, seed=3)
    run(name, 8, level, cases, stalls)


@pytest.mark.parametrize("name", UNITS)
def test_document_examples(name):
    cases = document_cases()
    for nbits in (8, 128):
        if nbits > MULTIPLIERS[name].tested_to:
            continue
        run(name, nbits, "rtl", [c for c in cases if c.nbits == nbits and c.m % 2 and c.b < c.m])


@pytest.mark.parametrize(
    ("name", "nbits"),
    [
        pytest.param(u, n, marks=[pytest.mark.long] * (n == WIDEST or u in BETWEEN))
        for u in UNITS
        for n in wide(u)
    ],
)
def test_wide(name, nbits):
    cases = random_cases(nbits, 3, seed=4, odd=True, reduced=True)
    cases += edge_cases(nbits)[::40]
    run(name, nbits, "batch", cases)
    run(name, nbits, "cl", cases[:2])


@pytest.mark.long
@pytest.mark.parametrize("name", UNITS)
def test_every_product_of_8_bits(name):
    """All a and b under 24 moduli: 1.5 million products."""
    values = range(256)
    for m in [*range(1, 9), 16, 85, 97, 127, 128, 129, 170, 191, 192, 193, *range(250, 256)]:
        run(
            name,
            8,
            "batch",
            [MulCase(f"{a}*{b}%{m}", 8, a, b, m) for a in values for b in values],
        )
