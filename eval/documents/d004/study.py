"""The studies of document 004, and what others show of it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eval.study.study import Study

if TYPE_CHECKING:
    from eval.documents.d004.table_1 import Table004
    from eval.study.plan import Plan
    from eval.tasks.task import Task

WIDTHS = (64, 128, 256, 512, 1024)
QUICK = WIDTHS[:4]
BOTH = ("mmm-004-printed", "ssmm-004")
ROUTED = (64, 128)


def table_1(widths: tuple[int, ...], others: tuple[int, ...] = ()) -> "list[Table004]":
    """Fill table 1, simulated at these widths; at `others` the designs of it that other studies
    leave to formulas."""
    from eval.documents.d004.table_1 import tasks_at

    return tasks_at(widths, others)


def whole(plan: "Plan") -> Iterable["Task"]:
    """Choose its table 1, and its elements up to 1024 bits, with clocks at the least two widths."""
    yield from table_1(WIDTHS, others=ROUTED)
    others = [*plan.points(["mmred-004-printed"], 64, 128), *plan.points(["mmm-004"], 128)]
    yield from plan.on_fpga("cyclonev", [*plan.points(BOTH, *WIDTHS), *others])
    yield from plan.on_fpga("ecp5", plan.points(BOTH, *ROUTED))
    yield from plan.designs(plan.points([*BOTH, "mmm-004"]))


def in_default(plan: "Plan") -> Iterable["Task"]:
    """Choose what the default study shows."""
    yield from table_1(QUICK)
    yield from plan.on_fpga("cyclonev", plan.points(BOTH, 64))


ENTRIES = (
    Study(
        "document-004",
        "document 004's table 1 and figures 6 and 7: algorithms 2, 4 and 6 as printed beside ours, "
        "up to 1024 bits",
        whole,
    ),
    Study(
        "table-004",
        "document 004's table 1, measured up to 512 bits",
        lambda plan: table_1(QUICK),
    ),
    Study(
        "table-004-long",
        "document 004's table 1, measured at all its widths, up to 2048 bits",
        lambda plan: table_1((*WIDTHS, 2048)),
    ),
)
ADDED = {"default": in_default, "full": lambda plan: table_1(QUICK)}
