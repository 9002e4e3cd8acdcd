"""Pareto fronts: who is on them, and who is only noise away."""

import pytest

from eval.catalog.point import Point
from eval.report.pareto import fronts_grid, pareto
from eval.study.results import PointResult
from eval.tasks.noise import Noise
from tests.eval.made_up import found_of, row

pytestmark = pytest.mark.quick

# name: (area, cycles); ssmm-best is 1 % larger than ssmm-small and no faster.
SPOTS = {
    "mul-rem": (200.0, 10.0),
    "ssmm-small": (100.0, 50.0),
    "ssmm-best": (101.0, 50.0),
    "mont-best": (120.0, 20.0),
    "mont-001": (400.0, 10.0),
}


def points(spots=SPOTS):
    return [
        PointResult(Point(name, 32), {"area_um2": area, "xcel_cycles_d": cycles})
        for name, (area, cycles) in spots.items()
    ]


def names(found):
    return [p.point.design for p in found]


def test_the_front_is_what_no_other_beats_and_near_is_within_the_noise():
    found = pareto(points(), "area_um2", "xcel_cycles_d", 0.02)
    assert names(found.best) == ["ssmm-small", "mont-best", "mul-rem"]
    assert names(found.near) == ["ssmm-best"]
    assert names(pareto(points(), "area_um2", "xcel_cycles_d", 0.005).near) == []
    assert names(pareto(points(), "area_um2", "xcel_cycles_d", 0.6).near) == [
        *("ssmm-best", "mont-001"),
    ]


def test_equal_points_are_all_on_the_front():
    equal = points({"mul-rem": (1.0, 1.0), "mont-best": (1.0, 1.0)})
    assert len(pareto(equal, "area_um2", "xcel_cycles_d", 0.0).best) == 2


@pytest.mark.parametrize("with_noise", [True, False])
def test_the_table_names_the_noise_or_says_that_there_is_none(with_noise):
    own = {"area_um2": 100.0, "setup_slack_ns": 0.1, "shortest_period_ns": 2.9}
    result = {"own": own, "runs": [own | {"area_um2": 98.0}], "recipes": []}
    noise = row(Noise(Point("ssmm-small", 32), 3.0), **result)
    found = found_of(*[noise] * with_noise)
    grid = fronts_grid(found, points())
    [line] = grid.lines
    assert line.cells[1] == "ssmm-small, mont-best, mul-rem"
    assert line.cells[2] == ("ssmm-best" if with_noise else "-")
    assert ("2.0 %" in grid.note) == with_noise
    assert ("not measured" in grid.note) != with_noise
    assert fronts_grid(found, points()[:1]) is None
