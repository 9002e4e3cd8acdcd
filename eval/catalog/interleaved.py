"""The smallest designs: interleaved multiplication, in constant time, for any modulus."""

from functools import cache, partial

from eval.catalog.design import Design, Multiplier, any_modulus
from eval.catalog.family import Family, Parameter
from rtl.exp.interleaved import InterleavedExp
from rtl.leaf.shift_sub import MOST_STEPS
from rtl.mul.interleaved import Interleaved

SOURCE = "this project, after Blakley (1983)"
TESTED_TO = 512  # 2 million cycles per request at 1024 bits, 34 million at 4096


@cache
def interleaved(steps: int) -> Multiplier:
    """Describe the interleaved multiplier with so many steps per cycle."""
    return Multiplier(
        f"interleaved-{steps}",
        f"interleaved, from the highest bit, {steps} step{'s' * (steps > 1)} per cycle",
        partial(Interleaved, steps_per_cycle=steps),
    )


def whole(steps: int) -> Design:
    """Describe a square and a product at every exponent bit, of whole numbers."""
    per_cycle = "a step" if steps == 1 else f"{steps} steps"
    return Design(
        name=f"interleaved-{steps}",
        title=f"interleaved, left to right at every bit, {per_cycle} per cycle, constant time",
        source=SOURCE,
        family="shift-sub",
        multiplier=interleaved(steps),
        make=partial(InterleavedExp, takes=any_modulus, steps_per_cycle=steps),
        tested_to=TESTED_TO,
    )


WHOLE = Family(
    "interleaved",
    "interleaved, left to right at every bit, constant time",
    (Parameter("steps", 1, range(1, MOST_STEPS), "steps per cycle"),),
    whole,
)
FAMILIES = (WHOLE,)
MULTIPLIERS = (interleaved(1),)
DESIGNS = (WHOLE.line(steps=1),)
