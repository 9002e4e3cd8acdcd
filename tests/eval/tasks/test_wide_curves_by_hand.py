"""A curve of a wide design: at which clocks the flow confirms it, and where energies are taken."""

import pytest

from eval.catalog.point import Point
from eval.tasks import clocks
from eval.tasks.clocks import Curve, to_confirm
from eval.tasks.composed import Composed
from eval.tasks.flow_run.task import POWER, TIMING
from flow.results.curve import ComposedPoint
from tests.eval.made_up import flow_row, row

pytestmark = pytest.mark.quick
POINT = Point("mont-small", 1024)
# Clock, area, period: the third has the least area x period, the last misses its clock.
POINTS = [(3.0, 100.0, 2.9), (2.0, 110.0, 1.9), (1.5, 120.0, 1.4), (1.2, 170.0, 1.25)]


def curve(monkeypatch, energy: bool, missed: tuple[float, ...] = ()):
    """The result, and what was measured for it; some netlists of the flow miss their clocks."""
    asked: list[object] = []

    def measure(task, on_step):
        asked.append(task)
        if isinstance(task, Composed):
            points = [
                {"clock_ns": c, "area_um2": a, "period_ns": p, "recipes": {}} for c, a, p in POINTS
            ]
            return row(task, points=points, modules=1, mappings=2, timings=3, tools={"abc": "1"})
        known = {round(c, 5): (a, p) for c, a, p in [*POINTS[:3], (1.257, 170.0, 1.25)]}
        area, period = known[task.clock_ns]
        period += 1.0 * (task.clock_ns in missed)
        metrics = {"area_um2": area, "period_ns": period}
        metrics["setup_slack_ns"] = task.clock_ns - period
        if task.to == POWER:
            metrics |= {"energy_glitches_d_nj": 10 * area, "energy_glitches_e_nj": area}
        return flow_row(task, metrics, tools={f"at {task.clock_ns:g}": "1"})

    monkeypatch.setattr(clocks, "measure", measure)
    return Curve(POINT, 3.0, energy=energy).compute(lambda step: None), asked


def test_the_flow_confirms_three_points() -> None:
    points = [ComposedPoint(c, a, p, {}) for c, a, p in POINTS]
    assert to_confirm(points) == [3.0, 1.5, 1.257]  # 1.25 ns and half a per cent, rounded up
    assert to_confirm(points[:1]) == [3.0]
    assert to_confirm(points[:3]) == [3.0, 1.5]


@pytest.mark.parametrize("energy", [False, True])
def test_energies_are_taken_where_area_x_period_is_least(monkeypatch, energy: bool) -> None:
    result, asked = curve(monkeypatch, energy)
    composed, *runs = asked
    assert (composed.point, composed.clock_ns, composed.shortest_ns) == (POINT, 3.0, 0)
    expected = [(3.0, TIMING), (1.5, TIMING), (1.257, TIMING), *[(1.5, POWER)] * energy]
    assert [(run.clock_ns, run.to) for run in runs] == expected
    assert [run.clock_ns for run in result.runs] == [3.0, 1.5, 1.257]
    assert [run.energies_nj for run in result.runs] == [
        *({}, {"d": 1200.0, "e": 120.0} if energy else {}, {}),
    ]
    assert result.metrics == {"shortest_period_ns": 1.25, "fastest_area_um2": 170.0}
    assert [point.clock_ns for point in result.composed.points] == [3.0, 2.0, 1.5, 1.2]
    assert result.tools == {"abc": "1", "at 3": "1", "at 1.5": "1", "at 1.257": "1"}


def test_what_misses_its_clock_has_no_energy(monkeypatch) -> None:
    """The least of those that meet theirs: 170 x 1.25 is below 100 x 2.9."""
    result, asked = curve(monkeypatch, True, missed=(1.5,))
    assert (asked[-1].clock_ns, asked[-1].to) == (1.257, POWER)
    assert [bool(run.energies_nj) for run in result.runs] == [False, False, True]
    result, asked = curve(monkeypatch, True, missed=(3.0, 1.5, 1.257))
    assert {run.to for run in asked[1:]} == {TIMING}
    assert not any(run.energies_nj for run in result.runs)
