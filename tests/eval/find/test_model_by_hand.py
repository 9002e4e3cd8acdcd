"""A Gaussian process of a made-up figure: means, doubts and what two netlists have in common."""

from dataclasses import replace
from math import exp, log, log2

import numpy as np
import pytest

from eval.find import model as code
from eval.find.candidates import CLOCKS_NS
from eval.find.drawn import _scores
from eval.find.model import (
    WHIM,
    Figure,
    Known,
    Model,
    Places,
    Process,
    Spot,
    columns_of,
    coordinates,
    left_out,
)
from eval.find.need import read_need

pytestmark = pytest.mark.quick
MADE = Figure("area", 2.0, 3.0, 0.5, 0.2, 0.3, 0.4, 0.6, 0.7, shared=0.25)
HERE = Spot("ssmm(steps=2)", 32, 3.0)
THERE = Spot("ssmm(steps=4)", 64, 6.0)


def estimate(known: list[Known], spot: Spot, figure: Figure = MADE) -> tuple[float, float]:
    mean, doubt = Process(figure, known).estimate(columns_of([spot]), 1)
    return float(mean[0]), float(doubt[0])


def estimate_period(known: Known, spot: Spot) -> float:
    """The same of a period, by what is believed of it as of that area."""
    return estimate([known], spot, replace(MADE, name="period"))[0]


def test_where_spots_are() -> None:
    """Doublings of 32 bits, of 3 ns and of a number; what is chosen; a number in a choice."""
    assert coordinates(THERE) == {
        "width": ("width", 1.0),
        "clock": ("clock", 1.0),
        "gated False": ("choice", 1.0),
        "steps": ("number", 2.0),
        "loop right-to-left": ("choice", 1.0),
    }
    windows = coordinates(Spot("array-4-window-4", 16, 1.5, gated=True))
    assert (windows["width"], windows["clock"]) == (("width", -1.0), ("clock", -1.0))
    assert windows["loop windows"] == ("choice", 1.0)
    assert windows["loop count"] == ("count", 4.0)
    assert windows["digit"] == ("number", 2.0)
    assert "gated True" in windows
    columns = columns_of([HERE, Spot("ssmm(steps=2)", 32, 3.0, gated=True)])
    assert columns["gated False"][1].tolist() == [1, 0]
    assert columns["steps"][1].tolist() == [1, 1]


def test_what_is_believed_where_nothing_is_known() -> None:
    """2 and half of two doublings; families, what strays, and each slope times how far."""
    mean, doubt = estimate([], THERE)
    variance = 3.0**2 + 0.7**2 + 0.2**2 + 0.3**2 + (0.4 * 2) ** 2 + 2 * 0.6**2
    assert (mean, doubt) == pytest.approx((2 + 0.5 * 2, variance**0.5))
    mean, doubt = estimate([], Spot("array-4-window-4", 32, 3.0))
    # digit 4, windows of 4, which count half as much each; stages 1; three choices.
    variance = 3.0**2 + 0.7**2 + (0.4 * 2) ** 2 + (0.2 * 4) ** 2 + 3 * 0.6**2
    assert (mean, doubt) == pytest.approx((2 + 0.5 * 2, variance**0.5))


def test_one_netlist_tells_of_another_what_both_have() -> None:
    known = Known(HERE, 32 * exp(7.0), 1.0)
    mean, doubt = estimate([known], THERE)
    here = 3.0**2 + 0.7**2 + 0.4**2 + 2 * 0.6**2 + WHIM**2
    there = 3.0**2 + 0.7**2 + 0.2**2 + 0.3**2 + (0.4 * 2) ** 2 + 2 * 0.6**2
    # A doubling of width and of the clock, of which 4 make strangers, one of a number, of which 2.
    apart, of_design = (2 / 4**2 + 1 / 2**2) ** 0.5, 1 / 2
    alike = 0.75 * exp(-apart) + 0.25 * exp(-of_design)
    common = 3.0**2 + 0.4**2 * 2 + 2 * 0.6**2 + 0.7**2 * alike
    assert mean == pytest.approx(3.0 + common / here * (7.0 - 2.5))
    assert doubt == pytest.approx((there - common**2 / here + WHIM**2) ** 0.5)


def test_what_others_choose_is_not_shared() -> None:
    """Another loop, which this one has not: a step of either choice apart."""
    known, other = Known(HERE, 32 * exp(7.0), 1.0), Spot("ssmm(steps=2,loop=always)", 32, 3.0)
    mean, _ = estimate([known], other)
    here = 3.0**2 + 0.7**2 + 0.4**2 + 2 * 0.6**2 + WHIM**2
    common = 3.0**2 + 0.4**2 + 0.6**2 + 0.7**2 * exp(-((2 / 4**2) ** 0.5))
    assert mean == pytest.approx(2.5 + common / here * (7.0 - 2.5))


def test_figures_are_relative() -> None:
    """Area for each bit; energy for each um2 and cycle; no figure of what was not measured."""
    known = Known(HERE, 640.0, 1.5, 12.0, 50)
    assert known.logarithm("area") == pytest.approx(log(20))
    assert known.logarithm("period") == pytest.approx(log(1.5))
    assert known.logarithm("energy") == pytest.approx(log(12 / 640 / 50))
    nothing = Known(HERE, None, None, 12.0, 50)
    assert [nothing.logarithm(name) for name in ("area", "period", "energy")] == [None] * 3
    assert Known(HERE, 640.0, 1.5).logarithm("energy") is None


def test_a_netlist_that_is_known_is_not_asked_of_itself(monkeypatch) -> None:
    """By the other one: how far off the estimate is, and its doubt; of a lone one nothing."""
    monkeypatch.setitem(code.FIGURES, "area", MADE)
    one, other = Known(HERE, 32 * exp(7.0), 1.0), Known(THERE, 64 * exp(9.0), None)
    alone = Known(Spot("array-4", 32, 3.0), 1e4, 1.0)
    [(off, doubt), (back, _)] = left_out([one, other, alone], "area")
    mean, expected = estimate([other], HERE)
    assert (off, doubt) == pytest.approx((7.0 - mean, expected))
    assert back == pytest.approx(9.0 - estimate([one], THERE)[0])
    assert left_out([one, other, alone], "period") == []


def test_a_second_row_of_a_netlist_is_not_asked_either(monkeypatch) -> None:
    """Two rows of one spot: each is estimated by the third one alone, and this by both."""
    monkeypatch.setitem(code.FIGURES, "area", MADE)
    one, again = Known(HERE, 32 * exp(7.0), 1.0), Known(HERE, 32 * exp(7.5), 1.0)
    other = Known(THERE, 64 * exp(9.0), 1.0)
    mean, doubt = estimate([other], HERE)
    first, second, third = left_out([one, again, other], "area")
    assert first == pytest.approx((7.0 - mean, doubt))
    assert second == pytest.approx((7.5 - mean, doubt))
    assert third[0] == pytest.approx(9.0 - estimate([one, again], THERE)[0])


def test_a_period_of_1_ns_is_known_too(monkeypatch) -> None:
    """Its logarithm is 0."""
    monkeypatch.setitem(code.FIGURES, "period", replace(MADE, name="period"))
    one, other = Known(HERE, None, 1.0), Known(THERE, None, exp(2.0))
    (back, _), (off, _) = left_out([one, other], "period")
    assert back == pytest.approx(0.0 - estimate_period(other, HERE))
    assert off == pytest.approx(2.0 - estimate_period(one, THERE))


def test_places_are_told_by_family_and_again_when_more_is_known(monkeypatch) -> None:
    monkeypatch.setitem(code.FIGURES, "area", MADE)
    array = Spot("array-4", 32, 3.0)
    places = Places([HERE, array, THERE])
    known = Known(HERE, 32 * exp(7.0), 1.0)
    mean, doubt = Model([known]).estimate("area", places)
    for number, spot, some in ((0, HERE, [known]), (1, array, []), (2, THERE, [known])):
        assert (mean[number], doubt[number]) == pytest.approx(estimate(some, spot))
    again, _ = Model([known, Known(THERE, 64 * exp(9.0), 1.0)]).estimate("area", places)
    assert again[2] == pytest.approx(9.0, abs=0.01)
    assert again[1] == mean[1]
    places.add(Spot("ssmm(steps=3)", 32, 3.0))
    wider, _ = Model([known]).estimate("area", places)
    assert np.allclose(wider[:3], mean)
    assert wider[3] == pytest.approx(estimate([known], Spot("ssmm(steps=3)", 32, 3.0))[0])


def test_a_number_of_0_is_a_step_below_1() -> None:
    blinded = coordinates(Spot("array-blinded(random=0)", 32, 3.0))
    assert blinded["random"] == ("number", -1.0)
    assert coordinates(Spot("array-blinded(random=8)", 32, 3.0))["random"][1] == log2(8)


class Told:
    """Estimates of two spots: means and doubts."""

    FIGURES = {
        "area": ([1.0, 2.0], [0.1, 0.75]),
        "period": ([0.5, 0.25], [0.1, 0.0]),
        "energy": ([-3.0, -2.0], [0.5, 0.125]),
    }

    def estimate(self, figure, places):
        assert places.count == 2
        return tuple(np.array(values) for values in self.FIGURES[figure])


@pytest.mark.parametrize(
    ("least", "at_most", "expected"),
    [
        # At best, two doubts below the mean: of area 0.8 and 0.5, of period 0.3 and 0.25.
        (["area", "time"], [], [0.5 + log(32), 0.25 + log(2)]),
        # Energy for each um2 and cycle: -4 with 0.8, and -2.25 with 0.5.
        (["energy"], [], [-4.0 + 0.8 + log(32) + log(2000)]),
        # What keeps to a limit is as good as another that does; what is to be least is not.
        (["area"], ["time=1s"], [0.5 + log(32), log(1e6)]),
        (["area"], ["time=1us"], [0.5 + log(32), 0.25 + log(2)]),
        (["time"], ["time=1s"], [0.25 + log(2)]),
    ],
)
def test_points_are_drawn_by_their_figures_at_best(least, at_most, expected) -> None:
    need = read_need(32, "sign", least, at_most=at_most)
    assert _scores(need, Told(), [HERE, THERE], 2000) == pytest.approx(expected)


def test_free_clocks_are_a_part_of_1_3_apart() -> None:
    """Seven below 3 ns, and four above."""
    shorter = (0.48, 0.62, 0.81, 1.05, 1.37, 1.78, 2.31)
    assert (*shorter, 3.0, 3.9, 5.07, 6.59, 8.57) == CLOCKS_NS
