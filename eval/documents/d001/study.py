"""The study of document 001: what reproduces it, from nothing in half an hour on two cores."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eval.study.study import POWER, Study

if TYPE_CHECKING:
    from eval.study.plan import Plan
    from eval.tasks.task import Task

ACCELERATORS = ("mul-rem-001", "mul-rem", "mont-001")


def orders() -> "Iterable[Task]":
    """Map a unit in both orders of figure 8, as fast as it becomes."""
    from eval.catalog.point import Point
    from eval.documents.d001.add_red import FASTEST_NS, ORDERS
    from eval.documents.d001.figures import NBITS
    from eval.tasks.flow_run.task import FlowRun
    from eval.tasks.unit import MULTIPLIER

    return [FlowRun(Point(d, NBITS), MULTIPLIER, FASTEST_NS) for d in ORDERS.values()]


def whole(plan: "Plan") -> Iterable["Task"]:
    """Choose its accelerators and systems, as printed and ours, and a layout of the naive one."""
    yield from plan.designs(plan.points(ACCELERATORS), POWER)
    yield from plan.systems(as_printed=True)
    yield from plan.processors(plan.with_accelerators(ACCELERATORS), to=POWER)
    yield from orders()
    yield from plan.designs(plan.points(["mont-001-1x32", "mont-001-2x16", "mont-001-8x4"]))
    yield from plan.layouts(plan.points(["mul-rem"]))


ENTRIES = (
    Study(
        "document-001",
        "document 001's tables and figures: accelerators and systems as printed beside ours, "
        "orders and stages of AddRed, a layout, 3 ns",
        whole,
    ),
)
