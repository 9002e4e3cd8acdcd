"""Read LEF files of cells: their pins, and what strips over these must keep away from."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

UNITS_PER_UM = 2000
Point = tuple[int, int]
Box = tuple[int, int, int, int]  # left, bottom, right, top


def units(um: str | float) -> int:
    """Convert a length in micrometres to our unit."""
    return round(float(um) * UNITS_PER_UM)


@dataclass
class Pin:
    """A pin of a cell: its direction, use and polygons of the metal that has pins; and boxes around
    what it has on the metal of the strips."""

    direction: str = "input"
    use: str = "signal"
    polygons: list[list[Point]] = field(default_factory=list)
    above: list[Box] = field(default_factory=list)


@dataclass
class Macro:
    """A cell of the library: its width, its pins, and boxes around what is of no pin on the metal
    of the strips."""

    name: str
    width: int = 0
    pins: dict[str, Pin] = field(default_factory=dict)
    others: list[Box] = field(default_factory=list)

    def signals(self) -> dict[str, Pin]:
        """List the pins that are not supply."""
        return {n: p for n, p in self.pins.items() if p.use not in ("power", "ground")}

    def beside(self, pin: str) -> list[Box]:
        """List what the strip of a pin must keep away from, such as supply rails."""
        of_pins = (box for name, one in self.pins.items() if name != pin for box in one.above)
        return [*self.others, *of_pins]


def read_macros(files: Iterable[Path], pin_metal: str, strip_metal: str) -> dict[str, Macro]:
    """Read the cells of LEF files, with the shapes of their pins on one metal, and of all else on
    another, where the strips of pins go."""
    macros: dict[str, Macro] = {}
    for path in files:
        macro, pin, layer = Macro(""), None, ""
        for line in path.read_text().splitlines():
            word, *rest = line.split() or [""]
            if word == "MACRO":
                macro = macros[rest[0]] = Macro(rest[0])
            elif word == "SIZE":
                macro.width = units(rest[0])
            elif word == "PIN":
                pin = macro.pins[rest[0]] = Pin()
            elif word == "OBS" or (word == "END" and rest):
                pin = None
            elif word == "LAYER":
                layer = rest[0]
            elif pin and word == "DIRECTION":
                pin.direction = rest[0].lower()
            elif pin and word == "USE":
                pin.use = rest[0].lower()
            elif word in ("POLYGON", "RECT"):
                corners = _corners(word, [units(number) for number in rest if number != ";"])
                if layer == strip_metal:
                    (pin.above if pin else macro.others).append(_box(corners))
                elif pin and layer == pin_metal:
                    pin.polygons.append(corners)
    for macro in macros.values():
        for pin in macro.pins.values():
            pin.polygons = _joined(pin.polygons)
    return macros


def _corners(word: str, numbers: list[int]) -> list[Point]:
    if word == "RECT":
        left, low, right, high = numbers
        return [(left, low), (right, low), (right, high), (left, high)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _box(corners: list[Point]) -> Box:
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _joined(polygons: list[list[Point]]) -> list[list[Point]]:
    """Make one polygon of those that touch, as a pin that is told by boxes does."""
    if len(polygons) < 2:
        return polygons
    import klayout.db as kdb

    region = kdb.Region()
    for corners in polygons:
        region.insert(kdb.Polygon([kdb.Point(x, y) for x, y in corners]))
    region.merge()
    if region.count() == len(polygons):
        return polygons
    found = [one.resolved_holes() for one in region.each()]
    return [[(point.x, point.y) for point in one.each_point_hull()] for one in found]
