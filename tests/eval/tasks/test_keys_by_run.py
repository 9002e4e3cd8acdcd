"""What runs when a row is computed is in its key: a second way to find what a row rests on."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from eval.catalog.point import Point
from eval.documents.d004.table_1 import Table004
from eval.tasks.closure import KEEPING, hardware, used_by
from eval.tasks.flow_run.recording import record
from eval.tasks.flow_run.task import POWER, FlowRun
from eval.tasks.leakage.task import Leakage
from eval.tasks.simulation import Simulation
from eval.tasks.task import Task
from eval.tasks.unit import ACCELERATOR
from sim.closure import PACKAGES
from sim.paths import ROOT

POINT = Point("mul-rem", 8)
OURS = tuple(str(ROOT / package) + "/" for package in PACKAGES)
OF_DESIGNS = tuple(str(ROOT / folder) for folder in ("fl", "cl", "rtl", "eval/catalog"))
KEPT = tuple(str(ROOT / file) for file in (*KEEPING, "eval/catalog/__init__.py"))


def ran(compute: Callable[[], object]) -> set[str]:
    """Files of ours of which a function runs."""
    found = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            found.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        compute()
    finally:
        sys.setprofile(before)
    return {file for file in found if file.startswith(OURS)}


def computed(task: Task) -> Callable[[], object]:
    """Compute a row, and keep nothing."""
    return lambda: task.compute(lambda step: None)


CASES: dict[str, tuple[Task, Callable[[], object]]] = {
    "simulate": (task := Simulation(POINT, "d"), computed(task)),
    "leakage": (task := Leakage(POINT, 20), computed(task)),
    "table-004": (task := Table004(Point("ssmm-004", 64), simulated=False), computed(task)),
    "energy": (FlowRun(POINT, ACCELERATOR, 3.0, POWER), lambda: record(POINT)),
}


@pytest.mark.parametrize("of", CASES)
def test_all_that_runs_is_in_the_key(of: str) -> None:
    task, compute = CASES[of]
    entries = [task.point.design] if task.by_entry else ()
    inside = {str(file) for file in used_by(type(task), task.uses(), entries).files}
    found = ran(compute)
    assert len(found) > 5
    # The Verilog and, of formulas that tell when an answer is late, their values are in the key.
    made_of = {str(file) for file in hardware(["eval.catalog.point"], [task.point.design]).files}
    known = inside | {file for file in made_of if file.startswith(OF_DESIGNS)}
    assert not {file for file in found - known if not file.startswith(KEPT)}
