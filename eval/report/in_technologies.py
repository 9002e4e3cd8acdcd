"""What a study found of designs in several technologies: the figures by which they are compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import exp, log
from statistics import fmean, stdev
from typing import NamedTuple

from eval.catalog.point import Point
from eval.report.noise_bands import NoiseBands, noise_bands_of
from eval.report.rank_order import Exchanged, exchanged
from eval.study.netlists import Netlist
from eval.study.results import PointResult, StudyResult, accelerator_run
from eval.tasks.clocks import Curve
from eval.tasks.flow_run.task import FlowResult
from flow.technologies.technology import Technology, technology

WORKLOAD = "d"
AREA, PERIOD, AREA_TIME, ENERGY = "area", "period", "area x time", "energy"
# The bands of noise that move each figure, and the power of lengths as which the textbook has it
# grow; energy is of a capacitance, which grows as lengths, and of the square of the voltage.
BANDS = {AREA: ("area",), PERIOD: ("period",), AREA_TIME: ("area", "period"), ENERGY: ("energy",)}
TEXTBOOK = {AREA: 2, PERIOD: 1, AREA_TIME: 3, ENERGY: 1}


@dataclass(frozen=True, eq=False)
class InTechnology:
    """A design in a technology: its netlists, the flow's result at the usual clock, and its curve,
    None for what was not measured."""

    p: PointResult
    tech: Technology
    netlists: Sequence[Netlist]
    run: FlowResult | None
    curve: Curve | None

    @property
    def smallest(self) -> Netlist:
        """The netlist of the least area."""
        return min(self.netlists, key=lambda one: (one.area_um2, one.period_ns))

    @property
    def fastest(self) -> Netlist:
        """The netlist of the shortest period."""
        return min(self.netlists, key=lambda one: (one.period_ns, one.area_um2))

    @property
    def densest(self) -> Netlist:
        """The netlist of the least area x period."""
        return min(self.netlists, key=lambda one: one.area_um2 * one.period_ns)

    @property
    def weighed(self) -> Netlist | None:
        """The netlist by which energy is told: that for the longest clock of those whose energy was
        measured."""
        return next((n for n in self.netlists if n.energy_nj(WORKLOAD) is not None), None)

    @cached_property
    def figures(self) -> dict[str, float]:
        """What technologies are compared by; periods of a curve only, which has the shortest."""
        found = {AREA: self.smallest.area_um2}
        if self.curve:
            found[PERIOD] = self.fastest.period_ns
            if (time := self.densest.time_us(WORKLOAD)) is not None:
                found[AREA_TIME] = self.densest.area_um2 * time
        if self.weighed:
            found[ENERGY] = self.weighed.energy_nj(WORKLOAD) or 0.0
        return found

    @property
    def registers(self) -> float | None:
        """The part of the area that is registers, of the netlist with hierarchy."""
        area = sum(row.area_um2 for row in self.run.modules) if self.run else 0.0
        if not (self.run and area):
            return None
        return sum(row.sequential_area_um2 for row in self.run.modules) / area

    @property
    def adders(self) -> float | None:
        """The part of the slowest path's delay that is in full adders."""
        path = self.run.critical_path if self.run else None
        adder = self.tech.cells.full_adder
        if path is None or not path.points or adder is None:
            return None
        delays = {point: point.delay_ns for point in path.points}
        family = _without_strength(adder.cell)
        of_adders = [d for point, d in delays.items() if _without_strength(point.cell) == family]
        return sum(of_adders) / sum(delays.values())


def _without_strength(cell: str) -> str:
    """Leave out what the name of a cell ends with: X1, _2."""
    return cell.rstrip("0123456789").removesuffix("_").removesuffix("X").removesuffix("_")


@dataclass(frozen=True, eq=False)
class ByTechnology:
    """The designs of a width that are in all of several technologies, and their noise."""

    nbits: int
    techs: dict[str, dict[Point, InTechnology]]
    founds: dict[str, StudyResult]
    noise: NoiseBands

    @property
    def points(self) -> list[Point]:
        """The designs, in the study's order."""
        return [*next(iter(self.techs.values()))]

    def compared(self) -> "list[Compared]":
        """Compare each two technologies by each figure that three designs have in both."""
        return [
            Compared(self, one, other, figure, points)
            for one, other in combinations(self.techs, 2)
            for figure in BANDS
            if len(points := self._with(figure, one, other)) > 2
        ]

    def _with(self, figure: str, *techs: str) -> list[Point]:
        return [p for p in self.points if all(figure in self.techs[t][p].figures for t in techs)]


class Scale(NamedTuple):
    """The geometric mean of ratios, and by which factor they are spread (a standard deviation)."""

    mean: float
    spread: float


@dataclass(frozen=True, eq=False)
class Compared:
    """Two technologies by a figure of some designs."""

    by: ByTechnology
    one: str
    other: str
    figure: str
    points: list[Point]

    def values(self, tech: str) -> list[float]:
        """The figure of each design in one of them."""
        return [self.by.techs[tech][point].figures[self.figure] for point in self.points]

    @property
    def pair(self) -> str:
        """Both technologies in words."""
        return f"{self.one} - {self.other}"

    @cached_property
    def ratios(self) -> list[float]:
        """By how much the figure of each design is larger in the second."""
        both = zip(self.values(self.one), self.values(self.other), strict=True)
        return [b / a for a, b in both]

    @property
    def scale(self) -> Scale:
        """By how much the figure is larger in the second, and how far designs differ in that."""
        logs = [log(ratio) for ratio in self.ratios]
        return Scale(exp(fmean(logs)), exp(stdev(logs)))

    @property
    def nodes(self) -> float:
        """By how much lengths are larger in the second."""
        return technology(self.other).node_nm / technology(self.one).node_nm

    @property
    def textbook(self) -> float:
        """The scale if delays and capacitances were in proportion to lengths."""
        volts = volt(technology(self.other)) / volt(technology(self.one))
        return self.nodes ** TEXTBOOK[self.figure] * (volts**2 if self.figure == ENERGY else 1)

    @property
    def powers(self) -> list[float]:
        """The power of lengths as which each design's figure grows; none for equal nodes."""
        return [log(ratio) / log(self.nodes) for ratio in self.ratios if self.nodes != 1]

    @property
    def typical_powers(self) -> list[float]:
        """The same of delays in the typical corners, which FO4s tell."""
        both = slowness(technology(self.other)) / slowness(technology(self.one))
        return [power + log(both) / log(self.nodes) for power in self.powers]

    @cached_property
    def exchanged(self) -> list[Exchanged]:
        """The pairs of designs that change places."""
        bands = [
            sum(self.by.noise.of(point, name) for name in BANDS[self.figure])
            for point in self.points
        ]
        return exchanged(self.values(self.one), self.values(self.other), bands)


def volt(tech: Technology) -> float:
    """Tell the voltage where power is told."""
    return tech.corners[tech.signoff.power].volt


def slowness(tech: Technology) -> float:
    """Tell how long a delay is where power is told, as part of that where setup is told."""
    return tech.corners[tech.signoff.power].pace / tech.corners[tech.signoff.setup].pace


def by_width(found: StudyResult) -> list[ByTechnology]:
    """Find the designs of each width that have netlists in each of the study's technologies; none
    of what is there in one only."""
    founds = {tech: found.in_technology(tech) for tech in found.techs}
    there = {tech: _there(one) for tech, one in founds.items()}
    noise, compared = noise_bands_of(found), []
    widths = dict.fromkeys(point.nbits for of in there.values() for point in of)
    for nbits in widths:
        mapped = {
            tech: {point: one for point, one in of.items() if point.nbits == nbits}
            for tech, of in there.items()
        }
        mapped = {tech: of for tech, of in mapped.items() if of}
        common = [
            p for p in next(iter(mapped.values()), {}) if all(p in m for m in mapped.values())
        ]
        if len(mapped) > 1 and common:
            techs = {tech: {point: of[point] for point in common} for tech, of in mapped.items()}
            compared.append(ByTechnology(nbits, techs, founds, noise))
    return compared


def _there(found: StudyResult) -> dict[Point, InTechnology]:
    """Find the points of a technology that have netlists."""
    curves = {t.point: t for t, r in found.of(Curve).items() if r and found.is_in_its_technology(t)}
    return {
        p.point: InTechnology(
            p,
            technology(found.study.tech),
            found.netlists[p.point],
            found.results.get(accelerator_run(found, p)),
            curves.get(p.point),
        )
        for p in found.points
        if p.point in found.netlists and not p.point.entry.assumed
    }
