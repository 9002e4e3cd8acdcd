"""The space of designs as data: a place for every netlist and workload, on axes to choose.

A place is one netlist at its minimum clock period: its area, time and energy are those of one
circuit at one clock. Published accelerators have places of their own. The picture of the space
(picture.py), the sentences about it (headline.py) and the datasheets (cards.py) are made of these
places.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

from eval.catalog import find
from eval.catalog.processor import SYSTEM
from eval.catalog.workloads import WORKLOADS
from eval.chart.families import ESTIMATE, PRINTED
from eval.documents.accelerator import accelerators
from eval.report.noise_bands import NoiseBands, noise_bands_of
from eval.study.results import PointResult, StudyResult
from eval.table.units import engineering
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.marks import takes_some_moduli
from eval.tasks.rsa import Rsa
from eval.tasks.section import measured

Place = dict[str, Any]
WORKLOAD = list(WORKLOADS)[-1]  # that designs are compared by
ANY, SPECIAL = "any key", "special moduli"
ANYWHERE = ""  # the technology of what is shown beside each
PROCESSOR = "processor"  # the family of what is no accelerator by itself
OPERATIONS = {
    **{"e": "verification (e)", "d": "private operation (d)"},
    "crt": "private operation by p and q",
    "private": "private operation by CRT in hardware",
}


@dataclass(frozen=True)
class Axis:
    """A quantity that a place has, the product of others, {} the workload, and the bands of the
    noise that move it. Less is better."""

    name: str
    title: str
    unit: str
    parts: tuple[str, ...]
    bands: tuple[str, ...] = ()

    @property
    def is_by_workload(self) -> bool:
        """Whether it is of a workload."""
        return any("{}" in part for part in self.parts)

    def value(self, quantities: dict[str, float], workload: str) -> float | None:
        """Return the value of quantities under a workload; None if one was not measured."""
        product = 1.0
        for name in self.parts:
            part = quantities.get(name.format(workload))
            if part is None:
                return None
            product *= part
        return product

    def band(self, noise: NoiseBands, p: PointResult) -> float:
        """Return the part by which noise moves the value at a point; 0 where it is not known."""
        return sum(noise.of(p.point, name) for name in self.bands)

    def text(self, value: float) -> str:
        """Write a value with its unit."""
        return engineering(value, self.unit)


AREA, TIME, ENERGY = "area_um2", "least_time_{}_us", "energy_glitches_{}_nj"
TYPICAL_TIME = "typical_time_{}_us"
AXES = (
    Axis("area", "area", "um2", (AREA,), ("area",)),
    Axis("time", "time", "us", (TIME,), ("period",)),
    Axis("energy", "energy with glitches", "nJ", (ENERGY,), ("energy",)),
    Axis("cycles", "cycles", "", ("xcel_cycles_{}",)),
    Axis("typical-time", "time, typical corner", "us", (TYPICAL_TIME,), ("period",)),
    Axis("period", "clock period", "ns", ("period_ns",), ("period",)),
    Axis("area-time", "area x time", "um2 us", (AREA, TIME), ("area", "period")),
    Axis("energy-time", "energy x time", "nJ us", (ENERGY, TIME), ("energy", "period")),
)


def places(found: StudyResult) -> list[Place]:
    """List what is in the space: what it is called, what filters ask for, its value on each axis
    that has one, and by which part noise moves that."""
    several = found.techs if len(found.techs) > 1 else ()
    designs = [
        place | {"tech": tech}
        for tech in several or (found.study.tech,)
        for place in _designs(found.in_technology(tech), noise_bands_of(found))
    ]
    return [*designs, *_systems(found), *_printed(found), *_estimated(found)]


def _designs(found: StudyResult, noise: NoiseBands) -> Iterator[Place]:
    """Go through the netlists of every point under every workload that it was simulated with."""
    for p in found.points:
        design = p.point.entry
        for workload in p.cycles:
            cycles = {f"xcel_cycles_{workload}": p.cycles[workload]}
            about: Place = {
                "name": found.called(p),
                "family": design.family,
                "moduli": SPECIAL if design.moduli.some else ANY,
                "constant": "yes" if design.constant_time else "no",
                "title": design.title,
                "card": f"#{p.card}",
                "assumed": design.assumed,
                "compared": not (design.assumed or design.moduli.some),
            }
            make = partial(_place, p.point.design, p.point.nbits, workload, **about)
            netlists = found.netlists.get(p.point, [])
            for netlist in netlists:
                quantities = netlist.metrics | cycles | {"period_ns": netlist.period_ns}
                place = make(quantities=quantities)
                bands = {a.name: a.band(noise, p) for a in AXES if a.name in place["values"]}
                yield place | {"bands": bands}
            if not netlists:
                yield make(quantities=cycles | _assumed(p))


def _assumed(p: PointResult) -> dict[str, float]:
    """Return what is assumed of a point that is no hardware."""
    area, period = p.point.entry.assumed_area_um2, p.point.entry.assumed_period_ns
    if period is None:
        return {}
    times = {TIME.format(name): cycles * period / 1000 for name, cycles in p.cycles.items()}
    return times | {"period_ns": period} | ({} if area is None else {AREA: area})


def _systems(found: StudyResult) -> Iterator[Place]:
    """Go through the processor's ways to verify and to sign, with and without an accelerator."""
    for task, result in measured(found.of(Rsa)).items():
        if task.check != "none" or task.blinds:
            continue
        run = found.results.get(FlowRun(task.point, SYSTEM, found.study.clock_ns))
        period = run and run.metrics.get("period_ns")
        quantities = {f"xcel_cycles_{task.operation}": float(result.cycles)}
        if run and period:
            quantities |= {AREA: run.metrics["area_um2"], "period_ns": period}
            quantities[TIME.format(task.operation)] = result.cycles * period / 1000
        yield _place(
            *(task.point.design, task.nbits, task.operation),
            name=f"{task.design or 'software'} on the processor",
            family=PROCESSOR,
            moduli=SPECIAL if takes_some_moduli(task.point) else ANY,
            constant="yes" if task.constant_time else "no",
            title="processor with an accelerator" if task.design else "processor, in software",
            card="",
            quantities=quantities,
        )


def _printed(found: StudyResult) -> Iterator[Place]:
    """Go through what others print, at the widths that the study has."""
    widths = {p.point.nbits for p in found.points}
    for one in accelerators():
        if one.nbits not in widths:
            continue
        time = one.time_ms and one.time_ms * 1000
        if time is None and one.cycles and one.mhz:
            time = one.cycles / one.mhz
        period = one.mhz and 1000 / one.mhz
        printed = {f"xcel_cycles_{one.exponent}": one.cycles, TIME.format(one.exponent): time}
        quantities = {k: v for k, v in (printed | {"period_ns": period}).items() if v is not None}
        yield _place(
            *(one.by, one.nbits, one.exponent),
            name=one.by,
            family=PRINTED,
            moduli=ANY,
            constant="unknown",
            title=", ".join(filter(None, (one.on, one.takes, f"printed in {one.source}"))),
            card="",
            quantities=quantities,
        )


def _estimated(found: StudyResult) -> Iterator[Place]:
    """Go through what a search has looked at, but for what was measured."""
    there = {p.point.design for p in found.points if found.netlists.get(p.point)}
    for one in found.study.looked:
        if one.design in there:
            continue
        entry = find(one.design)
        yield _place(
            *(one.design, one.nbits, one.workload),
            name=one.design,
            family=ESTIMATE,
            moduli=SPECIAL if entry.moduli.some else ANY,
            constant="yes" if entry.constant_time else "no",
            title=f"{entry.title}; estimated, not measured",
            card="",
            quantities={AREA: one.area_um2, TIME.format(one.workload): one.time_us},
        )


def _place(
    design: str, nbits: int, workload: str, *, quantities: dict[str, float], **about: Any
) -> Place:
    values = {
        axis.name: float(f"{value:.6g}")
        for axis in AXES
        if (value := axis.value(quantities, workload)) is not None
    }
    whose = {"design": design, "bits": nbits, "workload": workload, "tech": ANYWHERE}
    return whose | {"assumed": False, "compared": False} | about | {"values": values, "bands": {}}


def ours(space: Iterable[Place]) -> list[Place]:
    """Keep the places of what was measured here."""
    return [place for place in space if place["family"] not in (PRINTED, ESTIMATE)]


def compared(found: StudyResult, nbits: int, space: Iterable[Place]) -> list[Place]:
    """Keep the netlists that claims and fronts are about: those of designs for any key at a width,
    in the study's technology, with the workload that designs are compared by."""
    asked = {"bits": nbits, "tech": found.study.tech, "workload": WORKLOAD, "compared": True}
    return [place for place in space if asked.items() <= place.items()]


def least_of(space: Sequence[Place], quantity: str) -> Place:
    """Choose the place with the least of a quantity; of several the least area x time, then time.
    A place without the quantity comes last."""
    names = (quantity, "area-time", "time", "area")
    return min(space, key=lambda place: [place["values"].get(name, inf) for name in names])


def summary(place: Place) -> str:
    """Write the time, area and energy of a place that are known, and the clock period that they are
    at."""
    values = place["values"]
    shown = (axis for axis in AXES if axis.name in ("time", "area", "energy"))
    texts = [a.text(values[a.name]) for a in sorted(shown, key=_first) if a.name in values]
    at = f" at {engineering(values['period'], 'ns')}" if "period" in values else ""
    return ", ".join(texts) + at


def _first(axis: Axis) -> bool:
    """Sort the time before the other quantities."""
    return axis.name != "time"


def axes_of(space: list[Place]) -> list[Axis]:
    """List the axes on which some place has a value."""
    return [axis for axis in AXES if any(axis.name in place["values"] for place in ours(space))]
