"""What runs when a row is computed is in its key: a second way to find what a row rests on."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from eval.catalog.point import Point
from eval.documents.d004.table_1 import Table004
from eval.tasks.flow_run.recording import record
from eval.tasks.flow_run.task import POWER, FlowRun
from eval.tasks.leakage.task import Leakage
from eval.tasks.simulation import Simulation
from eval.tasks.task import Task
from eval.tasks.unit import ACCELERATOR
from sim.closure import PACKAGES
from sim.paths import ROOT
from sim.stages import APART, ENTRIES, HARDWARE, stages

POINT = Point("mul-rem", 8)
OURS = tuple(str(ROOT / package) + "/" for package in PACKAGES)


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
def test_all_that_runs_is_of_the_stages_of_the_task(of: str) -> None:
    task, compute = CASES[of]
    found = ran(compute)
    assert len(found) > 5
    owners = {file: stages().owner(Path(file)) for file in found}
    known = {*task.all_stages(), APART, ENTRIES, HARDWARE}
    assert not {file: owner for file, owner in owners.items() if owner not in known}
