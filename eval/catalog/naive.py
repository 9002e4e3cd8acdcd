"""The naive family: multiply, then divide (document 001)."""

from cl.organisation import Organisation
from eval.catalog.design import Design, Multiplier
from eval.printed import document_001
from fl.schedule import LEFT_TO_RIGHT
from rtl.exp.organised import organised
from rtl.mul.mul_rem import MulRem

MUL_REM = Multiplier(
    "mul-rem", "full-width multiplier, then a restoring remainder that skips leading zeros", MulRem
)
MULTIPLIERS = (MUL_REM,)

TWO = Organisation(entry="at-once", forward=False)
ONE = Organisation(LEFT_TO_RIGHT, units=1, entry="reduced")

DESIGNS = (
    Design(
        name="mul-rem",
        title="naive accelerator: two MulRem units",
        source="document 001, figures 5 to 7",
        family="naive",
        multiplier=MUL_REM,
        make=lambda nbits: organised(MulRem(nbits), TWO),
        published=document_001.NAIVE,
    ),
    Design(
        name="mul-rem-one",
        title="one MulRem unit, left to right",
        source="documents 000, algorithm 4 (corrected), and 001",
        family="naive",
        multiplier=MUL_REM,
        make=lambda nbits: organised(MulRem(nbits), ONE),
    ),
)
