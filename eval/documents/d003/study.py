"""The studies of document 003."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eval.study.study import POWER, Study

if TYPE_CHECKING:
    from eval.study.plan import Plan
    from eval.tasks.task import Task

WIDE = tuple(f"serial-pz-{bits}" for bits in (32, 64, 128, 256))


def whole(plan: "Plan") -> Iterable["Task"]:
    """Choose its processor at its width in all its words, and with and without the Z-processor."""
    yield from plan.simulations(plan.points([*WIDE, "serial-p-32"], 1024), ["e"])
    yield from plan.designs(plan.points(["serial-pz-32"], 1024))
    yield from plan.designs(plan.points(["serial-pz-8", "serial-p-8", "mont-small"]), POWER)
    yield from plan.on_printed_fpgas(1024, "virtexe")


def digit_serial(plan: "Plan") -> Iterable["Task"]:
    """Choose document 003's processor at its width in all its words, and through the flow."""
    yield from plan.designs(plan.points(["serial-pz-32"], 1024), POWER)
    yield from plan.simulations(plan.points([*WIDE, "serial-p-32"], 1024), ["e"])
    for bits in (8, 16, 32):
        yield from plan.designs(plan.points([f"serial-pz-{bits}", f"serial-p-{bits}"], 64), POWER)
    yield from plan.designs(plan.points(["serial-pz-32"], 128, 256), POWER)
    yield from plan.designs(plan.points(["serial-pz-8", "serial-p-8", "mont-small"]), POWER)
    yield from plan.each("clocks", plan.points(["serial-pz-8", "serial-p-8", "mont-small"]))
    yield from plan.on_printed_fpgas(1024, "virtexe")
    yield from plan.on_fpga("ecp5", plan.points(["serial-pz-8"]))


ENTRIES = (
    Study(
        "document-003",
        "document 003's figures: the digit-serial processor at 1024 bits beside what it prints",
        whole,
    ),
    Study(
        "digit-serial",
        "document 003's processor at 1024 bits beside what it prints, and through the flow at 32 "
        "to 1024",
        digit_serial,
    ),
)
