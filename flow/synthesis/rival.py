"""Tell early that a recipe is of no use: by the area of the modules that it has mapped so far."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flow.synthesis.area import Own
from flow.synthesis.mix import WORTH


class Beaten(Exception):
    """A recipe can't win any more, nor a mix with what was there before it."""


@dataclass(frozen=True)
class Rival:
    """What a netlist with hierarchy has to beat: the area of the smallest such that meets the
    clock, and of each module how often it occurs and the least that these take in any netlist."""

    area: float
    number: Mapping[str, int]
    least: Mapping[str, float]

    def largest_first(self, names: Iterable[str]) -> list[str]:
        """Order modules: those first by which most is decided."""
        return sorted(names, key=lambda name: -self.least.get(name, 0.0))

    def beats(self, modules: Mapping[str, Own]) -> bool:
        """Tell whether the modules that a recipe has made, of all that it is to make, are together
        as large as the rival already, and a mix that has the smaller of each no worthwhile bit
        smaller than it."""
        areas = {name: own.area * self.number.get(name, 0) for name, own in modules.items()}
        mixed = sum(min(area, self.least.get(name, 0.0)) for name, area in areas.items())
        return sum(areas.values()) >= self.area and mixed >= (1 - WORTH) * self.area
