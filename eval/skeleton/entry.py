"""The entries of sample: a multiplier, and two exponentiators made of it."""

from cl.organisation import Organisation
from eval.catalog.design import Design, Multiplier
from fl.schedule import LEFT_TO_RIGHT, RIGHT_TO_LEFT
from rtl.exp.organised import organised

from .rtl import SampleUnit

MULTIPLIER = Multiplier("sample", "a bit of an operand per cycle, the highest first", SampleUnit)
MULTIPLIERS = (MULTIPLIER,)
TWO = Organisation(RIGHT_TO_LEFT, units=2, entry="reduced")
ONE = Organisation(LEFT_TO_RIGHT, units=1, entry="reduced")

DESIGNS = (
    Design(
        name="sample",
        title="two units, right to left",
        source="ours",
        family="ours",
        multiplier=MULTIPLIER,
        make=lambda nbits: organised(SampleUnit(nbits), TWO),
    ),
    Design(
        name="sample-small",
        title="one unit, left to right",
        source="ours",
        family="ours",
        multiplier=MULTIPLIER,
        make=lambda nbits: organised(SampleUnit(nbits), ONE),
    ),
)

# Changes that `modexplorer check` must find out: a file, a piece of it, and what stands there then.
FAULTS = {
    "a second subtraction that is never made": (
        "rtl.py",
        "if s.once >= zext(s.m, wide):",
        "if s.once > zext(s.m, wide) + zext(s.m, wide):",
    ),
    "a step too few": ("rtl.py", "s.left <<= top", "s.left <<= top - 1"),
    "an answer that does not wait": ("rtl.py", "elif s.send.rdy:", "else:"),
}
