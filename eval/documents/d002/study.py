"""The studies of document 002."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eval.study.study import POWER, Study

if TYPE_CHECKING:
    from eval.study.plan import Plan
    from eval.tasks.task import Task

ARRAYS = (
    *("systolic-16", "systolic-late-16", "systolic-scaled-16", "systolic-twin-16"),
    *("mont-digit-16", "mont-best"),
)


def whole(plan: "Plan") -> Iterable["Task"]:
    """Choose its array, as printed and for all moduli, at the widths that it prints."""
    for design in ("systolic-printed", "systolic-16"):
        yield from plan.simulations(plan.points([design], 512, 1024), ["d"])
    yield from plan.designs(plan.points(["systolic-16"], 32, 64), POWER)
    yield from plan.on_printed_fpgas(1024, "artix7")


def systolic(plan: "Plan") -> Iterable["Task"]:
    """Choose document 002's array at its widths; through the flow, it and its variants at shorter
    ones, and itself at 1024 bits."""
    yield from plan.designs(plan.points(["systolic-16"], 1024), POWER)
    for design in ("systolic-printed", "systolic-16", "systolic-given"):
        yield from plan.simulations(plan.points([design], 512, 1024, 2048))
    yield from plan.designs(plan.points(ARRAYS, 32), POWER)
    yield from plan.designs(plan.points(["systolic-16"], 64, 128, 256), POWER)
    yield from plan.designs(plan.points(["mont-digit-16"], 64, 128), POWER)
    yield from plan.each("clocks", plan.points(ARRAYS))
    yield from plan.on_printed_fpgas(2048, "artix7")
    yield from plan.on_fpga("ecp5", plan.points(["systolic-16"]))


ENTRIES = (
    Study(
        "document-002",
        "document 002's tables: the systolic array at 512 and 1024 bits beside what it prints",
        whole,
    ),
    Study(
        "systolic",
        "document 002's array at 512 to 2048 bits beside what it prints, through the flow at 32 to "
        "1024 bits, and its variants at 32",
        systolic,
    ),
)
