"""Metrics: what is measured, in which unit, and under which title tables and charts show it.

The measured values of a design point are a dict from a metric's name to its value; a value that
was not measured is absent, and the derived metrics (time) follow from those that are there.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from eval.catalog.workloads import WORKLOADS
from eval.table.column import Column


@dataclass(frozen=True)
class Metric:
    """One measured or derived quantity; digits are those after the decimal point."""

    name: str
    title: str
    unit: str
    digits: int

    @property
    def heading(self) -> str:
        """Title and unit, for an axis or a table."""
        return f"{self.title}, {self.unit}" if self.unit else self.title

    @property
    def column(self) -> Column:
        """The column of a table whose rows have it."""
        return Column(f"{self.title}\n{self.unit}", self.digits, f"metrics.{self.name}")

    def format(self, value: float | None) -> str:
        """Write a value as the tables show it; a dash for what was not measured."""
        return "-" if value is None else f"{value:.{self.digits}f}"


# Of an accelerator: its cells, one modular multiplier in it, and its critical path.
_WHOLE = (
    ("area_um2", "area", "um2", 1),
    ("multiplier_area_um2", "multiplier", "um2", 1),
    ("cells", "cells", "", 0),
    ("setup_slack_ns", "slack", "ns", 3),
    ("period_ns", "minimum period", "ns", 3),
    ("period_typical_ns", "minimum period, typical corner", "ns", 3),
    # Of the search over clocks: the shortest period, and the area of the netlist that has it.
    ("shortest_period_ns", "shortest period", "ns", 3),
    ("fastest_area_um2", "area at shortest period", "um2", 1),
    ("power_idle_mw", "idle power", "mW", 2),
)
# Under a workload, {}.
_BY_WORKLOAD = (
    # The exponentiator, from request to response.
    ("cycles_{}", "workload {}", "cycles", 0),
    # The accelerator, from the first operand word pushed to the last result word popped.
    ("xcel_cycles_{}", "cycles {} through the port", "cycles", 0),
    # A call on the processor, less a call that returns a constant.
    ("system_cycles_{}", "workload {} on the processor", "cycles", 0),
    ("power_{}_mw", "power {}", "mW", 2),
    # Through the port, less the same accesses without a go.
    ("energy_{}_nj", "energy {}", "nJ", 2),
    # The same with the glitches that simulation with delays shows.
    ("energy_glitches_{}_nj", "energy {} with glitches", "nJ", 2),
    # How far off that may be where pieces of a long operation stand for it: twice the standard
    # error.
    ("energy_error_{}_nj", "error of energy {}", "nJ", 2),
    # Toggles with delays over toggles without.
    ("toggle_factor_{}", "toggles {}", "", 2),
    # Cycles through the port x the clock period asked for, or that reached where it is missed.
    ("time_{}_us", "time {}", "us", 3),
    # Cycles through the port x shortest period.
    ("least_time_{}_us", "least time {}", "us", 3),
    ("typical_time_{}_us", "least time {}, typical corner", "us", 3),
)
METRICS: dict[str, Metric] = {
    name.format(workload): Metric(name.format(workload), title.format(workload), unit, digits)
    for workload in WORKLOADS
    for name, title, unit, digits in (*_WHOLE, *_BY_WORKLOAD)
}


def with_derived(values: Mapping[str, float], clock_ns: float) -> dict[str, float]:
    """Add the values that follow from others: the times of the workloads, at the clock asked for
    and at the shortest period."""
    derived = dict(values)
    for workload in WORKLOADS:
        cycles = values.get(f"xcel_cycles_{workload}")
        if cycles is None:
            continue
        if "period_ns" in values:
            period = max(clock_ns, values["period_ns"])
            derived[f"time_{workload}_us"] = cycles * period / 1000
        if "shortest_period_ns" in values:
            derived[f"least_time_{workload}_us"] = cycles * values["shortest_period_ns"] / 1000
    return derived
