"""Montgomery units by AddRed steps: of each kind one for every number of steps per cycle."""

from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from eval.catalog.design import Multiplier
from rtl.mul.mont_mul import MontMul
from rtl.mul.mont_red import MontRed


@dataclass(frozen=True)
class Kind:
    """Says how a unit takes its steps; in the title {0} is how many, {1} how many steps."""

    name: str
    title: str
    make: type[MontMul] = MontMul
    arguments: dict[str, Any] = field(default_factory=dict, hash=False)


ADD_FIRST = {"order": "add_then_reduce"}
KINDS = {
    "koc": Kind("mont-koc-{0}", "AddRed in Koc's order, {1} per cycle"),
    "add-then-reduce": Kind(
        "mmm-{0}", "AddRed, {1} per cycle, first add then reduce", MontMul, ADD_FIRST
    ),
    "full-product": Kind(
        "mmred-{0}", "full multiplier, then {0} AddRed step{2} per cycle", MontRed, ADD_FIRST
    ),
    "open": Kind(
        "mm-open-{0}",
        "AddRed, {1} per cycle, n + 2 steps, no final subtraction",
        MontMul,
        {"final_subtract": False},
    ),
    "pipelined": Kind(
        "mont-mul-rem-{0}",
        "MontMulRem, stages of {0} AddRed step{2}",
        MontMul,
        {"schedule": "pipelined"},
    ),
}


@cache
def montgomery_unit(kind: str, steps: int) -> Multiplier:
    """Describe a unit with so many steps per cycle, or per stage."""
    plural = "s" * (steps > 1)
    words = (steps, f"{steps} step{plural}", plural)
    found = KINDS[kind]
    return Multiplier(
        found.name.format(*words),
        found.title.format(*words),
        partial(found.make, steps_per_cycle=steps, **found.arguments),
    )
