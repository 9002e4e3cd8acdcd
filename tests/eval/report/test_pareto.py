"""Pareto fronts: who is on them, and who is only noise away."""

import pytest

from eval.catalog.point import Point
from eval.report import pareto as pareto_module
from eval.report.pareto import (
    CURVES_VIEW,
    CYCLES_VIEW,
    TYPICAL_VIEW,
    Spot,
    View,
    fronts_grid,
    fronts_of,
    pareto,
    views,
)
from eval.report.space import AXES
from eval.study.results import PointResult
from eval.tasks.clocks import Curve
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.noise import Noise
from tests.eval.made_up import flow_row, found_of, row, simulated

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


def spots_of(points):
    return {p: CYCLES_VIEW.spots(found_of(), p, "d") for p in points}


def test_the_front_is_what_no_other_beats_and_noise_leaves_some_of_it_in_doubt():
    where = spots_of(points())

    def found(area):
        return pareto(where, dict.fromkeys(where, Spot(area, 0.0)))

    near = found(0.02)
    assert names(near.best) == ["ssmm-small", "mont-best", "mul-rem"]
    assert names(near.uncertain) == ["ssmm-small"]
    assert names(near.maybe) == ["ssmm-best"]
    assert names(found(0.004).maybe) == names(found(0.004).uncertain) == []
    assert names(found(0.6).maybe) == ["ssmm-best", "mont-001"]


def test_both_axes_have_their_noise():
    slower = spots_of(points(SPOTS | {"ssmm-best": (101.0, 50.4)}))

    def maybe(area, cycles):
        found = pareto(slower, dict.fromkeys(slower, Spot(area, cycles)))
        return "ssmm-best" in names(found.maybe)

    assert not maybe(0.004, 0.003)
    assert maybe(0.02, 0.0)
    assert maybe(0.0, 0.02)


def test_designs_for_some_moduli_stand_beside_the_front_and_beat_nobody():
    with_some = points(SPOTS | {"near-power-4": (90.0, 5.0), "cm-pseudo-2": (500.0, 90.0)})
    found = pareto(spots_of(with_some))
    assert names(found.best) == ["ssmm-small", "mont-best", "mul-rem"]
    assert names(found.apart) == ["near-power-4"]


def test_equal_points_are_all_on_the_front():
    equal = points({"mul-rem": (1.0, 1.0), "mont-best": (1.0, 1.0)})
    assert len(pareto(spots_of(equal)).best) == 2


def figures(area, period, clock):
    return {"area_um2": area, "period_ns": period, "setup_slack_ns": clock - period}


def curve(design, *runs):
    """A row of a curve of such areas and periods, each asked for what it reaches."""
    return row(
        Curve(Point(design, 32), 3.0),
        metrics={"shortest_period_ns": runs[-1][1]},
        runs=[figures(*run, run[1]) | {"clock_ns": run[1]} for run in runs],
    )


def test_a_front_of_curves_is_their_lower_envelope():
    """The slow design is smaller at long clocks; at short ones the other one is; a netlist of its
    own that is larger and slower is no part of a design's curve."""
    found = found_of(
        *(simulated(Point(d, 32), "d", {"xcel_cycles_d": 1000.0}) for d in ("mul-rem", "mont-ct")),
        curve("mul-rem", (100.0, 3.0), (110.0, 3.1), (200.0, 1.0)),
        curve("mont-ct", (150.0, 2.0), (150.0, 1.2), (190.0, 0.9)),
    )
    where = {p: CURVES_VIEW.spots(found, p, "d") for p in found.points}
    assert views(found)[1] is CURVES_VIEW
    one, other = where.values()
    assert one == [(100.0, 3.0), (200.0, 1.0)]
    assert other == [(150.0, 1.2), (190.0, 0.9)]
    assert pareto(where).corners == [(100.0, 3.0), *other]
    [line] = fronts_grid(found, found.points).lines
    assert line.cells == ("area - least time d", "mul-rem, mont-ct", "-", "-")
    assert not CURVES_VIEW.spots(found, found.points[0], "e")


def test_each_figure_is_moved_by_its_own_noise():
    """By the names of what views and axes show: nothing moves cycles, nor times at one clock."""
    every = [one for one in vars(pareto_module).values() if isinstance(one, View)]
    assert len(every) >= 6
    for view in every:
        for name, band in ((view.across, view.across_band), (view.up, view.up_band)):
            assert band == MOVED[name], view.title
    for axis in AXES:
        assert axis.bands == tuple(filter(None, (MOVED[part] for part in axis.parts))), axis.name


MOVED = {
    **{"area_um2": "area", "period_ns": "period", "energy_glitches_{}_nj": "energy"},
    **{"least_time_{}_us": "period", "typical_time_{}_us": "period"},
    **{"time_{}_us": "", "xcel_cycles_{}": ""},
}


def test_fronts_of_the_typical_corner_stand_beside_those_of_the_slow_one():
    """By the periods in each: another design may be fastest there."""
    designs = {"mul-rem": (100.0, 3.0, 1.0), "mont-ct": (150.0, 2.0, 1.5)}
    rows = []
    for name, (area, slow, typical) in designs.items():
        both = figures(area, slow, slow) | {"clock_ns": slow, "period_typical_ns": typical}
        rows += [
            simulated(Point(name, 32), "d", {"xcel_cycles_d": 1000.0}),
            row(Curve(Point(name, 32), 3.0), metrics={"shortest_period_ns": slow}, runs=[both]),
        ]
    found = found_of(*rows)
    assert views(found)[1:3] == (CURVES_VIEW, TYPICAL_VIEW)
    fronts = fronts_of(found, found.points)
    slow, typical = (
        [p.point.design for p in fronts[f"area - least time d{corner}"].best]
        for corner in ("", ", typical corner")
    )
    assert (slow, typical) == (["mul-rem", "mont-ct"], ["mul-rem"])


def test_a_design_without_a_curve_stands_where_its_netlist_does():
    point = Point("mul-rem", 32)
    found = found_of(
        simulated(point, "d", {"xcel_cycles_d": 1000.0}),
        flow_row(FlowRun(point, "accelerator", 3.0), figures(9.0, 2.0, 3.0)),
    )
    assert CURVES_VIEW.spots(found, found.points[0], "d") == [(9.0, 2.0)]


@pytest.mark.parametrize("with_noise", [True, False])
def test_the_table_names_the_noise_and_says_whose_it_is(with_noise):
    own = figures(100.0, 2.9, 3.0)
    both = {"own": own, "runs": [own | {"area_um2": 98.0}]}
    hurried = {"hurried_own": own, "hurried_runs": [own | {"period_ns": 2.871}]}
    noise = row(Noise(Point("ssmm-small", 32), 3.0), **both, **hurried, recipes=[])
    found = found_of(*[noise] * with_noise)
    grid = fronts_grid(found, points())
    [line] = grid.lines
    assert line.cells[1] == "~ssmm-small, mont-best, mul-rem"
    assert line.cells[2] == "ssmm-best"
    if with_noise:
        said = "2.0 % (area), 1.0 % (shortest period), 5.0 % (energy), the most that was measured"
    else:
        said = "2.0 % (area), 4.0 % (shortest period), 5.0 % (energy), the most that designs of"
    assert f"else {said}" in grid.note
    assert fronts_grid(found, points()[:1]) is None
