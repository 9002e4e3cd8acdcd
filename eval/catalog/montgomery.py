"""The Montgomery family in the catalog: units and exponentiators as points of one space."""

from functools import partial
from typing import Any

from cl.organisation import USUAL, Organisation
from eval.catalog.design import ODD_MODULUS, Design, Multiplier
from eval.printed import document_001
from eval.printed.document_004 import table_1_of_004
from fl.schedule import LEFT_TO_RIGHT, RIGHT_TO_LEFT_ALWAYS, windows
from rtl.exp.organised import organised
from rtl.mul.mont_mul import MontMul
from rtl.mul.mont_red import MontRed

UNROLLED_TESTED_TO = 64  # an array of n steps, and its simulation, grow with n squared

MMM_1 = Multiplier(
    "mmm-1",
    "AddRed, 1 step per cycle, first add then reduce",
    partial(MontMul, steps_per_cycle=1, order="add_then_reduce"),
)
MMRED_1 = Multiplier(
    "mmred-1",
    "full multiplier, then 1 AddRed step per cycle",
    partial(MontRed, steps_per_cycle=1, order="add_then_reduce"),
)
MM_OPEN_1 = Multiplier(
    "mm-open-1",
    "AddRed, 1 step per cycle, n + 2 steps, no final subtraction",
    partial(MontMul, steps_per_cycle=1, final_subtract=False),
)
MONT_KOC_1 = Multiplier(
    "mont-koc-1", "AddRed in Koc's order, 1 step per cycle", partial(MontMul, steps_per_cycle=1)
)
MONT_KOC_8 = Multiplier(
    "mont-koc-8", "AddRed in Koc's order, 8 steps per cycle", partial(MontMul, steps_per_cycle=8)
)
MONT_MUL_REM = Multiplier(
    "mont-mul-rem",
    "MontMulRem, stages of 8 AddRed steps",
    partial(MontMul, steps_per_cycle=8, schedule="pipelined"),
)
MULTIPLIERS = (MMM_1, MMRED_1, MM_OPEN_1, MONT_KOC_1, MONT_KOC_8, MONT_MUL_REM)


def radix_text(unit: MontMul) -> str:
    """Say R in words."""
    if not unit.final_subtract:
        return "R = 2^(n+2), values below 2m"
    if unit.steps_per_cycle == 1:
        return "R = 2^n"
    stages = "stages of " if unit.pipelined else ""
    return f"R = 2^n rounded up to {stages}{unit.steps_per_cycle} bits"


def montgomery(multiplier: Multiplier, organisation: Organisation = USUAL) -> dict[str, Any]:
    """Return what follows for a Design from its multiplier and an organisation."""
    unit = multiplier.at(32)
    values = "Montgomery" if organisation.stays_in_domain else "base only"
    unrolled = {"tested_to": UNROLLED_TESTED_TO} if unit.pipelined else {}
    return unrolled | {
        "family": "Montgomery",
        "multiplier": multiplier,
        "make": lambda nbits: organised(multiplier.at(nbits), organisation),
        "domain": f"{values}, {radix_text(unit)}",
        "moduli": ODD_MODULUS,
    }


OF_001 = Organisation(units=5, entry="remainder", forward=False)
OF_004 = Organisation(entry="product")

DESIGNS = (
    Design(
        name="mont-001",
        title="five MontMulRem units, pipelined, R^2 by the remainder unit",
        source="document 001, figures 8b to 12",
        **montgomery(MONT_MUL_REM, OF_001),
        published=document_001.MONTGOMERY,
    ),
    Design(
        name="mmm-004",
        title="two MMMul units, a step per cycle, R^2 by shift-sub",
        source="document 004, algo 4",
        **montgomery(MMM_1, OF_004),
        published=table_1_of_004("algo_4"),
    ),
    Design(
        name="mmred-004",
        title="two full multipliers, each with a reduction of a step per cycle, R^2 by shift-sub",
        source="document 004, algo 2",
        **montgomery(MMRED_1, OF_004),
    ),
    Design(
        name="mm-000",
        title="two MM units, n + 2 steps, subtraction at the very end only",
        source="document 000, figures 7 and 18",
        **montgomery(MM_OPEN_1),
    ),
    Design(
        name="mont-small",
        title="one unit, a step per cycle, left to right",
        source="this project",
        **montgomery(MONT_KOC_1, Organisation(LEFT_TO_RIGHT, units=1)),
    ),
    Design(
        name="mont-pipe",
        title="one pipelined unit, square and multiply in turn",
        source="this project",
        **montgomery(MONT_MUL_REM, Organisation(units=1)),
    ),
    Design(
        name="mont-best",
        title="two units of 8 steps per cycle, only the base converted",
        source="this project",
        **montgomery(MONT_KOC_8),
    ),
    Design(
        name="mont-ct",
        title="mont-best that multiplies at every bit, constant time",
        source="this project; always as in document 002, but right to left",
        **montgomery(MONT_KOC_8, Organisation(RIGHT_TO_LEFT_ALWAYS)),
    ),
)

SPLITS = (32, 16, 4)  # steps per stage of mont-001's variants; its own are 8


def split_of_001(steps: int) -> Design:
    """Describe mont-001 with stages of so many steps, by its 32-bit unit's stages x steps."""
    split = f"{32 // steps}x{steps}"
    unit = Multiplier(
        f"mont-mul-rem-{split}",
        f"MontMulRem, stages of {steps} AddRed steps",
        partial(MontMul, steps_per_cycle=steps, schedule="pipelined"),
    )
    return Design(
        name=f"mont-001-{split}",
        title=f"mont-001 with stages of {steps} steps",
        source="document 001, section 3.2",
        **montgomery(unit, OF_001),
    )


WINDOW = 4  # bits
BY_WINDOWS = Design(
    name=f"mont-window-{WINDOW}",
    title=f"one unit of 8 steps per cycle, windows of {WINDOW} bits, constant time",
    source="this project",
    **montgomery(MONT_KOC_8, Organisation(windows(WINDOW), units=1)),
)
VARIANTS = (*(split_of_001(steps) for steps in SPLITS), BY_WINDOWS)
