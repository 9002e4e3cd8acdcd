"""The kinds of measurement, a line for each: its module has its Section as SECTION."""

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from eval.tasks.at_clock import DesignAtClock
    from eval.tasks.section import Section


class Kind(NamedTuple):
    """Where a kind is. One that asks about designs at a clock has help: `modexplorer KIND DESIGN
    --nbits N --clock NS` measures it, by the DesignAtClock that is the module's TASK."""

    module: str
    help: str = ""


# In the order of the report.
KINDS = {
    "simulate": Kind("eval.tasks.simulation"),
    "run": Kind("eval.tasks.execution"),
    "rsa": Kind("eval.tasks.rsa"),
    "flow": Kind("eval.tasks.flow_run.section"),
    "table-004": Kind("eval.tasks.table_004"),
    "clocks": Kind(
        "eval.tasks.clocks", "Find a design's shortest clock period, and its area at longer ones."
    ),
    "noise": Kind("eval.tasks.noise", "Measure the noise of a design's area and slack."),
    "fpga": Kind("eval.tasks.fpga.section"),
    "layout": Kind("eval.tasks.layout.section"),
    "fixed-multiplier": Kind("eval.tasks.fixed_multiplier.section"),
}


def section_of(kind: str) -> "Section":
    """Load what a kind of measurement shows in a report."""
    return import_module(KINDS[kind].module).SECTION


def task_class(kind: str) -> "type[DesignAtClock]":
    """Load the tasks of a kind that asks about designs at a clock."""
    return import_module(KINDS[kind].module).TASK
