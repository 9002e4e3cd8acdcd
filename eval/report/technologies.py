"""Does a ranking hold in another technology? Fronts side by side, areas in gates, periods in delays
of an inverter that drives four, the ranks' correlation, and by how much figures scale.

Each design is a curve in each technology: its netlists are those of its `clocks` rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import geometric_mean

from eval.catalog.point import Point
from eval.report.pareto import Spot, front
from eval.study.results import StudyResult
from eval.table import Row, Table, numbers, words
from eval.tasks.clocks import Curve, CurveResult, Run, product
from eval.tasks.section import Section, measured
from flow.technologies.technology import Technology, technology

WORKLOAD = "d"


@dataclass(frozen=True, eq=False)
class InTechnology:
    """A design's curve in a technology, and the cycles of a workload."""

    task: Curve
    result: CurveResult
    cycles: float

    @property
    def tech(self) -> Technology:
        """The technology."""
        return technology(self.task.tech)

    @property
    def smallest(self) -> Run:
        """The netlist of the least area."""
        return min(self.result.runs, key=lambda run: (run.area_um2, run.period_reached_ns))

    @property
    def fastest(self) -> Run:
        """The netlist of the shortest period."""
        return min(self.result.runs, key=lambda run: (run.period_reached_ns, run.area_um2))

    @property
    def best(self) -> Run:
        """The netlist of the least area x period."""
        return min(self.result.runs, key=product)

    def spots(self) -> list[Spot]:
        """Where its netlists are, by area and by the time of the workload in us."""
        return [
            Spot(run.area_um2, self.cycles * run.period_reached_ns / 1000)
            for run in self.result.runs
        ]

    @property
    def figures(self) -> dict[str, float]:
        """What technologies are compared by."""
        return {
            "area": self.smallest.area_um2,
            "period": self.fastest.period_reached_ns,
            "area x time": self.cycles * product(self.best),
        }


ByTechnology = dict[str, dict[Point, InTechnology]]


def in_technologies(found: StudyResult) -> ByTechnology:
    """Find the curves by technology, of the points that have one in each of several."""
    curves: ByTechnology = {}
    cycles = {p.point: p.cycles for p in found.points}
    for task, result in measured(found.of(Curve)).items():
        if WORKLOAD in cycles.get(task.point, {}):
            one = InTechnology(task, result, cycles[task.point][WORKLOAD])
            curves.setdefault(task.tech, {})[task.point] = one
    common = [
        point
        for point in next(iter(curves.values()), {})
        if all(point in of_tech for of_tech in curves.values())
    ]
    if len(curves) < 2 or not common:
        return {}
    return {tech: {point: by[point] for point in common} for tech, by in curves.items()}


def ranks(values: Sequence[float]) -> list[float]:
    """Rank values from 1 on; equal ones share the mean of their ranks."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) + 1) / 2 for value in values]


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Tell the correlation of ranks (Spearman's); None where all of one are equal."""
    first, second = ranks(one), ranks(other)
    mean = (len(first) + 1) / 2
    a, b = ([rank - mean for rank in found] for found in (first, second))
    norm = (sum(x * x for x in a) * sum(x * x for x in b)) ** 0.5
    return sum(x * y for x, y in zip(a, b, strict=True)) / norm if norm else None


def _designs(by: ByTechnology) -> Iterator[Row]:
    """Go through the designs, each in all technologies; `*` marks those on a technology's front."""
    on_front = {tech: _on_front(by[tech]) for tech in by}
    for point in next(iter(by.values()), {}):
        for tech, curves in by.items():
            one = curves[point]
            said, small, fast = one.tech, one.smallest, one.fastest
            yield Row(
                one.task,
                one.result,
                name=f"{point}{' *' * (point in on_front[tech])}",
                tech=tech,
                small_um2=small.area_um2,
                gates=small.area_um2 / said.gate_um2,
                period_ns=fast.period_reached_ns,
                in_fo4=fast.period_reached_ns / said.fo4_ns,
                fast_gates=fast.area_um2 / said.gate_um2,
                time_us=one.cycles * fast.period_reached_ns / 1000,
            )


def _on_front(curves: dict[Point, InTechnology]) -> list[Point]:
    """List the points of which a netlist stands on the front of a technology, by their areas."""
    spots = {spot: point for point, one in curves.items() for spot in one.spots()}
    return list(dict.fromkeys(spots[spot] for spot in front(spots)))


def _fronts(by: ByTechnology) -> Iterator[Row]:
    for tech, curves in by.items():
        names = ", ".join(str(point) for point in _on_front(curves))
        yield Row(None, None, tech=tech, front=names, metrics={})


def _pairs(by: ByTechnology) -> Iterator[Row]:
    """Compare each two technologies by each figure: ranks, places changed, and the scale."""
    for one, other in combinations(by, 2):
        points = [*by[one]]
        for figure in ("area", "period", "area x time"):
            values = [
                [by[tech][point].figures[figure] for point in points] for tech in (one, other)
            ]
            ratios = [b / a for a, b in zip(*values, strict=True)]
            yield Row(
                None,
                None,
                metrics={},
                pair=f"{one} - {other}",
                figure=figure,
                correlation=correlation(*values),
                changed=", ".join(_changed(points, *values)) or "none",
                mean=geometric_mean(ratios),
                least=min(ratios),
                most=max(ratios),
                textbook=_textbook(technology(one), technology(other), figure),
            )


def _changed(points: list[Point], one: list[float], other: list[float]) -> list[str]:
    """Name the pairs of designs that change places."""
    return [
        f"{points[i]} and {points[j]}"
        for i, j in combinations(range(len(points)), 2)
        if (one[i] - one[j]) * (other[i] - other[j]) < 0
    ]


def _textbook(one: Technology, other: Technology, figure: str) -> float:
    """Tell by how much a figure grows if lengths, and delays with them, grow as the nodes do."""
    ratio = other.node_nm / one.node_nm
    return {"area": ratio**2, "period": ratio, "area x time": ratio**3}[figure]


DESIGNS = Table(
    "Designs in several technologies",
    words({"design": "name", "technology": "tech"})
    + numbers(0, {"least\narea\num2": "small_um2", "\n\ngates": "gates"})
    + numbers(3, {"shortest\nperiod\nns": "period_ns"})
    + numbers(1, {"\n\nFO4": "in_fo4"})
    + numbers(0, {"its\narea,\ngates": "fast_gates"})
    + numbers(2, {"time of\nd, us": "time_us"}),
    "Gates: by the area of the library's smallest NAND. FO4: the delay of an inverter that drives "
    "four like it, in the corner where setup is told. *: on the front of its technology, by area "
    "and the time of workload d.",
    rows=_designs,
)
FRONTS = Table(
    "Fronts in several technologies",
    words({"technology": "tech", "designs on the front, from small to fast": "front"}),
    rows=_fronts,
)
PAIRS = Table(
    "Do rankings hold",
    words({"technologies": "pair", "by": "figure"})
    + numbers(3, {"rank\ncorre-\nlation": "correlation"})
    + numbers(2, {"scale,\nmean": "mean", "\nleast": "least", "\nmost": "most"})
    + numbers(2, {"text-\nbook": "textbook"})
    + words({"change places": "changed"}),
    "Area: of the smallest netlist; period: the shortest; area x time: the least, workload d. Rank "
    "correlation: Spearman's, 1 where the order is the same. Scale: the second technology's figure "
    "over the first's, the geometric mean of the designs. Textbook: as the nodes' lengths.",
    rows=_pairs,
)


def _shown(found: StudyResult) -> list:
    by = in_technologies(found)
    return [table.of(by) for table in (FRONTS, PAIRS, DESIGNS)] if by else []


SECTION = Section(results=_shown)
