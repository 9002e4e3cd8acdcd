"""Study `secure`: what protection of the key costs, and how much of the key was still seen."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eval.catalog.point import Point
from eval.study.study import POWER, Study
from eval.tasks.attack.campaign import Asked
from eval.tasks.attack.task import Attack
from eval.tasks.faults.models import PAIR, STUCK
from eval.tasks.faults.operation import PRIVATE
from eval.tasks.faults.skips import Skips
from eval.tasks.faults.task import Faults
from eval.tasks.leakage.task import Leakage

if TYPE_CHECKING:
    from eval.study.plan import Plan
    from eval.tasks.task import Task

UNKEPT = "none"
# What a design keeps from those who measure it; rows of elements are designs that scale.
PROTECTION = {
    "mont-best": UNKEPT,
    "array-4": UNKEPT,
    "array-4-ct": "time",
    "array-4-blinded": "time, base",
    "array-4-masked": "time, base, exponent",
    "array-4-masked-public": "time of secrets, base, exponent",
    "mont-ladder-masked": "time, base, exponent",
}
REFERENCE = "array-4-ct"  # of area x time
SIGNER, SIGNER_BITS = "array-crt-16", 64  # makes private operations, with a driver of its own
LONG, LONG_BITS = tuple(design for design in PROTECTION if design.startswith("array")), 1024
TRACES, TRIED = 10_000, 20_000  # traces of a t-test, and faults of a campaign
ATTACKED = Asked(keys=3, traces=1000, profile=4000)


def secure(plan: "Plan") -> Iterable["Task"]:
    """Choose cycles, area and energy at 32 bits, what time, power and faults tell there, and the
    price of the same rows at 1024 bits."""
    short = plan.points(PROTECTION)
    yield from plan.designs(plan.points(LONG, LONG_BITS))
    yield from plan.designs(short, POWER)
    yield from plan.timings(short)
    for point in short:
        yield Leakage(point, TRACES)
        yield Attack(point, ATTACKED)
        yield Faults(point, faults=TRIED)
        yield Faults(point, faults=TRIED, model=STUCK)
    yield Skips(short[0])
    yield Skips(short[0], model=PAIR)
    yield Skips(Point(SIGNER, SIGNER_BITS), PRIVATE)


SECURE = Study(
    "secure",
    "what it costs to keep time, base and exponent to oneself and to check results, and what "
    "traces and faults still tell: at 32 bits, the price at 1024, too: an hour",
    secure,
)
