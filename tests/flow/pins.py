"""Pins of nets that are drawn by hand, all at one height."""

from flow.layout.design import Access
from flow.layout.lef import units
from flow.layout.wires import PinAt

Y = 5600


def pin(number: int, name: str, um: float) -> PinAt:
    """The pin of a cell, so far from the left."""
    return PinAt(number, name, Access(units(um), Y - 700, Y + 700, Y), False)
