"""What studies make of rows: netlists, times, points, and what follows from what was found."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from eval.catalog.point import Point
from eval.study.failures import RowsFailed
from eval.study.netlists import netlists_of
from eval.study.results import StudyResult, as_json, run_all
from eval.study.study import Study
from eval.tasks.clocks import ROUGHLY, Curve
from eval.tasks.composed import Composed
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.simulation import Simulation
from eval.tasks.task import Row, Task
from tests.eval.made_up import flow_row, found_of, row, simulated
from tests.eval.report.test_space import run

pytestmark = pytest.mark.quick
SMALL, BEST = Point("ssmm-small", 32), Point("ssmm-best", 32)
TIMED = {"area_um2": 3776.0, "setup_slack_ns": 0.4, "period_ns": 2.6}


def point(clock_ns: float, area: float, period: float) -> dict:
    return {"clock_ns": clock_ns, "area_um2": area, "period_ns": period, "recipes": {}}


def composed(*points: dict, asked: Point = SMALL, tech: str = "") -> Row:
    task = Composed(asked, 3.0, tech=tech) if tech else Composed(asked, 3.0)
    return row(task, points=list(points), modules=2, mappings=3, timings=4)


def found(*rows: Row, cycles=None):
    return netlists_of({one.task: one.result for one in rows}, cycles or {})


def test_a_netlist_has_area_times_and_energies_of_its_own() -> None:
    curve = row(
        Curve(SMALL, 3.0, energy=True),
        metrics={},
        runs=[run(3.0, 3776.0, 2.6, 7.0), run(2.0, 4000.0, 1.5)],
    )
    relaxed, fast = found(curve, cycles={SMALL: {"d": 900, "e": 30}})[SMALL]
    assert relaxed.metrics == {
        "area_um2": 3776.0,
        "least_time_d_us": pytest.approx(900 * 2.6 / 1000),
        "least_time_e_us": pytest.approx(30 * 2.6 / 1000),
        "energy_glitches_d_nj": 7.0,
    }
    assert (relaxed.period_ns, fast.period_ns) == (2.6, 1.5)
    assert fast.time_us("d") == pytest.approx(1.35)
    assert (relaxed.energy_nj("d"), relaxed.energy_nj("e"), fast.energy_nj("d")) == (7, None, None)
    assert relaxed.command.endswith("--clock 3 --to power")
    assert fast.command.endswith("--clock 2")
    [alone, _] = found(curve)[SMALL]
    assert alone.time_us("d") is None


def test_composed_netlists_stand_where_the_flow_did_not_run() -> None:
    """At the clock that confirms them: the one asked for, or half a per cent more than the period
    that is reached, in whole picoseconds. The longest clock is first."""
    assert ROUGHLY == 1.005
    curve = composed(
        point(3.0, 1000.0, 2.9), point(2.0, 1100.0, 1.98765432), point(1.5, 1200.0, 1.6)
    )
    of_flow = flow_row(FlowRun(SMALL, "accelerator", 2.0), TIMED)
    first, second, third = found(of_flow, curve)[SMALL]
    assert [one.run.clock_ns for one in (first, second, third)] == [3.0, 2.0, 1.608]
    assert [one.area_um2 for one in (first, second, third)] == [1000.0, 3776.0, 1200.0]
    assert [one.composed for one in (first, second, third)] == [curve.task, None, curve.task]
    assert first.figures.setup_slack_ns == pytest.approx(0.1)
    assert third.figures.setup_slack_ns == pytest.approx(0.008)
    assert third.period_ns == 1.6
    assert first.command == curve.task.command
    [_, second, _] = found(curve)[SMALL]
    assert second.figures.setup_slack_ns == 0.01235


def test_other_units_and_what_was_not_measured_make_no_netlist() -> None:
    multiplier = flow_row(FlowRun(SMALL, "multiplier", 3.0), TIMED)
    unmade: list[Task] = [FlowRun(SMALL, "accelerator", 3.0), Composed(SMALL, 3.0)]
    unmade.append(Curve(SMALL, 3.0))
    assert netlists_of({multiplier.task: multiplier.result} | dict.fromkeys(unmade), {}) == {}


def test_a_curve_that_was_composed_has_the_netlists_of_both() -> None:
    inner = composed(point(3.0, 1000.0, 2.9), point(2.0, 1100.0, 1.9)).result
    curve = row(Curve(SMALL, 3.0), metrics={}, runs=[run(3.0, 990.0, 2.8)])
    result = type(curve.result)(curve.result.tools, {}, curve.result.runs, inner)
    confirmed, other = netlists_of({curve.task: result}, {})[SMALL]
    assert (confirmed.area_um2, confirmed.composed) == (990.0, None)
    assert (other.area_um2, other.composed) == (1100.0, Composed(SMALL, 3.0))


def test_netlists_that_the_flow_made_are_told_apart() -> None:
    study = found_of(
        composed(point(3.0, 1000.0, 2.9)),
        composed(point(3.0, 1000.0, 2.9), asked=BEST),
        flow_row(FlowRun(SMALL, "accelerator", 2.0), TIMED),
        simulated(SMALL, "d", {"xcel_cycles_d": 911}),
    )
    assert [one.run.clock_ns for one in study.with_composed[SMALL]] == [3.0, 2.0]
    assert {name: len(some) for name, some in study.netlists.items()} == {SMALL: 1}
    [netlist] = study.netlists[SMALL]
    assert netlist.time_us("d") == pytest.approx(911 * 2.6 / 1000)


def test_a_point_has_the_metrics_of_all_its_tasks() -> None:
    study = found_of(
        simulated(SMALL, "d", {"xcel_cycles_d": 911, "cycles_d": 900}),
        simulated(BEST, "d", {"xcel_cycles_d": 469}),
        simulated(SMALL, "e", {"xcel_cycles_e": 70}),
        flow_row(FlowRun(SMALL, "accelerator", 3.0), TIMED),
    )
    small, best = study.points
    assert (small.point, best.point) == (SMALL, BEST)
    assert small.cycles == {"e": 70, "d": 911}
    assert best.cycles == {"d": 469}
    assert (small.get("area_um2"), best.get("area_um2")) == (3776.0, None)
    assert small.card == "ssmm-small-32-bits"
    assert study.cycles_of(SMALL, "d") == 900
    assert study.cycles_of(BEST, "e") is None
    assert study.designs == {"ssmm-small", "ssmm-best"}
    assert [task.workload for task in study.of(Simulation)] == ["d", "d", "e"]
    assert [*study.of(FlowRun)] == [FlowRun(SMALL, "accelerator", 3.0)]


def test_rows_of_another_technology_are_of_that_study_alone() -> None:
    """There the clock is the usual one of that technology."""
    here = flow_row(FlowRun(SMALL, "accelerator", 3.0), TIMED)
    there = flow_row(
        FlowRun(SMALL, "accelerator", 9.0, tech="sky130"), TIMED | {"area_um2": 20_000.0}
    )
    study = found_of(here, there)
    assert study.techs == (here.task.tech, "sky130")
    assert [p.get("area_um2") for p in study.points] == [3776.0]
    other = study.in_technology("sky130")
    assert (other.study.tech, other.study.clock_ns) != (study.study.tech, study.study.clock_ns)
    assert [p.get("area_um2") for p in other.points] == [20_000.0]
    assert [one.area_um2 for one in other.netlists[SMALL]] == [20_000.0]
    assert [one.area_um2 for one in study.netlists[SMALL]] == [3776.0]
    assert study.in_technology(study.study.tech) is study
    assert {"kit", "kit of sky130"} <= set(study.tools)


def test_a_study_as_json() -> None:
    """Rows stand with their points, or in the places of their kinds; what failed is told."""
    flow = flow_row(FlowRun(SMALL, "accelerator", 3.0), TIMED)
    study = found_of(simulated(SMALL, "d", {"cycles_d": 900}), flow, composed(point(3.0, 9.0, 2)))
    shown = as_json(study)
    assert (shown["study"], shown["clock_ns"]) == ("made-up", 3.0)
    [of_point] = shown["points"]
    assert (of_point["design"], of_point["nbits"]) == ("ssmm-small", 32)
    assert of_point["metrics"]["area_um2"] == 3776.0
    assert of_point["requests"]["d"] == {"base": 2, "exp": 5, "mod": 9}
    assert "accelerator" in of_point["units"]
    [other] = shown["others"]
    assert other["points"][0]["area_um2"] == 9.0
    assert shown["tools"] == study.tools
    assert "kit" in shown["tools"]
    assert not {"failed", "tech"} & shown.keys()
    failed = as_json(replace(study, failures={flow.task: "no memory"}))
    assert failed["failed"] == {str(flow.task): "no memory"}
    assert as_json(study.in_technology("sky130"))["tech"] == "sky130"


# Running.


TASKS = [Simulation(one, workload) for one in (SMALL, BEST) for workload in "ed"]


def made(task: Task) -> Row:
    return simulated(task.point, task.workload, {f"cycles_{task.workload}": 7})


class Runs:
    """Makes rows, but for those that fail, and notes what it is asked for."""

    def __init__(self, *fails: Task) -> None:
        self.asked: list[list[Task]] = []
        self.fails = fails

    def __call__(self, tasks: Sequence[Task]) -> list[Row]:
        self.asked.append(list(tasks))
        rows = [made(task) for task in tasks if task not in self.fails]
        if failures := {task: "no memory" for task in tasks if task in self.fails}:
            raise RowsFailed(failures, rows)
        return rows


def study(name: str, *tasks: Task, then=None) -> Study:
    return Study(name, name, lambda plan: tasks, then=then)


def test_studies_are_run_together_and_no_row_is_made_twice() -> None:
    """Then what follows from what was found; the study has it after its own."""
    heard: list[StudyResult] = []

    def then(plan, so_far):
        heard.append(so_far)
        return [TASKS[1], TASKS[2], TASKS[3]]

    run_ = Runs()
    one, two = run_all(
        [study("one", TASKS[0], TASKS[1], then=then), study("two", TASKS[1], TASKS[2])], run_
    )
    assert run_.asked == [TASKS[:3], TASKS[3:]]
    assert [list(heard[0].results), len(heard)] == [TASKS[:2], 1]
    assert [row_.task for row_ in one.rows] == TASKS
    assert [row_.task for row_ in two.rows] == TASKS[1:3]
    assert one.failures == {}


def test_rows_that_fail_are_told_at_the_end_with_all_others() -> None:
    """They are not tried again, and what follows is made."""
    run_ = Runs(TASKS[1])
    with pytest.raises(RowsFailed) as caught:
        run_all(
            [
                study("one", TASKS[0], TASKS[1], then=lambda plan, so_far: [TASKS[1], TASKS[3]]),
                study("two", TASKS[2]),
            ],
            run_,
        )
    assert run_.asked == [TASKS[:3], TASKS[3:]]
    one, two = caught.value.founds
    assert one.failures == {TASKS[1]: "no memory"}
    assert two.failures == {}
    assert [row_.task for row_ in one.rows] == [TASKS[0], TASKS[3]]
    assert one.results[TASKS[1]] is None
    assert str(caught.value) == (f"1 of 4 rows failed, the others are kept\n{TASKS[1]}: no memory")
