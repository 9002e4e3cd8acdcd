"""Which designs are best: the Pareto fronts of a study, and who is within the noise of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from eval.catalog.workloads import WORKLOADS
from eval.study.results import PointResult, StudyResult
from eval.tasks.grid import Grid, grid, line, words
from eval.tasks.metrics import METRICS
from eval.tasks.noise import Noise, area_band
from eval.tasks.section import measured

Spot = tuple[float, float]


@dataclass(frozen=True)
class View:
    """A pair of metrics in which designs are compared, less of both is better: their names, {} the
    workload, and their titles on a chart. Synthesis moves the area, and with it time and energy."""

    title: str
    across: str
    up: str
    across_title: str
    up_title: str

    @property
    def moved_across(self) -> bool:
        """Whether the workload moves a point across, too."""
        return "{}" in self.across

    def pair(self, workload: str) -> tuple[str, str]:
        """The two metrics under that workload."""
        return self.across.format(workload), self.up.format(workload)

    def spots(self, point: PointResult) -> dict[str, Spot]:
        """Where the point is, under each workload for which it has both metrics."""
        metrics, pairs = point.metrics, {w: self.pair(w) for w in WORKLOADS}
        return {
            w: (metrics[across], metrics[up])
            for w, (across, up) in pairs.items()
            if across in metrics and up in metrics
        }


AREA, TIME = "accelerator area, um2", "time of one exponentiation (cycles x shortest period), us"
ENERGY = "energy of one exponentiation, with glitches, nJ"
VIEWS = (
    View("Cycles and area", "area_um2", "xcel_cycles_{}", AREA, "cycles of one exponentiation"),
    View("Time and area", "area_um2", "time_{}_us", AREA, TIME),
    View("Time and energy", "energy_glitches_{}_nj", "time_{}_us", ENERGY, TIME),
)


def front(points: Sequence[Spot]) -> list[Spot]:
    """Find the points than which no other is better in one coordinate and as good in the other."""
    best: list[Spot] = []
    for point in sorted(points):
        if not best or point[1] < best[-1][1]:
            best.append(point)
    return best


@dataclass(frozen=True)
class Front:
    """The points that no other beats in both metrics, and those that would not be beaten if they
    were smaller by the noise."""

    across: str
    up: str
    best: tuple[PointResult, ...]
    near: tuple[PointResult, ...]


def pareto(points: Sequence[PointResult], across: str, up: str, band: float) -> Front:
    """Find the front of the points that have both metrics, in the order of `across`."""
    both = [p for p in points if across in p.metrics and up in p.metrics]
    spots = {id(p): (p.metrics[across], p.metrics[up]) for p in both}
    corners = front(list(spots.values()))
    best = [p for p in both if spots[id(p)] in corners]
    near = [
        p
        for p in both
        if p not in best
        and not any(x <= spots[id(p)][0] * (1 - band) and y <= spots[id(p)][1] for x, y in corners)
    ]

    def by_across(p: PointResult) -> float:
        return p.metrics[across]

    return Front(across, up, tuple(sorted(best, key=by_across)), tuple(sorted(near, key=by_across)))


def fronts_grid(found: StudyResult, points: Sequence[PointResult]) -> Grid | None:
    """Show the fronts of points of one width; None if there is nothing to compare."""
    noise = measured(found.of(Noise))
    band = area_band(noise.values()) if noise else 0.0
    fronts = [
        pareto(points, *view.pair(workload), band) for view in VIEWS for workload in WORKLOADS
    ]

    def names(some: Sequence[PointResult]) -> str:
        return ", ".join(found.study.label(p.point.design) for p in some)

    said = (
        f"{100 * band:.1f} %, the most that renaming nets moved an area here"
        if noise
        else "not measured in this study (modexplorer noise DESIGN)"
    )
    return grid(
        f"Pareto fronts at {points[0].point.nbits} bits",
        words("front", "designs that no other beats in both", "within the noise of it"),
        (
            line(
                f"{METRICS[front.across].title} - {METRICS[front.up].title}",
                *(names(front.best), names(front.near) or None),
            )
            for front in fronts
            if len(front.best) + len(front.near) > 1
        ),
        f"From the least of the first to the least of the second. Noise: {said}. What is "
        "within it is no worse as far as this flow can tell.",
    )
