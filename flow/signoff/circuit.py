"""What LVS compares: cells with the nets at their pins, and ports, of a layout or a schematic."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

Net = int


class Part(NamedTuple):
    """A cell: what people find it by, its kind, and the net at each pin that has one."""

    name: str
    master: str
    pins: dict[str, Net]


@dataclass
class Circuit:
    """Cells, and nets that are numbers, some of which are ports'."""

    top: str
    ports: dict[str, Net] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)

    def used(self) -> Counter[Net]:
        """Tell how many pins and ports each net has."""
        at_pins = (net for part in self.parts for net in part.pins.values())
        return Counter(self.ports.values()) + Counter(at_pins)

    def without_loose_ends(self) -> "Circuit":
        """Leave out nets of one pin and no port: a pin that nothing is at."""
        counts = self.used()

        def kept(pins: dict[str, Net]) -> dict[str, Net]:
            return {pin: net for pin, net in pins.items() if counts[net] > 1}

        parts = [part._replace(pins=kept(part.pins)) for part in self.parts]
        return Circuit(self.top, self.ports, parts)
