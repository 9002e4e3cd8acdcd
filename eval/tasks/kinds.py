"""The kinds of measurement, a line for each: the module that shows its rows has its Section as
SECTION; what computes them is in other modules, which import none that shows."""

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from eval.tasks.at_clock import DesignAtClock
    from eval.tasks.section import Section


class Kind(NamedTuple):
    """Where a kind is, and how long a row of it takes, about, of 32 bits. One that asks about
    designs at a clock has help: `modexplorer KIND DESIGN --nbits N --clock NS` measures it, by the
    DesignAtClock that is the module's TASK."""

    module: str
    seconds: float
    help: str = ""


# In the order of the report.
KINDS = {
    "simulate": Kind("eval.tasks.simulation_section", 1),
    "timing": Kind("eval.tasks.timing_section", 10),
    "leakage": Kind("eval.tasks.leakage.section", 30),
    "run": Kind("eval.tasks.execution_section", 2),
    "rsa": Kind("eval.tasks.rsa_section", 5),
    "flow": Kind("eval.tasks.flow_run.section", 15),
    "table-004": Kind("eval.tasks.table_004_section", 1),
    "clocks": Kind(
        "eval.tasks.clocks_section",
        25,
        "Find a design's shortest clock period, and its area at longer ones.",
    ),
    "noise": Kind(
        "eval.tasks.noise_section", 45, "Measure the noise of a design's area and slack."
    ),
    "crosscheck": Kind(
        "eval.tasks.crosscheck.section",
        15,
        "Find a design's area, period and power a second time, by other means.",
    ),
    "fpga": Kind("eval.tasks.fpga.section", 10),
    "layout": Kind("eval.tasks.layout.section", 60),
    "fixed-multiplier": Kind("eval.tasks.fixed_multiplier.section", 5),
    "fixed-reduction": Kind("eval.tasks.fixed_multiplier.reductions", 3),
}


def section_of(kind: str) -> "Section":
    """Load what a kind of measurement shows in a report."""
    return import_module(KINDS[kind].module).SECTION


def task_class(kind: str) -> "type[DesignAtClock]":
    """Load the tasks of a kind that asks about designs at a clock."""
    return import_module(KINDS[kind].module).TASK
