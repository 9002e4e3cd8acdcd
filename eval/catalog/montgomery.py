"""The Montgomery family in the catalog: units and exponentiators as points of one space."""

from dataclasses import replace

from cl.organisation import UNITS, Organisation
from eval.catalog.design import ODD_MODULUS, Design, Multiplier
from eval.catalog.family import Constraint, Family, Parameter, Value, flag
from eval.catalog.loops import (
    LOOPS,
    ONE_BY_ONE,
    RANDOM,
    RANDOM_BITS,
    RANDOM_FOR_SHARES,
    exponentiator,
    multiple_text,
)
from eval.catalog.montgomery_unit import KINDS, montgomery_unit
from fl.masked_ladder import MASKED_LADDER
from rtl.exp.organised import organised
from rtl.mul.delayed_response import DelayedResponse
from rtl.mul.mont_mul import MontMul

UNROLLED_TESTED_TO = 64  # an array of n steps, and its simulation, grow with n squared
TESTED_TO = 4096
ENTRIES = ("doubling", "product", "remainder")  # into the domain
R_OF_ALL_BITS = ("koc", "add-then-reduce", "full-product")
WORDS = {1: "one", 2: "two", 5: "five"}

MULTIPLIERS = (
    montgomery_unit("add-then-reduce", 1),
    montgomery_unit("full-product", 1),
    montgomery_unit("open", 1),
    montgomery_unit("koc", 1),
    montgomery_unit("koc", 8),
    montgomery_unit("pipelined", 8),
)


def radix_text(unit: MontMul) -> str:
    """Say R in words."""
    if not unit.final_subtract:
        return "R = 2^(n+2), values below 2m"
    if unit.steps_per_cycle == 1:
        return "R = 2^n"
    stages = "stages of " if unit.pipelined else ""
    return f"R = 2^n rounded up to {stages}{unit.steps_per_cycle} bits"


def montgomery(
    steps: int, unit: str, units: int, loop: str, entry: str, forward: bool, random: int
) -> Design:
    """Describe such units in such an organisation."""
    multiplier = montgomery_unit(unit, steps)
    organisation = Organisation(LOOPS[loop], units, entry, forward=forward)
    made = multiplier.at(32)
    assert isinstance(made, MontMul), multiplier.name
    values = "Montgomery" if organisation.stays_in_domain else "base only"
    count = f"{WORDS[units]} unit{'s' * (units > 1)}"
    order = organisation.schedule.text.rstrip(",") + multiple_text(random)
    return Design(
        name="mont",
        title=f"{count}, {multiplier.title}, {order}",
        source="this project",
        family="Montgomery",
        multiplier=multiplier,
        make=lambda nbits: exponentiator(multiplier.at, organisation, nbits, random),
        domain=f"{values}, {radix_text(made)}",
        moduli=ODD_MODULUS,
        tested_to=UNROLLED_TESTED_TO if made.pipelined else TESTED_TO,
    )


def from_doublings(loop: str, entry: str, **_: Value) -> bool:
    """Return whether a result that begins as R mod m is found among doublings."""
    return entry == "doubling" or not LOOPS[loop].from_one


def kept_first(loop: str, forward: bool, **_: Value) -> bool:
    """Return whether a ladder by shares keeps its answers."""
    return loop != MASKED_LADDER.name or not forward


def of_all_bits(entry: str, steps: int, unit: str, **_: Value) -> bool:
    """Return whether a way to R^2 by products has units whose R is 2^n."""
    return entry != "product" or (steps == 1 and unit in R_OF_ALL_BITS)


def of_one_time(loop: str, entry: str, **_: Value) -> bool:
    """Return whether a loop of constant time has a way in that takes as long for every modulus."""
    return entry != "product" or not LOOPS[loop].constant


OF_ONE_TIME = Constraint(
    "a loop of constant time has another entry: product takes longer for some moduli", of_one_time
)
MONT = Family(
    "mont",
    "Montgomery units by AddRed steps, around a loop of the exponent's bits",
    (
        Parameter(
            *("steps", 8, range(1, 65), "AddRed steps per cycle, or per stage of a pipeline"),
            within_width=True,
        ),
        Parameter("unit", "koc", tuple(KINDS), "how a unit takes its steps"),
        Parameter("units", 2, UNITS, "1 for all products in turn, 5 with those of both ends"),
        Parameter("loop", "right-to-left", tuple(LOOPS), "order of the products"),
        Parameter("entry", "doubling", ENTRIES, "what finds R^2 mod m"),
        flag("forward", "an answer is an operand in the cycle in which it comes", True),
        RANDOM,
    ),
    montgomery,
    constraints=(
        ONE_BY_ONE,
        RANDOM_FOR_SHARES,
        Constraint(
            f"loop={MASKED_LADDER.name} keeps an answer before it is an operand: forward=no",
            kept_first,
        ),
        Constraint("a result that begins as R mod m finds it among the doublings", from_doublings),
        Constraint(
            "entry product finds R^2 for R = 2^n: by units of 1 step per cycle", of_all_bits
        ),
        OF_ONE_TIME,
    ),
)
FAMILIES = (MONT,)


def named(
    name: str,
    title: str,
    source: str = "this project",
    **values: Value,
) -> Design:
    """Give a point of the family a name of its own."""
    point = MONT.line(**values)
    return replace(point, name=name, title=title, source=source)


OF_001: dict[str, Value] = {"unit": "pipelined", "units": 5, "entry": "remainder", "forward": False}

DESIGNS = (
    named(
        "mont-001",
        "five MontMulRem units, pipelined, R^2 by the remainder unit",
        "document 001, figures 8b to 12",
        **OF_001,
    ),
    named(
        "mmm-004",
        "two MMMul units, a step per cycle, R^2 by shift-sub",
        "document 004, algo 4, converting the base only",
        steps=1,
        unit="add-then-reduce",
        entry="product",
    ),
    named(
        "mmred-004",
        "two full multipliers, each with a reduction of a step per cycle, R^2 by shift-sub",
        "document 004, algo 2, converting the base only",
        steps=1,
        unit="full-product",
        entry="product",
    ),
    named(
        "mm-000",
        "two MM units, n + 2 steps, subtraction at the very end only",
        "document 000, figures 7 and 18",
        steps=1,
        unit="open",
    ),
    named(
        "mont-small",
        "one unit, a step per cycle, left to right",
        steps=1,
        units=1,
        loop="left-to-right",
    ),
    named(
        "mont-pipe",
        "one pipelined unit, square and multiply in turn",
        unit="pipelined",
        units=1,
    ),
    named("mont-best", "two units of 8 steps per cycle, only the base converted"),
    named(
        "mont-ct",
        "mont-best that multiplies at every bit, constant time",
        "this project; always as in document 002, but right to left",
        loop="always",
    ),
)

SPLITS = (32, 16, 4)  # steps per stage of mont-001's variants; its own are 8


def split_of_001(steps: int) -> Design:
    """Describe mont-001 with stages of so many steps, by its 32-bit unit's stages x steps."""
    return named(
        f"mont-001-{32 // steps}x{steps}",
        f"mont-001 with stages of {steps} steps",
        "document 001, section 3.2",
        steps=steps,
        **OF_001,
    )


FLAGS = 3  # cycles that document 004's control spends on a product, beside its steps


def printed_004(name: str, number: int, kind: str, title: str) -> Design:
    """Describe an algorithm of document 004 as printed, with T4 cycles: both operands converted in
    side by side, the result out, by the two units of the loop."""
    unit = montgomery_unit(kind, 1)
    delayed = Multiplier(
        f"{unit.name}-delayed",
        f"{unit.title}, its response delayed by registered flags",
        lambda nbits: DelayedResponse(nbits, unit.at(nbits), FLAGS),
    )
    organisation = Organisation(units=2, entry="product", forward=False, converts=True)
    return Design(
        name=name,
        title=f"algo {number} as printed: {title}, both operands converted in, the result out",
        source=f"document 004, algo {number}",
        family="Montgomery",
        multiplier=delayed,
        make=lambda nbits: organised(delayed.at(nbits), organisation),
        domain="Montgomery, R = 2^n",
        moduli=ODD_MODULUS,
        tested_to=128,
    )


AS_PRINTED = (
    printed_004("mmm-004-printed", 4, "add-then-reduce", "two MMMul units"),
    printed_004("mmred-004-printed", 2, "full-product", "two full multipliers, each with MMRed"),
)
WINDOW = 4  # bits
BY_WINDOWS = named(
    f"mont-window-{WINDOW}",
    f"one unit of 8 steps per cycle, windows of {WINDOW} bits, constant time",
    units=1,
    loop=f"windows-{WINDOW}",
)
BY_LADDER = named("mont-ladder", "mont-best by the Montgomery ladder, constant time", loop="ladder")
BY_SHARES = named(
    "mont-ladder-masked",
    "mont-ladder by two shares of the exponent, base and modulus blinded",
    loop=MASKED_LADDER.name,
    forward=False,
    random=RANDOM_BITS,
)
VARIANTS = (
    *(split_of_001(steps) for steps in SPLITS),
    BY_WINDOWS,
    BY_LADDER,
    BY_SHARES,
    *AS_PRINTED,
)
