"""The shift-sub family: a doubling and a conditional addition per step (document 004)."""

from dataclasses import replace
from functools import cache, partial

from eval.catalog.design import Design, Multiplier, any_modulus
from eval.catalog.family import Family, Parameter
from fl.schedule import RIGHT_TO_LEFT, RIGHT_TO_LEFT_ALWAYS
from rtl.exp.ssmm_004 import Ssmm004
from rtl.exp.ssmm_shared import SsmmShared
from rtl.leaf.shift_sub import MOST_STEPS
from rtl.mul.ssmm import Ssmm

ALWAYS_TESTED_TO = 1024  # 8.4 million cycles per request at 4096 bits


@cache
def ssmm(steps: int) -> Multiplier:
    """Describe the shift-sub multiplier with so many steps per cycle."""
    return Multiplier(
        f"ssmm-{steps}",
        f"shift-sub, {steps} step{'s' if steps > 1 else ''} per cycle",
        partial(Ssmm, steps_per_cycle=steps),
    )


LOOPS = (RIGHT_TO_LEFT.name, RIGHT_TO_LEFT_ALWAYS.name)
PER_CYCLE = {1: "a step", 2: "two steps"}


def shared(steps: int, loop: str) -> Design:
    """Describe square and product with one doubling; a loop that always multiplies takes the same
    time for all."""
    always = loop == RIGHT_TO_LEFT_ALWAYS.name
    per_cycle = "constant time" if always else f"{PER_CYCLE.get(steps, f'{steps} steps')} per cycle"
    return Design(
        name="ssmm",
        title=f"shift-sub, one doubling for square and product, {per_cycle}",
        source="this project",
        family="shift-sub",
        multiplier=ssmm(steps),
        make=partial(SsmmShared, takes=any_modulus, steps_per_cycle=steps, always=always),
        tested_to=ALWAYS_TESTED_TO if always else 4096,
    )


SHARED = Family(
    "ssmm",
    "shift-sub, one doubling for square and product",
    (
        Parameter("steps", 1, range(1, MOST_STEPS), "steps per cycle"),
        Parameter("loop", LOOPS[0], LOOPS, "order of the products"),
    ),
    shared,
)
FAMILIES = (SHARED,)
MULTIPLIERS = (ssmm(1),)

DESIGNS = (
    Design(
        name="ssmm-004",
        title="two shift-sub units, a step per cycle",
        source="document 004, algo 6 (corrected)",
        family="shift-sub",
        multiplier=ssmm(1),
        make=partial(Ssmm004, takes=any_modulus),
    ),
    replace(SHARED.line(steps=1), name="ssmm-small"),
    replace(SHARED.line(steps=2), name="ssmm-best"),
    replace(SHARED.line(steps=2, loop=RIGHT_TO_LEFT_ALWAYS.name), name="ssmm-ct"),
)
