"""The entries of lab3: stages of two steps, alone and in an exponentiator."""

from cl.organisation import Organisation
from eval.catalog.design import ODD_MODULUS, Design, Multiplier
from fl.schedule import LEFT_TO_RIGHT
from rtl.exp.organised import organised

from .rtl import Lab3Unit

STEPS = 2  # per stage
ONE = Organisation(LEFT_TO_RIGHT, units=1)


def unit(nbits: int) -> Lab3Unit:
    """Return the multiplier at a width."""
    return Lab3Unit(nbits, STEPS)


MULTIPLIER = Multiplier("lab3", f"AddRed, stages of {STEPS} steps", unit)
MULTIPLIERS = (MULTIPLIER,)

DESIGNS = (
    Design(
        name="lab3",
        title="one pipelined unit, left to right",
        source="lab 3",
        family="Montgomery",
        multiplier=MULTIPLIER,
        make=lambda nbits: organised(unit(nbits), ONE),
        domain="base only, R = 2^n rounded up to whole stages",
        moduli=ODD_MODULUS,
        tested_to=64,
    ),
)
