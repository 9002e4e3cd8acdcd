"""The studies of technologies: the same designs in three libraries."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from eval.study.study import POWER, Study

if TYPE_CHECKING:
    from eval.catalog.point import Point
    from eval.study.plan import Plan
    from eval.tasks.task import Task

TECHNOLOGIES = ("nangate45", "sky130", "osu018")
IN_CORNERS = "sky130"
# Small and fast, bit-serial and wide, one of another family.
QUICK = ("ssmm-small", "ssmm-best", "mont-best", "mul-rem", "array-8")
LONG = ("array-4", "array-8", "array-16", "serial-pz-32", "ssmm-small")
SUPPLIED = ("tiny", "mont-best", "array-8")
VARIANTS = ("array-8",)  # of the default study, beside its designs for any key


def compared(plan: "Plan", points: Sequence["Point"]) -> Iterable["Task"]:
    """Measure each point in each technology: its energies at the usual clock, and its curve."""
    for tech in TECHNOLOGIES:
        there = plan.in_technology(tech)
        yield from there.accelerators(points, POWER)
        yield from there.each("clocks", points)
    yield from plan.simulations(points)


def technologies(plan: "Plan") -> Iterable["Task"]:
    """Choose all designs of the default study, five at 1024 bits, and one in all corners."""
    yield from compared(plan, [*plan.for_any_key(), *plan.points(VARIANTS)])
    for tech in TECHNOLOGIES:
        yield from plan.in_technology(tech).curves(plan.points(LONG, 1024))
    yield from plan.in_corners(plan.points(QUICK[:1]), IN_CORNERS)


def quick(plan: "Plan") -> Iterable["Task"]:
    """Choose five designs at 8 bits."""
    yield from compared(plan, plan.points(QUICK, 8))


def lower_supplies(plan: "Plan") -> Iterable["Task"]:
    """Choose a small design, a fast one, and a row of elements, at 8 bits."""
    return plan.at_supplies(plan.points(SUPPLIED, 8), IN_CORNERS)


ENTRIES = (
    Study(
        "technologies",
        "whether rankings hold: every design for any key at 32 bits and five at 1024, in NanGate "
        "45, SKY130 and OSU 0.18 um, by curves, with energies: three hours on two cores",
        technologies,
    ),
    Study(
        "technologies-quick",
        "the same of five designs at 8 bits: some minutes",
        quick,
    ),
    Study(
        "supply",
        "three designs of 8 bits at lower supplies, in SKY130, by ngspice: some minutes",
        lower_supplies,
    ),
)
