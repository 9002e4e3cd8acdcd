"""A unit of a design point or of the processor, and its Verilog."""

from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from pymtl3 import Component

from sim.translate import Translation, translate

OnStep = Callable[[str], None]  # told what is being done
ACCELERATOR, MULTIPLIER, EXPONENTIATOR = "accelerator", "multiplier", "exponentiator"
PERIPHERAL = "peripheral"
WHOLE = (ACCELERATOR, "system")  # the unit that a command means if it names none


class Target(Protocol):
    """What has units: a design point, or the processor."""

    design: str
    nbits: int
    arguments: str  # as commands take it

    def top_of(self, unit: str) -> str:
        """Name the unit's Verilog top module."""
        ...

    def component(self, unit: str) -> Component:
        """Make a new component of the unit."""
        ...


@lru_cache(None)
def translation(target: Target, unit: str = ACCELERATOR) -> Translation:
    """Translate a unit, under a top module name of its own."""
    return translate(target.component(unit), target.top_of(unit))
