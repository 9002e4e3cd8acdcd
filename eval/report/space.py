"""The space of designs as data: a place for every point and workload, on axes to choose.

The picture of it stands in eval/report/picture.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from eval.catalog.workloads import WORKLOADS
from eval.report.noise_bands import NoiseBands, noise_bands_of
from eval.study.results import PointResult, StudyResult
from eval.tasks.section import commonest

ANY, SPECIAL = "any key", "special moduli"


@dataclass(frozen=True)
class Axis:
    """A quantity that a place has: metrics, {} the workload, that it is the product of, and the
    bands of the noise that move them. Less is better."""

    name: str
    title: str
    unit: str
    metrics: tuple[str, ...]
    bands: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """Title and unit, for an axis."""
        return f"{self.title}, {self.unit}" if self.unit else self.title

    def value(self, p: PointResult, workload: str) -> float | None:
        """Return the value at a point under a workload; None if a part was not measured."""
        product = 1.0
        for metric in self.metrics:
            part = p.metrics.get(metric.format(workload))
            if part is None:
                return None
            product *= part
        return product

    def band(self, noise: NoiseBands, p: PointResult) -> float:
        """Return the part by which noise moves the value at a point; 0 where it is not known."""
        return sum(noise.of(p.point, name) for name in self.bands)


TIME, AREA, ENERGY = "time_{}_us", "area_um2", "energy_glitches_{}_nj"
AXES = (
    Axis("area", "area", "um2", (AREA,), ("area",)),
    Axis("time", "time at the clock asked for", "us", (TIME,)),
    Axis("cycles", "cycles", "", ("xcel_cycles_{}",)),
    Axis("energy", "energy with glitches", "nJ", (ENERGY,), ("energy",)),
    Axis("power", "power", "mW", ("power_{}_mw",), ("energy",)),
    Axis("idle", "idle power", "mW", ("power_idle_mw",), ("energy",)),
    Axis("period", "minimum period", "ns", ("period_reached_ns",)),
    Axis("shortest", "shortest period", "ns", ("shortest_period_ns",), ("period",)),
    Axis("fastest", "least time, at the shortest period", "us", ("least_time_{}_us",), ("period",)),
    Axis("area-time", "area x time", "um2 us", (AREA, TIME), ("area",)),
    Axis("energy-time", "energy x time", "nJ us", (ENERGY, TIME), ("energy",)),
)


def places(found: StudyResult) -> list[dict[str, Any]]:
    """List every point under every workload that it was simulated with: what it is called, what
    filters ask for, its value on each axis that has one, and by which part noise moves that."""
    noise = noise_bands_of(found)
    return [
        {
            "design": p.point.design,
            "name": found.name_of(p),
            "marks": p.marked().removeprefix(p.point.design),
            "bits": p.point.nbits,
            "workload": workload,
            "family": design.family,
            "moduli": SPECIAL if design.moduli.some else ANY,
            "constant": "yes" if design.constant_time else "no",
            "clock": "misses" if (p.get("setup_slack_ns") or 0) < 0 else "meets",
            "title": design.title,
            "card": f"#{p.card}",
            "values": values,
            "bands": {axis.name: axis.band(noise, p) for axis in AXES if axis.name in values},
        }
        for p in found.points
        for design in [p.point.entry]
        for workload in WORKLOADS
        if p.get(f"xcel_cycles_{workload}") is not None
        for values in [dict(_values(p, workload))]
    ]


def _values(p: PointResult, workload: str) -> Iterator[tuple[str, float]]:
    for axis in AXES:
        if (value := axis.value(p, workload)) is not None:
            yield axis.name, float(f"{value:.6g}")


def axes_of(space: list[dict[str, Any]]) -> list[Axis]:
    """List the axes on which some place has a value."""
    return [axis for axis in AXES if any(axis.name in place["values"] for place in space)]


def main_width(found: StudyResult) -> int:
    """Find the width at which most designs were measured; 0 if none was."""
    return commonest(p.point.nbits for p in found.points if p.metrics)
