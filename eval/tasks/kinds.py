"""The kinds of measurement, a line for each, and those of documents: the module that shows its
rows has its Section as SECTION; what computes them is in others, which import none that shows."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from eval.documents.document import numbers, written
from eval.tasks.kind import Kind

if TYPE_CHECKING:
    from eval.tasks.at_clock import DesignAtClock
    from eval.tasks.section import Section
    from eval.tasks.task import Result, Task

# In the order of the report, without those of documents.
COMMON = {
    "simulate": Kind("eval.tasks.simulation_section", 1),
    "timing": Kind("eval.tasks.timing_section", 10),
    "leakage": Kind("eval.tasks.leakage.section", 30),
    "attack": Kind("eval.tasks.attack.section", 120),
    "faults": Kind("eval.tasks.faults.section", 60),
    "skips": Kind("eval.tasks.faults.skips_section", 60),
    "run": Kind("eval.tasks.execution_section", 2),
    "rsa": Kind("eval.tasks.rsa_section", 5),
    "flow": Kind("eval.tasks.flow_run.section", 15),
    "clocks": Kind(
        "eval.tasks.clocks_section",
        25,
        "Find a design's shortest clock period, and its area at longer ones.",
    ),
    "composed": Kind(
        "eval.tasks.composed_section",
        60,
        "Compose a design's area over the clock from its modules, without a flow run.",
    ),
    "noise": Kind(
        "eval.tasks.noise_section", 45, "Measure the noise of a design's area and slack."
    ),
    "crosscheck": Kind(
        "eval.tasks.crosscheck.section",
        15,
        "Find a design's area, period and power a second time, by other means.",
    ),
    "corners": Kind(
        "eval.tasks.corners_section",
        15,
        "Tell a design's period, leakage and energies in the corners of a technology.",
    ),
    "supply": Kind(
        "eval.tasks.supply_section",
        300,
        "Tell a design's period and energies at lower supplies, by ngspice.",
    ),
    "private": Kind(
        "eval.tasks.private_energy_section",
        60,
        "Tell time and energy of a private operation by CRT in hardware.",
    ),
    "fpga": Kind("eval.tasks.fpga.section", 10),
    "layout": Kind("eval.tasks.layout.section", 60),
    "placements": Kind(
        "eval.tasks.placements_section",
        300,
        "Measure the noise of a layout: five other placements.",
    ),
    "signoff": Kind("eval.tasks.signoff.section", 90),
}


def _with_documents() -> dict[str, Kind]:
    """Put the documents' kinds after those that they follow."""
    found = dict(COMMON)
    for number in numbers():
        for name, said in written(number, "kinds").get("kinds", {}).items():
            kind = Kind(**said)
            entries = list(found.items())
            entries.insert(list(found).index(kind.after) + 1, (name, kind))
            found = dict(entries)
    return found


KINDS = _with_documents()


def section_of(kind: str) -> "Section":
    """Load what a kind of measurement shows in a report."""
    return import_module(KINDS[kind].module).SECTION


def classes_of(kind: str) -> "list[type[Task]]":
    """Load the classes whose tasks are of a kind."""
    import_module(KINDS[kind].module)
    from eval.tasks.task import Task

    found: list[type[Task]] = []
    waiting: list[Any] = [Task]
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        if getattr(one, "kind", None) == kind:
            found.append(one)
    return found


def result_class(kind: str) -> "type[Result]":
    """Load the results of a kind."""
    found: type[Result] = classes_of(kind)[0].Result
    return found


def task_class(kind: str) -> "type[DesignAtClock]":
    """Load the tasks of a kind that asks about designs at a clock."""
    return import_module(KINDS[kind].module).TASK
