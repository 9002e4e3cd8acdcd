"""What a report shows of composed curves."""

from collections.abc import Iterator, Mapping

from eval.catalog.point import Point
from eval.table import Row, Table, numbers, rows_of, words
from eval.tasks.columns import MARKED, NBITS
from eval.tasks.composed import Composed, ComposedResult
from eval.tasks.section import Section, tables

HOW = (
    "Composed: each netlist begins with that for the longer clock before it, and only modules that "
    "make it too slow are mapped again. Then its gates are sized."
)


def _points(rows: Mapping[Composed, ComposedResult | None]) -> Iterator[Row]:
    """List the netlists of each curve, clock by clock."""
    for row in rows_of(rows):
        for point in row.result.points:
            yield Row(row.task, point, met="yes" if point.met else "no")


def cost(point: Point, result: ComposedResult) -> str:
    """Tell what a curve took."""
    return (
        f"{point.design} of {point.nbits} bits: {result.modules} modules, {result.mappings} "
        f"mappings of one, {result.timings} timing runs"
    )


COMPOSED = Table(
    "Area for each clock period, composed of modules",
    MARKED
    + NBITS
    + numbers(3, {"sized\nfor, ns": "clock_ns"})
    + numbers(1, {"area,\num2": "area_um2"})
    + numbers(3, {"period,\nns": "period_ns"})
    + words({"met": "met"}),
    lambda rows: " ".join(
        [HOW, *(f"{cost(row.point, row.result)}; no flow run." for row in rows_of(rows))]
    ),
    rows=_points,
)

TASK = Composed
SECTION = Section(results=tables(COMPOSED))
