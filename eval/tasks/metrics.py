"""Metrics: what is measured, in which unit, and which direction is better.

Tables, charts and the gate take titles, units and formats from here. The measured values of a
design point are a dict from a metric's name to its value; a value that was not measured is
absent, and the derived metrics (time) follow from those that are there.
"""

from collections.abc import Mapping
from dataclasses import dataclass

LOWER, HIGHER = "lower", "higher"


@dataclass(frozen=True)
class Metric:
    """One measured or derived quantity; digits are those after the decimal point."""

    name: str
    title: str
    unit: str
    better: str
    digits: int
    meaning: str

    @property
    def heading(self) -> str:
        """Title and unit, for an axis or a table."""
        return f"{self.title}, {self.unit}" if self.unit else self.title

    def format(self, value: float | None) -> str:
        """The value as the tables show it; a dash for what was not measured."""
        return "-" if value is None else f"{value:.{self.digits}f}"


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric(
            "cycles_e",
            "workload e",
            "cycles",
            LOWER,
            0,
            "exponentiator, request to response, workload e",
        ),
        Metric(
            "cycles_d",
            "workload d",
            "cycles",
            LOWER,
            0,
            "exponentiator, request to response, workload d",
        ),
        Metric(
            "xcel_cycles_e",
            "cycles e through the port",
            "cycles",
            LOWER,
            0,
            "accelerator, first operand word pushed to last result word popped, workload e",
        ),
        Metric(
            "xcel_cycles_d",
            "cycles d through the port",
            "cycles",
            LOWER,
            0,
            "accelerator, first operand word pushed to last result word popped, workload d",
        ),
        Metric(
            "system_cycles_e",
            "workload e on the processor",
            "cycles",
            LOWER,
            0,
            "processor's call of a function, less a call that returns a constant, workload e",
        ),
        Metric(
            "system_cycles_d",
            "workload d on the processor",
            "cycles",
            LOWER,
            0,
            "processor's call of a function, less a call that returns a constant, workload d",
        ),
        Metric("area_um2", "area", "um2", LOWER, 1, "cell area of the accelerator"),
        Metric(
            "multiplier_area_um2",
            "multiplier",
            "um2",
            LOWER,
            1,
            "cell area of one modular multiplier in it",
        ),
        Metric("cells", "cells", "", LOWER, 0, "standard cells of the accelerator"),
        Metric("setup_slack_ns", "slack", "ns", HIGHER, 3, "setup slack of the worst path"),
        Metric(
            "shortest_period_ns",
            "shortest period",
            "ns",
            LOWER,
            3,
            "clock period at which the worst path would just fit",
        ),
        Metric("power_idle_mw", "idle power", "mW", LOWER, 2, "accelerator left alone"),
        Metric("power_e_mw", "power e", "mW", LOWER, 2, "mean over workload e, without glitches"),
        Metric(
            "energy_e_nj",
            "energy e",
            "nJ",
            LOWER,
            2,
            "workload e through the port, less the same accesses without a go; without glitches",
        ),
        Metric(
            "energy_glitches_e_nj",
            "energy e with glitches",
            "nJ",
            LOWER,
            2,
            "the same with the glitches that simulation with delays shows",
        ),
        Metric(
            "toggle_factor_e",
            "toggles e",
            "",
            LOWER,
            2,
            "toggles with delays over toggles without, workload e",
        ),
        Metric("power_d_mw", "power d", "mW", LOWER, 2, "mean over workload d, without glitches"),
        Metric(
            "energy_d_nj",
            "energy d",
            "nJ",
            LOWER,
            2,
            "workload d through the port, less the same accesses without a go; without glitches",
        ),
        Metric(
            "energy_glitches_d_nj",
            "energy d with glitches",
            "nJ",
            LOWER,
            2,
            "the same with the glitches that simulation with delays shows",
        ),
        Metric(
            "toggle_factor_d",
            "toggles d",
            "",
            LOWER,
            2,
            "toggles with delays over toggles without, workload d",
        ),
        Metric("time_e_us", "time e", "us", LOWER, 3, "cycles through the port x shortest period"),
        Metric("time_d_us", "time d", "us", LOWER, 3, "cycles through the port x shortest period"),
    )
}

_TIMES = {"time_e_us": "xcel_cycles_e", "time_d_us": "xcel_cycles_d"}


def with_derived(values: Mapping[str, float]) -> dict[str, float]:
    """The values and those that follow from them: time = cycles x shortest period."""
    derived = dict(values)
    for time, cycles in _TIMES.items():
        if cycles in values and "shortest_period_ns" in values:
            derived[time] = values[cycles] * values["shortest_period_ns"] / 1000
    return derived
