"""The entries of lab2: a multiplier, and an exponentiator of two of them."""

from cl.organisation import Organisation
from eval.catalog.design import Design, Multiplier
from fl.schedule import RIGHT_TO_LEFT
from rtl.exp.organised import organised

from .rtl import Lab2Unit

MULTIPLIER = Multiplier("lab2", "a bit of an operand per cycle, the lowest first", Lab2Unit)
MULTIPLIERS = (MULTIPLIER,)
TWO = Organisation(RIGHT_TO_LEFT, units=2, entry="reduced")

DESIGNS = (
    Design(
        name="lab2",
        title="two units, right to left",
        source="lab 2",
        family="ours",
        multiplier=MULTIPLIER,
        make=lambda nbits: organised(Lab2Unit(nbits), TWO),
    ),
)
