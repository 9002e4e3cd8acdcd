"""Which designs are best: the Pareto fronts of a study, and who is within the noise of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from eval.catalog.workloads import WORKLOADS
from eval.study.results import PointResult, StudyResult
from eval.tasks.clocks import Curve
from eval.tasks.grid import Grid, grid, line, words
from eval.tasks.metrics import METRICS
from eval.tasks.noise import Bands, Noise, bands, said
from eval.tasks.section import measured


class Spot(NamedTuple):
    """Where a netlist stands, in two metrics."""

    across: float
    up: float


STILL = Spot(0.0, 0.0)  # the bands of what nothing moves


@dataclass(frozen=True)
class View:
    """A pair of metrics in which designs are compared, less of both is better: their names, {} the
    workload, and their titles on a chart; and which band of the noise moves each of them."""

    title: str
    across: str
    up: str
    across_title: str
    up_title: str
    across_band: str = ""
    up_band: str = ""

    @property
    def moved_across(self) -> bool:
        """Whether the workload moves a point across, too."""
        return "{}" in self.across

    def heading(self, workload: str) -> str:
        """Name the two metrics under a workload."""
        pair = (self.across.format(workload), self.up.format(workload))
        return " - ".join(METRICS[name].title for name in pair)

    def spots(self, found: StudyResult, p: PointResult, workload: str) -> list[Spot]:
        """Where the point is under a workload: once, if it has both metrics."""
        pair = (self.across.format(workload), self.up.format(workload))
        if not p.metrics.keys() >= {*pair}:
            return []
        return [Spot(*(p.metrics[name] for name in pair))]

    def bands(self, noise: Bands | None) -> Spot:
        """By which parts of them the noise moves the two metrics."""
        moved = noise._asdict() if noise else {}
        return Spot(moved.get(self.across_band) or 0.0, moved.get(self.up_band) or 0.0)


class CurveView(View):
    """Compares the netlists of each design at all the clocks of its curve, or that for the study's
    clock where it has none. A netlist works at every period from the one that it reaches on."""

    def spots(self, found: StudyResult, p: PointResult, workload: str) -> list[Spot]:
        """Where the netlists of the point are that no other of its own beats."""
        curve = found.results.get(Curve(p.point, found.study.clock_ns))
        cycles = p.metrics.get(f"xcel_cycles_{workload}")
        if not cycles or "period_reached_ns" not in p.metrics and not curve:
            return []
        if not curve:
            reached = p.metrics["period_reached_ns"]
            return [Spot(p.metrics["area_um2"], cycles * reached / 1000)]
        return front(Spot(r.area_um2, cycles * r.period_reached_ns / 1000) for r in curve.runs)


AREA, CYCLES = "accelerator area, um2", "cycles of one exponentiation"
TIME = "time of one exponentiation (cycles x {}), us"
ENERGY = "energy of one exponentiation, with glitches, nJ"
ASKED = TIME.format("the clock period asked for")
CYCLES_VIEW = View("Cycles and area", "area_um2", "xcel_cycles_{}", AREA, CYCLES, "area")
TIME_VIEW = View("Time and area at one clock", "area_um2", "time_{}_us", AREA, ASKED, "area")
CURVES_VIEW = CurveView(
    "Time and area, by curves",
    *("area_um2", "least_time_{}_us", AREA, TIME.format("period reached"), "area", "period"),
)
ENERGY_VIEW = View(
    "Time and energy at one clock",
    *("energy_glitches_{}_nj", "time_{}_us", ENERGY, ASKED, "energy"),
)


def views(found: StudyResult) -> tuple[View, ...]:
    """Choose the views of a study: by curves where it has them."""
    has_curves = any(measured(found.of(Curve)))
    return CYCLES_VIEW, CURVES_VIEW if has_curves else TIME_VIEW, ENERGY_VIEW


def noise_of(found: StudyResult) -> Bands | None:
    """Find the bands of the study's noise; None if it measured none."""
    return bands(measured(found.of(Noise)).values())


def front(spots: Iterable[Spot]) -> list[Spot]:
    """Find the spots than which no other is better in one metric and as good in the other."""
    best: list[Spot] = []
    for spot in sorted(spots):
        if not best or spot.up < best[-1].up:
            best.append(spot)
    return best


@dataclass(frozen=True)
class Front:
    """The designs for any RSA key that no other of these beats in both metrics; those that are no
    worse than one of them in both, as far as the noise lets tell; and the designs for some moduli
    that would be among either."""

    corners: list[Spot]
    best: tuple[PointResult, ...]
    near: tuple[PointResult, ...]
    apart: tuple[PointResult, ...]


def pareto(where: Mapping[PointResult, Sequence[Spot]], band: Spot = STILL) -> Front:
    """Find the front of points, each with its spots; in the order of `across`."""
    in_order = sorted((p for p in where if where[p]), key=lambda p: min(where[p]))
    for_any = [p for p in in_order if not p.point.entry.moduli.some]
    corners = front(spot for p in for_any for spot in where[p])

    def is_best(p: PointResult) -> bool:
        return any(spot in corners for spot in where[p])

    def is_near(p: PointResult) -> bool:
        return any(
            spot.across * (1 - band.across) <= corner.across
            and spot.up * (1 - band.up) <= corner.up
            for spot in where[p]
            for corner in corners
        )

    def is_beside(p: PointResult) -> bool:
        return is_near(p) or any(spot in front([*corners, spot]) for spot in where[p])

    best = tuple(p for p in for_any if is_best(p))
    near = tuple(p for p in for_any if is_near(p) and not is_best(p))
    return Front(
        corners, best, near, tuple(p for p in in_order if p not in for_any and is_beside(p))
    )


def fronts_grid(found: StudyResult, points: Sequence[PointResult]) -> Grid | None:
    """Show the fronts of points of one width; None if there is nothing to compare."""
    noise = noise_of(found)
    fronts = {
        view.heading(workload): pareto(
            {p: view.spots(found, p, workload) for p in points}, view.bands(noise)
        )
        for view in views(found)
        for workload in WORKLOADS
    }

    def names(some: Sequence[PointResult]) -> str | None:
        return ", ".join(found.name_of(p) for p in some) or None

    how = (
        f"{said(noise)}, the most that renaming nets moved them here"
        if noise
        else ("not measured in this study (modexplorer noise DESIGN)")
    )
    return grid(
        f"Pareto fronts at {points[0].point.nbits} bits, of designs for any RSA key",
        words(
            "front",
            "designs that no other beats in both",
            "within the noise of it",
            "beside it, for some moduli",
        ),
        (
            line(heading, names(front.best), names(front.near), names(front.apart))
            for heading, front in fronts.items()
            if len(front.best) + len(front.near) + len(front.apart) > 1
        ),
        f"From the least of the first to the least of the second. Noise: {how}. What is within it "
        "is no worse as far as this flow can tell. Cycles, and times at the clock asked for, have "
        "none. Least time: the lower envelope of all designs' curves.",
    )
