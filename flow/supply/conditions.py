"""At what a path is simulated, and what is found."""

from typing import NamedTuple


class Conditions(NamedTuple):
    """The process of the transistors, the supply and the temperature."""

    process: str
    volt: float
    celsius: float


class Found(NamedTuple):
    """The path's delay, and the energy of an edge through it and the one back, in its cells."""

    delay_ns: float
    energy_pj: float
