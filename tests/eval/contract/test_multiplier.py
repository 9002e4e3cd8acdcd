"""Every multiplier of the catalog, at every level: values, cycles, stalls, reset."""

import pytest

from eval.catalog import DESIGNS, MULTIPLIERS
from fl.messages import mk_mul_msgs
from sim.stream import LEVELS, NO_STALLS, STALLS
from tests.cases import multiply
from tests.harness import TIMED_LEVELS, check, multiplier_runner

UNITS = sorted(MULTIPLIERS)


def wide(name):
    """Two wide widths, as far as a design that uses the unit is tested."""
    limit = max([d.tested_to for d in DESIGNS.values() if d.multiplier.name == name] or [4096])
    limit = min(limit, MULTIPLIERS[name].tested_to)
    return [nbits for nbits in (48, 64, 512, 4096) if nbits <= limit][-2:]


def taken(unit, nbits, cases):
    """The cases that the unit takes; one for a single modulus gets them all modulo that one."""
    if unit.fixed_modulus:
        m = unit.fixed_modulus(nbits)
        return [multiply.MulCase(c.name, nbits, c.a % m, c.b % m, m) for c in cases]
    return [case for case in cases if unit.accepts(nbits, case.a, case.b, case.m)]


def wide_operands(nbits, guard_bits):
    """Cases whose operands use the bits beyond nbits, for units that take some."""
    if not guard_bits:
        return []
    rows = []
    for m in (3, (1 << nbits) - 1, (1 << nbits - 1) + 1):
        rows += [
            multiply.MulCase(f"a={a},b={b},m={m}", nbits, a, b, m)
            for a in (m + 1, 2 * m - 1, (1 << nbits + guard_bits) - 1)
            for b in (m, 2 * m - 2, 2 * m - 1)
        ]
    return rows


def run(name, nbits, level, cases, stalls=NO_STALLS):
    """The cases that the unit takes, through it; cycles compared where the level has time."""
    unit = MULTIPLIERS[name]
    cases = [*cases, *wide_operands(nbits, unit.guard_bits)]
    cases += multiply.near_power_cases(nbits, 8, seed=10)
    cases = taken(unit, nbits, cases)
    Request, _ = mk_mul_msgs(nbits, unit.guard_bits)
    cycles = [unit.cycles(nbits, case.a, case.b, case.m) for case in cases]
    intervals = [
        unit.interval(nbits, case.a, case.b, case.m) if unit.interval else cycles[i] + 1
        for i, case in enumerate(cases)
    ]
    timed = level in TIMED_LEVELS
    return check(
        multiplier_runner(name, nbits, level),
        [Request(case.a, case.b, case.m) for case in cases],
        [unit.value(nbits, case.a, case.b, case.m) for case in cases],
        [str(case) for case in cases],
        stalls,
        latency=(lambda i: cycles[i]) if timed else None,
        interval=(lambda i: intervals[i]) if timed else None,
    )


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [8, 9, 64])
@pytest.mark.parametrize("name", UNITS)
def test_value_is_the_product_mod_m_in_its_domain(name, nbits):
    unit = MULTIPLIERS[name]
    cases = multiply.edge_cases(nbits) + multiply.random_cases(nbits, 200, seed=1, odd=True)
    cases += multiply.random_cases(nbits, 200, seed=1, odd=True, reduced=True)
    cases += wide_operands(nbits, unit.guard_bits)
    cases += multiply.near_power_cases(nbits, 250, seed=1)
    cases = taken(unit, nbits, cases)
    assert len(cases) > 200
    for case in cases:
        assert unit.accepts(nbits, case.a, case.b, case.m)
        value = unit.value(nbits, case.a, case.b, case.m)
        assert 0 <= value < (2 * case.m if unit.guard_bits else case.m)
        assert ((value << unit.radix(nbits)) - case.a * case.b) % case.m == 0


@pytest.mark.quick
@pytest.mark.parametrize("name", UNITS)
def test_constant_time_units_answer_after_the_same_cycles(name):
    unit = MULTIPLIERS[name]
    cases = taken(unit, 32, multiply.edge_cases(32))
    cycles = {unit.cycles(32, case.a, case.b, case.m) for case in cases}
    assert (len(cycles) == 1) == unit.constant_time


@pytest.mark.quick
@pytest.mark.parametrize("level", ["fl", "cl", "rtl"])
@pytest.mark.parametrize("name", UNITS)
def test_edges(name, level):
    run(name, 8, level, multiply.edge_cases(8))


@pytest.mark.parametrize("level", ["cl", "rtl", "batch"])
@pytest.mark.parametrize(
    ("name", "nbits"),
    [(u, n) for u in UNITS for n in (8, 32, 33, 64) if n <= MULTIPLIERS[u].tested_to],
)
def test_random_values_and_cycles(name, level, nbits):
    count = 2000 if level == "batch" else 30
    cases = multiply.random_cases(nbits, count, seed=2)
    run(name, nbits, level, cases + multiply.random_cases(nbits, count, 2, odd=True, reduced=True))


@pytest.mark.parametrize("stalls", STALLS.values(), ids=lambda s: s.name)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", UNITS)
def test_any_stall(name, level, stalls):
    cases = multiply.edge_cases(8)[::7] + multiply.random_cases(8, 12, seed=3)
    run(name, 8, level, cases, stalls)


@pytest.mark.parametrize("name", UNITS)
def test_document_examples(name):
    cases = multiply.document_cases()
    for nbits in (8, 128):
        if nbits > MULTIPLIERS[name].tested_to:
            continue
        run(name, nbits, "rtl", [c for c in cases if c.nbits == nbits and c.m % 2 and c.b < c.m])


@pytest.mark.parametrize(("name", "nbits"), [(u, n) for u in UNITS for n in wide(u)])
def test_wide(name, nbits):
    cases = multiply.random_cases(nbits, 3, seed=4, odd=True, reduced=True)
    cases += multiply.edge_cases(nbits)[::40]
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
            [multiply.MulCase(f"{a}*{b}%{m}", 8, a, b, m) for a in values for b in values],
        )
