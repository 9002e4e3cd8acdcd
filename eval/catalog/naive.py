"""The naive family: multiply, then divide (document 001)."""

from dataclasses import replace
from functools import partial

from cl.organisation import Organisation
from eval.catalog.design import Design, Multiplier, any_modulus
from eval.catalog.family import Family, Parameter, flag
from eval.catalog.loops import ONE_BY_ONE
from fl.schedule import LEFT_TO_RIGHT, RIGHT_TO_LEFT, SCHEDULES
from rtl.exp.mod_exp_001 import ModExp001
from rtl.exp.organised import organised
from rtl.mul.mul_rem import MulRem, MulRem001

MUL_REM = Multiplier(
    "mul-rem", "full-width multiplier, then a restoring remainder that skips leading zeros", MulRem
)
MUL_REM_001 = Multiplier(
    "mul-rem-001",
    "full-width multiplier, then a remainder by moving the modulus up and down again",
    MulRem001,
)
MULTIPLIERS = (MUL_REM, MUL_REM_001)

LOOPS = (RIGHT_TO_LEFT.name, LEFT_TO_RIGHT.name)
WORDS = {1: "one MulRem unit", 2: "two MulRem units"}


def naive(units: int, loop: str, forward: bool) -> Design:
    """Describe such units around such a loop; one that goes left to right takes a reduced base."""
    schedule = SCHEDULES[loop]
    entry = "reduced" if schedule.in_turn else "at-once"
    organisation = Organisation(schedule, units, entry, forward=forward)
    return Design(
        name="naive",
        title=f"{WORDS[units]}, {schedule.text.rstrip(',')}",
        source="this project",
        family="naive",
        multiplier=MUL_REM,
        make=lambda nbits: organised(MulRem(nbits), organisation),
    )


NAIVE = Family(
    "naive",
    "units that multiply, then divide",
    (
        Parameter("units", 2, (1, 2), "1 for all products in turn"),
        Parameter("loop", RIGHT_TO_LEFT.name, LOOPS, "order of the products"),
        flag("forward", "an answer is an operand in the cycle in which it comes"),
    ),
    naive,
    constraints=(ONE_BY_ONE,),
)
FAMILIES = (NAIVE,)

DESIGNS = (
    replace(
        NAIVE.line(),
        name="mul-rem",
        title="naive accelerator: two MulRem units",
        source="document 001, figures 5 to 7, with another divider and control",
    ),
    replace(
        NAIVE.line(units=1, loop=LEFT_TO_RIGHT.name, forward=True),
        name="mul-rem-one",
        title="one MulRem unit, left to right",
        source="documents 000, algorithm 4 (corrected), and 001",
    ),
)
VARIANTS = (
    Design(
        name="mul-rem-001",
        title="naive accelerator as printed: two MulRem units, 2k + 1 cycles a remainder",
        source="document 001, figures 2 and 5 to 7",
        family="naive",
        multiplier=MUL_REM_001,
        make=partial(ModExp001, takes=any_modulus),
        tested_to=128,
    ),
)
