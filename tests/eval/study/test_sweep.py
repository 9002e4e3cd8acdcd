"""Sweeps: rows in order, failures that do not stop the others, interrupts that keep what is done.

The tasks here only sleep and note that they ran, in the store of a sweep like any other.
"""

import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from eval.catalog import DESIGNS
from eval.catalog.point import Point
from eval.study.studies import FASTER, ON_FRONT, STUDIES
from eval.study.sweep import attempt, in_order, run_tasks
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.layout.task import LaidOut
from eval.tasks.simulation import Simulation
from eval.tasks.store import Store
from eval.tasks.task import SHORT, MetricsResult, OnStep, Task
from eval.tasks.unit import ACCELERATOR
from sim.errors import RunError
from tests.places import ROOT
from tests.processes import left_of


@dataclass(frozen=True)
class Nap(Task[MetricsResult]):
    """A task that sleeps: it starts a child process, as the flow does."""

    point: Point
    seconds: float
    log: str
    fails: bool = False
    kind = "nap"
    Result = MetricsResult
    rank = SHORT

    def __str__(self) -> str:
        return f"nap {self.point.nbits}"

    def parameters(self) -> dict:
        """Nothing: a shorter nap gives the same."""
        return {}

    def verilog(self) -> str:
        """None."""
        return ""

    def tools(self) -> dict[str, str]:
        """None."""
        return {}

    def compute(self, on_step: OnStep) -> MetricsResult:
        """Sleep in a child process, then note it."""
        if self.fails:
            raise RunError("overslept")
        subprocess.run(["sleep", str(self.seconds)], check=True)
        with open(self.log, "a") as file:
            file.write(f"{self.point.nbits}\n")
        return MetricsResult(tools={}, metrics={"naps": self.point.nbits})


LONG = 600.0  # seconds that nobody waits


def naps(folder: Path, count: int, then: float = 0.01, fails: tuple[int, ...] = ()) -> list[Nap]:
    """Some tasks that note in folder/log when they are done; the last four of them, which start
    first, are short, and the others take so many seconds."""
    log = str(folder / "log")
    return [
        Nap(Point("mul-rem", 8 + i), then if i < count - 4 else 0.01, log, i in fails)
        for i in range(count)
    ]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build folder of the test's own."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    return tmp_path


@pytest.mark.quick
def test_the_default_study_measures_what_the_report_shows() -> None:
    tasks = STUDIES["default"].tasks
    assert len(set(tasks)) == len(tasks)
    for nbits in (8, 16, 32):
        point = Point("mul-rem", nbits)
        assert {Simulation(point, "e"), Simulation(point, "d")} <= set(tasks)
        assert FlowRun(point, "accelerator", 3.0) in tasks
    points = {task.about for task in tasks if task.about}
    long = {p for p in points if p.nbits == 1024}
    assert len(long) > 5
    others = [p for p in points - long if p.design != "mul-rem"]
    general = {name for name, design in DESIGNS.items() if not design.moduli.only}
    assert len(general) > 15
    assert {p.design for p in others} == general - {"mul-rem"} | {*ON_FRONT}
    assert {p.nbits for p in others} == {32}
    multipliers = [t for t in tasks if isinstance(t, FlowRun) and t.unit == "multiplier"]
    assert {t.point for t in multipliers} == {Point("mul-rem", 32), Point("mont-001", 32)}


@pytest.mark.quick
def test_no_flow_run_waits_for_the_layout_of_the_same_design() -> None:
    laid_out = LaidOut(Point("ssmm-small", 32), ACCELERATOR, 3.0)
    tasks = [*STUDIES["default"].tasks, laid_out]
    ordered = in_order(tasks)
    assert sorted(map(str, ordered)) == sorted(map(str, tasks))
    flows = {n: task for n, task in enumerate(ordered) if isinstance(task, FlowRun)}
    unit = laid_out.point, laid_out.unit
    (done,) = [n for n, task in flows.items() if (task.point, task.unit) == unit]
    others = flows.keys() - {done}
    assert min(others) < ordered.index(laid_out)  # processors
    assert max(others) < done


@pytest.mark.quick
def test_the_full_study_has_every_design_at_every_width() -> None:
    points = {task.about for task in STUDIES["full"].tasks if task.about}
    short = {point for point in points if point.nbits < 1024}
    every = {Point(d, n) for d in DESIGNS for n in (8, 16, 32, 64)}
    assert short == every | {Point(d, 32) for d in (*ON_FRONT, *FASTER)}
    assert set(STUDIES["default"].tasks) < set(STUDIES["full"].tasks)


@pytest.mark.quick
def test_designs_that_are_fast_at_their_own_clocks_have_curves_beside_the_others() -> None:
    """At 32 bits early answers sign faster than array-8, which one clock for all designs does not
    show."""
    curves = {task.point.design for task in STUDIES["clocks"].tasks if task.kind == "clocks"}
    cycles = {task.point.design for task in STUDIES["clocks"].tasks if task.kind == "simulate"}
    general = {name for name, design in DESIGNS.items() if not design.moduli.only}
    assert curves == cycles == general | {"array-8", *FASTER}


def test_no_task_gives_no_row() -> None:
    assert run_tasks([], jobs=2) == []


def test_rows_come_in_the_order_of_the_tasks_and_are_reused(build: Path) -> None:
    tasks = naps(build, 5)
    seen = []
    rows = run_tasks(tasks, 2, lambda done, running: seen.append((done, len(running))))
    assert [row.task for row in rows] == tasks
    assert [row.result.metrics["naps"] for row in rows] == [8, 9, 10, 11, 12]
    assert not any(row.reused for row in rows)
    assert [done for done, _ in seen] == [0, 1, 2, 3, 4, 5]
    assert (seen[0][1], seen[-1][1]) == (2, 0)
    again = run_tasks(tasks, 2)
    assert all(row.reused for row in again)
    assert [row.result for row in again] == [row.result for row in rows]
    assert len((build / "log").read_text().split()) == 5


def test_a_failed_row_is_named_and_the_others_are_kept(build: Path) -> None:
    with pytest.raises(RunError, match="1 of 4 rows failed(.|\n)*nap 9: overslept"):
        run_tasks(naps(build, 4, fails=(1,)), 2)
    with Store() as store:
        assert sorted(key.nbits for key, _ in store.rows()) == [8, 10, 11]


@pytest.mark.quick
def test_an_unforeseen_failure_is_named_with_the_place_of_its_traceback(
    build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def divide(task: Nap, on_step: OnStep) -> MetricsResult:
        return 1 // 0

    monkeypatch.setattr(Nap, "compute", divide)
    outcome = attempt(naps(build, 1)[0])
    log = build / "logs" / "failed-rows.txt"
    assert str(outcome).startswith("ZeroDivisionError: ")
    assert f"(see {log})" in str(outcome)
    assert "return 1 // 0" in log.read_text()


SWEEP = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
if __name__ == "__main__":
    from eval.study.sweep import run_tasks
    from tests.eval.study.test_sweep import LONG, naps
    run_tasks(naps(Path(sys.argv[2]), 12, LONG), 2)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=lambda s: s.name)
def test_an_interrupted_sweep_stops_and_goes_on(build: Path, number: signal.Signals) -> None:
    script = build / "sweep.py"
    script.write_text(SWEEP)
    process = subprocess.Popen(
        [sys.executable, str(script), str(ROOT), str(build)], stderr=subprocess.DEVNULL
    )
    log = build / "log"
    while not log.exists() or len(log.read_text().split()) < 3:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait(300) != 0
    assert left_of(build) == []
    finished = len(log.read_text().split())
    assert 3 <= finished < 12
    rows = run_tasks(naps(build, 12), 2)
    assert sum(row.reused for row in rows) >= finished - 2  # noted, perhaps not yet stored
    assert [row.result.metrics["naps"] for row in rows] == list(range(8, 20))
