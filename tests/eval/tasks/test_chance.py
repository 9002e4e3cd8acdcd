"""Thresholds, false positives and sample sizes, by figures of others and by hand."""

import pytest

from eval.catalog.point import Point
from eval.tasks.leakage.chance import (
    ALPHA,
    POWER,
    by_chance,
    in_any,
    least_effect,
    spread,
    tail,
    threshold_of,
    traces_for,
)
from eval.tasks.leakage.section import SECTION
from eval.tasks.leakage.task import Leakage
from tests.eval.made_up import row

pytestmark = pytest.mark.quick

# What scipy.stats.norm.isf((1 - (1 - 1e-5)**(1/cycles)) / 2) gives; Table 1 of Zhang et al. (CARDIS
# 2017) has 4.417, 5.327, 6.110 and 6.806.
ONE_RUN = {
    1: 4.417173413470006,
    100: 5.3267229869003945,
    10**4: 6.109409411978033,
    10**6: 6.806502478831548,
}


@pytest.mark.parametrize(("cycles", "threshold"), ONE_RUN.items())
def test_the_threshold_of_a_trace(cycles: int, threshold: float) -> None:
    assert threshold_of(cycles, 1) == pytest.approx(threshold, rel=1e-5)
    assert in_any(threshold, cycles, 1) == pytest.approx(1e-5, rel=1e-3)


def test_4_5_by_chance() -> None:
    """One cycle of 150 000 in one run; in two with one sign, half the square of that."""
    assert by_chance(4.5, 1) == pytest.approx(6.795346249460107e-06)
    assert 1 / by_chance(4.5, 1) == pytest.approx(147_160, rel=1e-4)
    assert by_chance(4.5, 2) == pytest.approx(6.795346249460107e-06**2 / 2)
    assert in_any(4.5, 147_160, 1) == pytest.approx(1 - 1 / 2.718281828, rel=1e-4)
    assert tail(0) == 0.5
    assert in_any(0, 1000, 1) == 1
    assert by_chance(-1.0, 1) == in_any(-1.0, 1000, 1) == 1  # tail(-1) is 0.84, and twice as much


def test_two_runs_take_a_lower_threshold() -> None:
    for cycles in (1, 640, 10**6):
        both = threshold_of(cycles, 2)
        assert in_any(both, cycles, 2) == pytest.approx(1e-5, rel=1e-6)
        assert both < threshold_of(cycles, 1)
    assert threshold_of(0) > 1e300


def test_sample_sizes() -> None:
    """With equal groups t has the mean d sqrt(N) / 2: 4.5 and the 1 % quantile 2.326 are 6.826."""
    assert spread(4.5, 1, 0.99) == pytest.approx(4.5 + 2.3263478740)
    assert traces_for(0.2, 4.5, 1, 0.99) == pytest.approx((2 * 6.8263478740 / 0.2) ** 2)
    assert least_effect(10_000, 4.5, 1, 0.5) == pytest.approx(2 * 4.5 / 100)
    for runs in (1, 2):
        traces = traces_for(0.04, 5.0, runs)
        assert least_effect(round(traces), 5.0, runs) == pytest.approx(0.04, rel=1e-5)
    assert spread(4.5, 2, 0.81) == pytest.approx(spread(4.5, 1, 0.9))


def test_two_runs_and_a_small_risk_are_usual() -> None:
    """What is not said is two runs, an alpha of 1e-5 and a power of 0.99."""
    assert (ALPHA, POWER) == (1e-5, 0.99)
    assert by_chance(4.0) == by_chance(4.0, 2)
    assert in_any(4.0, 9) == in_any(4.0, 9, 2)
    assert threshold_of(9) == threshold_of(9, 2, 1e-5)
    assert spread(4.0) == spread(4.0, 2, 0.99)
    assert least_effect(100, 4.0) == least_effect(100, 4.0, 2, 0.99)
    assert traces_for(0.1, 4.0) == traces_for(0.1, 4.0, 2, 0.99)


def test_a_row_says_what_chance_passes() -> None:
    """640 cycles after 10 of pushes, one of which passes the threshold of the trace, 5.65."""
    t = [[9.0] * 10 + [5.7, -5.6] + [0.0] * 638, [0.0] * 649 + [-6.0]]
    test = {"t": t, "leaking": [0, 0], "seen": [None] * 2, "parts": []}
    made = row(Leakage(Point("mont-ct", 32)), work=10, tests={"exponent": test})
    [grid] = [
        one for one in SECTION.alone({made.task: made.result}) if one and "chance" in one.title
    ]
    [line] = grid.lines
    assert line.cells[3:] == ("640", "5.65", "1", "1", "4.3e-03", "1.5e-08")
