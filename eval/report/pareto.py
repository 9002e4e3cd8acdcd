"""Which designs are best: the Pareto fronts of a study, and how sure they are within the noise."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from eval.catalog.workloads import WORKLOADS
from eval.report.noise_bands import NoiseBands, noise_bands_of
from eval.study.netlists import Netlist
from eval.study.results import PointResult, StudyResult
from eval.table import Grid, Table, words
from eval.tasks.clocks import Curve
from eval.tasks.metrics import METRICS
from eval.tasks.noise_section import said
from eval.tasks.section import measured


class Spot(NamedTuple):
    """Where a netlist stands, in two metrics."""

    across: float
    up: float

    def at(self, band: "Spot", side: int) -> "Spot":
        """Move it by a band: to the better end, -1, or to the worse, 1."""
        return Spot(self.across * (1 + side * band.across), self.up * (1 + side * band.up))

    def beats(self, other: "Spot") -> bool:
        """Whether it is better in one metric, and no worse in the other."""
        return self != other and self.across <= other.across and self.up <= other.up


LEAST_BITS = 512  # of a key in use
VERIFY, SIGN = "e", "d"
UNCERTAIN = "~"  # before a name
STILL = Spot(0.0, 0.0)  # the bands of what nothing moves
BETTER, WORSE = -1, 1


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

    def band(self, noise: NoiseBands, p: PointResult) -> Spot:
        """By which parts of them noise moves the two metrics of a point."""
        names = (self.across_band, self.up_band)
        return Spot(*(noise.of(p.point, name) if name else 0.0 for name in names))


class NetlistView(View):
    """Compares all netlists of each design, each at the shortest period at which it works."""

    def spots(self, found: StudyResult, p: PointResult, workload: str) -> list[Spot]:
        """Where the netlists of the point are that no other of its own beats."""
        return front(self.netlists(found, p, workload))

    def netlists(self, found: StudyResult, p: PointResult, workload: str) -> dict[Spot, Netlist]:
        """Find the netlists of the point that have both metrics, by where they are."""
        by_spot: dict[Spot, Netlist] = {}
        for netlist in found.netlists.get(p.point, ()):
            values = netlist.metrics
            pair = (self.across.format(workload), self.up.format(workload))
            if values.keys() >= {*pair}:
                by_spot.setdefault(Spot(*(values[name] for name in pair)), netlist)
        return by_spot


AREA, CYCLES = "accelerator area, um2", "cycles of one exponentiation"
TIME = "time of one exponentiation (cycles x {}), us"
ENERGY = "energy of one exponentiation, with glitches, nJ"
ASKED = TIME.format("the clock period asked for")
CYCLES_VIEW = View("Cycles and area", "area_um2", "xcel_cycles_{}", AREA, CYCLES, "area")
TIME_VIEW = View("Time and area at one clock", "area_um2", "time_{}_us", AREA, ASKED, "area")
LEAST = TIME.format("minimum period")
CURVES_VIEW = NetlistView(
    "Time and area, by curves",
    *("area_um2", "least_time_{}_us", AREA, LEAST, "area", "period"),
)
TYPICAL_VIEW = NetlistView(
    "Time and area, by curves, typical corner",
    *("area_um2", "typical_time_{}_us", AREA, f"{LEAST}, typical corner", "area", "period"),
)
ENERGY_CURVES_VIEW = NetlistView(
    "Time and energy, by curves",
    *("energy_glitches_{}_nj", "least_time_{}_us", ENERGY, LEAST, "energy", "period"),
)
ENERGY_VIEW = View(
    "Time and energy at one clock",
    *("energy_glitches_{}_nj", "time_{}_us", ENERGY, ASKED, "energy"),
)


def views(found: StudyResult) -> tuple[View, ...]:
    """Choose the views of a study: by curves where it has them; in the typical corner, too, where
    setup is told in another."""
    has_curves = bool(measured(found.of(Curve)))
    typical = (TYPICAL_VIEW,) if has_curves and has_typical(found) else ()
    return CYCLES_VIEW, CURVES_VIEW if has_curves else TIME_VIEW, *typical, ENERGY_VIEW


def has_typical(found: StudyResult) -> bool:
    """Whether netlists have a period in the typical corner beside that where setup is told."""
    netlists = (one for several in found.netlists.values() for one in several)
    return any(one.figures.period_typical_ns for one in netlists)


def front(spots: Iterable[Spot]) -> list[Spot]:
    """Find the spots than which no other is better in one metric and as good in the other."""
    best: list[Spot] = []
    for spot in sorted(spots):
        if not best or spot.up < best[-1].up:
            best.append(spot)
    return best


@dataclass(frozen=True)
class Front:
    """The designs for any RSA key that no other of these beats in both metrics, those of them that
    one would beat if noise were against them, and those that none would beat if it were for them;
    and designs for some moduli that none beats, or none would."""

    corners: list[Spot]
    best: tuple[PointResult, ...]
    uncertain: tuple[PointResult, ...]
    maybe: tuple[PointResult, ...]
    apart: tuple[PointResult, ...]


def pareto(
    where: Mapping[PointResult, Sequence[Spot]], band: Mapping[PointResult, Spot] | None = None
) -> Front:
    """Find the front of points, each with its spots and the band of noise around them; in the order
    of `across`. Nothing that is only assumed is on it."""
    real = (p for p in where if where[p] and not p.point.entry.assumed)
    in_order = sorted(real, key=lambda p: min(where[p]))
    for_any = [p for p in in_order if not p.point.entry.moduli.some]
    corners = front(spot for p in for_any for spot in where[p])

    moved = {
        side: {p: [s.at(band[p] if band else STILL, side) for s in where[p]] for p in in_order}
        for side in (BETTER, WORSE)
    }

    def stands(p: PointResult, side: int) -> bool:
        """Whether nothing beats a netlist of a point with noise on this side, the others' on the
        opposite one."""
        others = [other for q in for_any if q is not p for other in moved[-side][q]]
        return any(not any(o.beats(spot) for o in others) for spot in moved[side][p])

    best = tuple(p for p in for_any if any(spot in corners for spot in where[p]))
    return Front(
        corners,
        best,
        uncertain=tuple(p for p in best if not stands(p, WORSE)),
        maybe=tuple(p for p in for_any if p not in best and stands(p, BETTER)),
        apart=tuple(p for p in in_order if p not in for_any and stands(p, BETTER)),
    )


def fronts_of(found: StudyResult, points: Sequence[PointResult]) -> dict[str, Front]:
    """Find the fronts of points of one width, by heading."""
    noise = noise_bands_of(found)
    return {
        view.heading(workload): pareto(
            {p: view.spots(found, p, workload) for p in points},
            {p: view.band(noise, p) for p in points},
        )
        for view in views(found)
        for workload in WORKLOADS
    }


def key_widths(found: StudyResult) -> list[int]:
    """List the widths of keys in use at which the time of a signature is known of two designs."""
    signing = Counter(
        point.nbits
        for point, [netlist, *_] in found.netlists.items()
        if point.nbits >= LEAST_BITS and SIGN in netlist.cycles
    )
    return sorted(nbits for nbits, count in signing.items() if count > 1)


def compared_widths(found: StudyResult) -> list[int]:
    """Find the widths at which the study has several designs, which are compared at one clock; at
    those of keys in use each has its own."""
    counts = Counter(p.point.nbits for p in found.points)
    keys = key_widths(found)
    return [nbits for nbits, count in counts.items() if count > 1 and nbits not in keys]


def on_fronts(found: StudyResult) -> list[PointResult]:
    """List the points on a front of any width at which there are several."""
    best = {
        p
        for nbits in compared_widths(found)
        for front in fronts_of(found, [p for p in found.points if p.point.nbits == nbits]).values()
        for p in front.best
    }
    return [p for p in found.points if p in best]


def fronts_grid(found: StudyResult, points: Sequence[PointResult]) -> Grid | None:
    """Show the fronts of points of one width; None if there is nothing to compare."""
    noise = noise_bands_of(found)

    def names(some: str, row: tuple[str, Front]) -> str | None:
        front = row[1]
        uncertain = front.uncertain if some == "best" else ()
        named = (UNCERTAIN * (p in uncertain) + found.name_of(p) for p in getattr(front, some))
        return ", ".join(named) or None

    return Table(
        f"Pareto fronts at {points[0].point.nbits} bits, of designs for any RSA key",
        words({"front": 0})
        + words({"designs that no other beats in both": partial(names, "best")})
        + words({"maybe on it, within the noise": partial(names, "maybe")})
        + words({"beside it, for some moduli": partial(names, "apart")}),
        "From the least of the first to the least of the second. ~ membership of the front is "
        "uncertain within the noise. Noise: each design's own where it was "
        f"measured, else {said(noise.most)}, {noise.whose}. Cycles, and times at the clock asked "
        "for, have none. Least time: of all netlists, each at its minimum clock period; the other "
        f"quantities are of the netlists for a target clock period of {found.study.clock_ns:g} ns.",
    ).of(
        (heading, front)
        for heading, front in fronts_of(found, points).items()
        if len(front.best) + len(front.maybe) + len(front.apart) > 1
    )
