"""Every multiplier of the catalog, at every level: values, cycles, stalls, reset."""

import pytest

from eval.catalog import MULTIPLIERS
from fl.messages import mk_mul_msgs
from sim.stream import LEVELS, NO_STALLS, STALLS
from tests.cases import multiply
from tests.harness import TIMED_LEVELS, check, multiplier_runner

UNITS = sorted(MULTIPLIERS)


def run(name, nbits, level, cases, stalls=NO_STALLS):
    """The cases that the unit takes, through it; cycles compared where the level has time."""
    unit = MULTIPLIERS[name]
    cases = [case for case in cases if unit.moduli.takes(case.m)]
    Request, _ = mk_mul_msgs(nbits)
    cycles = [unit.cycles(nbits, case.a, case.b, case.m) for case in cases]
    timed = level in TIMED_LEVELS
    return check(
        multiplier_runner(name, nbits, level),
        [Request(case.a, case.b, case.m) for case in cases],
        [unit.value(case.a, case.b, case.m) for case in cases],
        [str(case) for case in cases],
        stalls,
        latency=(lambda i: cycles[i]) if timed else None,
        interval=(lambda i: cycles[i] + 1) if timed else None,
    )


@pytest.mark.quick
@pytest.mark.parametrize("name", UNITS)
def test_value_is_the_product_mod_m(name):
    unit = MULTIPLIERS[name]
    assert unit.moduli.takes(97)
    for case in multiply.edge_cases(8) + multiply.random_cases(64, 200, seed=1):
        if unit.moduli.takes(case.m):
            assert unit.value(case.a, case.b, case.m) == multiply.expected(case)


@pytest.mark.quick
@pytest.mark.parametrize("level", ["fl", "cl", "rtl"])
@pytest.mark.parametrize("name", UNITS)
def test_edges(name, level):
    run(name, 8, level, multiply.edge_cases(8))


@pytest.mark.parametrize("nbits", [8, 32, 33, 64])
@pytest.mark.parametrize("level", ["cl", "rtl", "batch"])
@pytest.mark.parametrize("name", UNITS)
def test_random_values_and_cycles(name, level, nbits):
    count = 2000 if level == "batch" else 30
    run(name, nbits, level, multiply.random_cases(nbits, count, seed=2))


@pytest.mark.parametrize("stalls", STALLS.values(), ids=lambda s: s.name)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", UNITS)
def test_any_stall(name, level, stalls):
    cases = multiply.edge_cases(8)[::17] + multiply.random_cases(8, 12, seed=3)
    run(name, 8, level, cases, stalls)


@pytest.mark.parametrize("name", UNITS)
def test_document_examples(name):
    for nbits in (8, 128):
        run(name, nbits, "rtl", [c for c in multiply.document_cases() if c.nbits == nbits])


@pytest.mark.parametrize("nbits", [512, 4096])
@pytest.mark.parametrize("name", UNITS)
def test_wide(name, nbits):
    cases = multiply.random_cases(nbits, 3, seed=4) + multiply.edge_cases(nbits)[::40]
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
