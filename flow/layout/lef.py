"""Read the kit's LEF files: cells with their metal1 pins, and the layers' rules and parasitics."""

import re
from dataclasses import dataclass, field
from pathlib import Path

UNITS_PER_UM = 2000
Point = tuple[int, int]


def units(um: str | float) -> int:
    """Convert a length in micrometres to our unit."""
    return round(float(um) * UNITS_PER_UM)


@dataclass
class Pin:
    """A pin of a cell: its direction, use and metal1 polygons."""

    direction: str = "input"
    use: str = "signal"
    polygons: list[list[Point]] = field(default_factory=list)


@dataclass
class Macro:
    """A cell of the library: its width and pins."""

    name: str
    width: int = 0
    pins: dict[str, Pin] = field(default_factory=dict)

    def signals(self) -> dict[str, Pin]:
        """List the pins that are not supply."""
        return {n: p for n, p in self.pins.items() if p.use not in ("power", "ground")}


@dataclass
class Layer:
    """A metal or cut layer. Resistance: ohms per square, or per cut. Capacitance: pF/um2, pF/um.
    Height, of the bottom above the silicon, and thickness are in um."""

    name: str
    width: int = 0
    spacing: int = 0
    pitch: int = 0
    resistance: float = 0.0
    area_capacitance: float = 0.0
    edge_capacitance: float = 0.0
    height: float = 0.0
    thickness: float = 0.0


@dataclass
class Technology:
    """The routing layers, and the shapes of each via: {via: {layer: (x, y) half-sizes}}."""

    layers: dict[str, Layer]
    vias: dict[str, dict[str, Point]]


def read_macros(path: Path) -> dict[str, Macro]:
    """Read the cells of a LEF library."""
    macros: dict[str, Macro] = {}
    macro, pin = Macro(""), None
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
        elif pin and word == "DIRECTION":
            pin.direction = rest[0].lower()
        elif pin and word == "USE":
            pin.use = rest[0].lower()
        elif pin and word == "POLYGON":
            numbers = [units(number) for number in rest[:-1]]
            pin.polygons.append(list(zip(numbers[::2], numbers[1::2], strict=True)))
    return macros


def _number(text: str, key: str) -> float:
    found = re.search(rf"^\s*{key} ([\d.eE+-]+) ;", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def read_technology(path: Path) -> Technology:
    """Read the layers and vias of a technology LEF."""
    text = path.read_text()
    layers = {}
    for name, body in re.findall(r"^LAYER (\w+)\n(.*?)^END \1", text, re.MULTILINE | re.DOTALL):
        # The table's first number after a width of 0 is the spacing of narrow wires.
        table = re.search(r"WIDTH\s+0\.0+\s+([\d.]+)", body)
        layers[name] = Layer(
            name,
            width=units(_number(body, "WIDTH")),
            spacing=units(table[1] if table else _number(body, "SPACING")),
            pitch=units(_number(body, "PITCH")),
            resistance=_number(body, "RESISTANCE RPERSQ") or _number(body, "RESISTANCE"),
            area_capacitance=_number(body, "CAPACITANCE CPERSQDIST"),
            edge_capacitance=_number(body, "EDGECAPACITANCE"),
            height=_number(body, "HEIGHT"),
            thickness=_number(body, "THICKNESS"),
        )
    vias: dict[str, dict[str, Point]] = {}
    for name, body in re.findall(r"^VIA (\w+) DEFAULT\n(.*?)^END \1", text, re.MULTILINE | re.S):
        rects = re.findall(r"LAYER (\w+) ;\s+RECT \S+ \S+ (\S+) (\S+) ;", body)
        vias[name] = {layer: (units(x), units(y)) for layer, x, y in rects}
    return Technology(layers, vias)
