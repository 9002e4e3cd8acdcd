"""The studies of documents: what reproduces each, from nothing in half an hour on two cores."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eval.study.study import POWER, Study

if TYPE_CHECKING:
    from eval.study.plan import Plan
    from eval.tasks.task import Task

ACCELERATORS_001 = ("mul-rem-001", "mul-rem", "mont-001")
WIDTHS_004 = (64, 128, 256, 512, 1024)
BOTH_004 = ("mmm-004-printed", "ssmm-004")
ROUTED_004 = (64, 128)
WORDS_003 = (32, 64, 128, 256)


def document_001(plan: "Plan") -> Iterable["Task"]:
    """Choose its accelerators and systems, as printed and ours, and a layout of the naive one."""
    yield from plan.designs(plan.points(ACCELERATORS_001), POWER)
    yield from plan.systems(as_printed=True)
    yield from plan.processors(plan.with_accelerators(ACCELERATORS_001), to=POWER)
    yield from plan.add_red_orders()
    yield from plan.designs(plan.points(["mont-001-1x32", "mont-001-2x16", "mont-001-8x4"]))
    yield from plan.layouts(plan.points(["mul-rem"]))


def document_002(plan: "Plan") -> Iterable["Task"]:
    """Choose its array, as printed and for all moduli, at the widths that it prints."""
    for design in ("systolic-printed", "systolic-16"):
        yield from plan.simulations(plan.points([design], 512, 1024), ["d"])
    yield from plan.designs(plan.points(["systolic-16"], 32, 64), POWER)
    yield from (task for task in plan.on_printed_fpgas(1024) if task.device == "artix7")


def document_003(plan: "Plan") -> Iterable["Task"]:
    """Choose its processor at its width in all its words, and with and without the Z-processor."""
    wide = [f"serial-pz-{bits}" for bits in WORDS_003]
    yield from plan.simulations(plan.points([*wide, "serial-p-32"], 1024), ["e"])
    yield from plan.designs(plan.points(["serial-pz-32"], 1024))
    yield from plan.designs(plan.points(["serial-pz-8", "serial-p-8", "mont-small"]), POWER)
    yield from (task for task in plan.on_printed_fpgas(1024) if task.device == "virtexe")


def document_004(plan: "Plan") -> Iterable["Task"]:
    """Choose its table 1, and its elements up to 1024 bits, with clocks at the least two widths."""
    yield from plan.table_004(WIDTHS_004, others=ROUTED_004)
    at_all = plan.points(BOTH_004, *WIDTHS_004)
    others = [*plan.points(["mmred-004-printed"], 64, 128), *plan.points(["mmm-004"], 128)]
    yield from plan.on_fpga("cyclonev", [*at_all, *others])
    yield from plan.on_fpga("ecp5", plan.points(BOTH_004, *ROUTED_004))
    yield from plan.designs(plan.points([*BOTH_004, "mmm-004"]))


ENTRIES = (
    Study(
        "document-001",
        "document 001's tables and figures: accelerators and systems as printed beside ours, "
        "orders and stages of AddRed, a layout, 3 ns",
        document_001,
    ),
    Study(
        "document-002",
        "document 002's tables: the systolic array at 512 and 1024 bits beside what it prints",
        document_002,
    ),
    Study(
        "document-003",
        "document 003's figures: the digit-serial processor at 1024 bits beside what it prints",
        document_003,
    ),
    Study(
        "document-004",
        "document 004's table 1 and figures 6 and 7: algorithms 2, 4 and 6 as printed beside ours, "
        "up to 1024 bits",
        document_004,
    ),
)
