"""Composed curves: which of their points the flow confirms, and what is said of the others."""

import msgspec
import pytest

import eval.tasks.clocks
from eval.catalog.point import Point
from eval.report.headline import findings
from eval.report.signatures import times_grid
from eval.study.netlists import netlists_of
from eval.tasks.clocks import COMPOSED_FROM, Curve, CurveResult, to_confirm
from eval.tasks.clocks_section import COMPOSED as CONFIRMED
from eval.tasks.composed import Composed, ComposedResult
from eval.tasks.composed_section import COMPOSED
from eval.tasks.flow_run.task import FlowRun
from flow.results.curve import ComposedPoint
from tests.eval.made_up import energy_of, flow_row, found_of, metrics_of, row, simulated

pytestmark = pytest.mark.quick
POINT = Point("array-4", COMPOSED_FROM)
# Clock, area, period: the third has the least product, the last misses its clock.
POINTS = [(3.0, 100.0, 1.5), (1.304, 104.0, 1.3), (1.13, 110.0, 1.1), (0.957, 150.0, 1.0004)]
# By clock, what the flow finds.
FLOW = {3.0: (100.0, 1.5), 1.13: (112.2, 1.078), 1.006: (144.0, 0.99)}


def composed_of(points=POINTS):
    made = [{"clock_ns": c, "area_um2": a, "period_ns": p, "recipes": {}} for c, a, p in points]
    return {"points": made, "modules": 22, "mappings": 61, "timings": 17}


def curve(monkeypatch, energy=False):
    """The curve as Curve makes it of these, and the flow runs that it asks for."""
    asked = []

    def measure(task, on_step):
        if isinstance(task, Composed):
            return row(task, **composed_of(), tools={"yosys": "1"})
        asked.append((task.clock_ns, task.to))
        area, period = FLOW[task.clock_ns]
        metrics = {"area_um2": area, "period_ns": period}
        metrics["setup_slack_ns"] = task.clock_ns - period
        if task.to == "power":
            measured = energy_of()
            return flow_row(task, metrics | metrics_of(measured), energy=measured)
        return flow_row(task, metrics, tools={"sta": "2"})

    monkeypatch.setattr(eval.tasks.clocks, "measure", measure)
    return Curve(POINT, 3.0, energy).compute(lambda step: None), asked


def test_the_flow_runs_at_the_longest_the_densest_and_the_shortest(monkeypatch):
    """That is what the last netlist reaches, which missed its clock, and half a percent."""
    found, asked = curve(monkeypatch)
    assert asked == [(3.0, "timing"), (1.13, "timing"), (1.006, "timing")]
    assert [run.clock_ns for run in found.runs] == [3.0, 1.13, 1.006]
    assert found.metrics == {"shortest_period_ns": 0.99, "fastest_area_um2": 144.0}
    assert found.tools == {"yosys": "1", "sta": "2"}
    again = msgspec.convert(msgspec.to_builtins(found), CurveResult)
    assert again == found  # as the store has it


def test_the_flow_is_asked_for_what_it_reaches_far_below_its_clock(monkeypatch):
    """1.006 ns reach 0.8, which reach 0.7, which reach hardly less: 0.69 x 1.02 is above 0.7."""
    more = {1.006: (144.0, 0.8), 0.8: (150.0, 0.7), 0.7: (151.0, 0.69)}
    monkeypatch.setattr(f"{__name__}.FLOW", FLOW | more)
    found, asked = curve(monkeypatch)
    assert [clock for clock, _ in asked] == [3.0, 1.13, 1.006, 0.8, 0.7]
    assert found.metrics == {"shortest_period_ns": 0.69, "fastest_area_um2": 151.0}
    missed = {1.006: (144.0, 0.8), 0.8: (150.0, 0.81)}
    monkeypatch.setattr(f"{__name__}.FLOW", FLOW | missed)
    found, asked = curve(monkeypatch)
    assert [clock for clock, _ in asked] == [3.0, 1.13, 1.006, 0.8]
    assert found.metrics == {"shortest_period_ns": 0.8, "fastest_area_um2": 144.0}


def test_a_curve_to_a_clock_is_another_row_and_has_another_command():
    whole, part = Composed(POINT, 3.0), Composed(POINT, 3.0, 1.25)
    assert whole.parameters() == {"clock_ns": 3.0}
    assert part.parameters() == {"clock_ns": 3.0, "shortest_ns": 1.25}
    assert part.command == f"{whole.command} --shortest 1.25"
    assert Composed(POINT, **part.parameters()) == part


def test_a_clock_is_confirmed_once():
    points = [msgspec.convert(one, ComposedPoint) for one in composed_of(POINTS[:3])["points"]]
    assert to_confirm(points) == [3.0, 1.13]
    assert to_confirm(points[:1]) == [3.0]


def test_energies_are_of_the_flow_run_that_does_most_for_its_area(monkeypatch):
    found, asked = curve(monkeypatch, energy=True)
    assert [clock for clock, to in asked if to == "power"] == [1.13]
    assert [run.clock_ns for run in found.runs if run.energies_nj] == [1.13]


def test_a_narrow_design_is_searched_by_flow_runs():
    narrow = Curve(Point("array-4", COMPOSED_FROM - 1), 3.0)
    assert narrow.parameters()["rule"] != Curve(POINT, 3.0).parameters()["rule"]


def test_errors_stand_beside_the_points_that_are_confirmed(monkeypatch):
    """110 um2 where the flow has 112.2: 2 % less; 1.1 ns for 1.078: 2 % more."""
    found, _ = curve(monkeypatch)
    grid = CONFIRMED.of({Curve(POINT, 3.0): found})
    assert [line.cells[2:] for line in grid.lines] == [
        ("3.000", "100.0", "1.500", "3.000", "0.0", "0.0"),
        ("1.304", "104.0", "1.300", "-", "-", "-"),
        ("1.130", "110.0", "1.100", "1.130", "-2.0", "2.0"),
        ("0.957", "150.0", "1.000", "1.006", "4.2", "1.1"),
    ]
    assert grid.lines[1].commands == ("modexplorer composed array-4 --nbits 1024 --clock 3",)
    assert "22 modules, 61 mappings of one, 17 timing runs; 3 flow runs." in grid.note
    assert CONFIRMED.of({Curve(POINT, 3.0): msgspec.structs.replace(found, composed=None)}) is None


def test_its_own_command_shows_the_points():
    result = msgspec.convert({"tools": {}} | composed_of(), ComposedResult)
    grid = COMPOSED.of({Composed(POINT, 3.0): result})
    assert [line.cells[2:] for line in grid.lines][-2:] == [
        ("1.130", "110.0", "1.100", "yes"),
        ("0.957", "150.0", "1.000", "no"),
    ]
    assert "22 modules, 61 mappings of one, 17 timing runs; no flow run." in grid.note


def test_composed_netlists_stand_where_the_flow_did_not_run(monkeypatch):
    found, _ = curve(monkeypatch)
    netlists = netlists_of({Curve(POINT, 3.0): found}, {POINT: {"d": 1000}})[POINT]
    assert [(n.run.clock_ns, n.area_um2, bool(n.composed)) for n in netlists] == [
        *((3.0, 100.0, False), (1.304, 104.0, True), (1.13, 112.2, False), (1.006, 144.0, False)),
    ]
    assert netlists[1].command == "modexplorer composed array-4 --nbits 1024 --clock 3"
    assert netlists[1].time_us("d") == pytest.approx(1.3)
    alone = msgspec.convert({"tools": {}} | composed_of(), ComposedResult)
    run = flow_row(
        FlowRun(POINT, "accelerator", 3.0),
        {"area_um2": 99.0, "period_ns": 1.4, "setup_slack_ns": 1.6},
    )
    both = {Composed(POINT, 3.0): alone, run.task: run.result}
    assert [n.area_um2 for n in netlists_of(both, {})[POINT]] == [99.0, 104.0, 110.0, 150.0]


def test_reports_mark_them():
    """Of two designs, the one whose fastest netlist is composed."""
    rows = []
    for design in ("array-4", "array-8"):
        point = Point(design, 1024)
        rows.append(simulated(point, "d", {"cycles_d": 999, "xcel_cycles_d": 1000}))
        metrics = {"area_um2": 1e5, "period_ns": 1.5, "setup_slack_ns": 1.5}
        rows.append(flow_row(FlowRun(point, "accelerator", 3.0), metrics))
    rows.append(row(Composed(Point("array-4", 1024), 3.0), **composed_of([(1.0, 1.2e5, 0.9)])))
    found = found_of(*rows)
    grid = times_grid(found, 1024)
    assert [line.cells[0] for line in grid.lines] == ["array-4^", "array-8"]
    assert "^ composed of modules: the flow did not run for its clock." in grid.note
    assert found.with_composed[Point("array-4", 1024)][-1].composed
    assert [n.composed for netlists in found.netlists.values() for n in netlists] == [None, None]
    [said] = findings(found)
    assert ", with 1.50 us, 0.100 mm2 at 1.50 ns" in said
    assert "0.9" not in said
