"""What time and power tell, in the overview and beside the price of countermeasures."""

from eval.catalog.point import Point
from eval.report.countermeasures import COUNTERMEASURES
from eval.report.overview import overview_grid
from eval.tasks.leakage.task import Leakage
from eval.tasks.timing import TimeTells
from tests.eval.made_up import found_of, row, simulated

BARE, CONSTANT = Point("mont-best", 32), Point("mont-ct", 32)
PAIR = [(1, 2, 3, 10), (1, 5, 3, 20)]


def timed(point: Point, *found: str):
    """A row of an experiment that found these."""
    declared = list(point.entry.at(32).time_tells)
    pairs = dict.fromkeys(found, PAIR)
    return row(TimeTells(point), requests=100, declared=declared, found=pairs, around={})


def power(point: Point, leaking: int, **how):
    """A row of tests in which so many cycles tell the exponent, and none the base."""
    tests = {
        name: {"t": [[9.0, t], [0.0, 1.0]], "leaking": [count, 0], "seen": [None] * 2, "parts": []}
        for name, count, t in (("base", 0, 2.0), ("exponent", leaking, 7.0))
    }
    return row(Leakage(point, **how), work=1, tests=tests)


def test_the_overview_says_what_time_and_power_tell():
    rows = [simulated(point, "d", {"xcel_cycles_d": 9.0}) for point in (BARE, CONSTANT)]
    plain = overview_grid(found_of(*rows), 32)
    assert [line.cells[2] for line in plain.lines] == ["len,mod", "-"]
    rows += [timed(BARE, "length", "modulus"), timed(CONSTANT, "base"), power(BARE, 5)]
    found = overview_grid(found_of(*rows), 32)
    assert [line.cells[2] for line in found.lines] == ["len,mod=", "-?"]
    assert [line.cells[3] for line in found.lines] == ["exponent", "-"]


def test_countermeasures_have_a_price():
    rows = [simulated(BARE, "d", {"xcel_cycles_d": 9.0}), power(BARE, 5)]
    rows += [power(BARE, 3, blind_base=True), power(CONSTANT, 2, level="gates")]
    first, second = COUNTERMEASURES.of(found_of(*rows)).lines
    assert first.cells[:3] == ("mont-best-32", "-", "9")
    assert first.cells[6:9] == ("2.0", "7.0", "5")
    assert (second.cells[1], second.cells[8]) == ("base", "3")
    assert COUNTERMEASURES.of(found_of(rows[0])) is None


def test_an_experiment_that_refutes_a_design_is_a_finding():
    refuted = timed(CONSTANT, "base")
    assert refuted.result.broken == "its cycles tell the base, undeclared"
    assert timed(BARE, "length").result.broken == ""
