"""AddRed in the two orders of document 001's figure 8: the same unit, mapped in either."""

from collections.abc import Iterator, Mapping

from eval.catalog.point import Point
from eval.documents.d001 import figures
from eval.documents.tables import table
from eval.table import Row, rows_of
from eval.tasks.flow_run.task import FlowResult, FlowRun
from eval.tasks.unit import MULTIPLIER

# Figure and order: a design of units of 8 steps per cycle, as many as in a stage of MontMulRem.
ORDERS = {
    "8a: first add, then reduce": "mont(unit=add-then-reduce)",
    "8b: multiples added before": "mont-best",
}
FASTEST_NS = 1.0  # a clock that none of them meets: asked for it, they are as fast as they become


def orders() -> list[FlowRun]:
    """Map the unit in both orders, as fast as it becomes."""
    points = (Point(design, figures.NBITS) for design in ORDERS.values())
    return [FlowRun(point, MULTIPLIER, FASTEST_NS) for point in points]


def _orders(rows: Mapping[FlowRun, FlowResult | None]) -> Iterator[Row]:
    """Go through the orders, if the unit was mapped in both for such a clock."""
    found = {
        row.point.design: row
        for row in rows_of(rows)
        if row.task.unit == MULTIPLIER and row.task.clock_ns == FASTEST_NS
    }
    if found.keys() >= set(ORDERS.values()):
        for order, design in ORDERS.items():
            yield Row(found[design].task, found[design].result, order=order)


AS_ORDERED = table("001", "AS_ORDERED", {"clock": FASTEST_NS}, rows=_orders)
