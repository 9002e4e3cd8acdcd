"""A kit's technology LEF, for tests of the rules that were written by it."""

import re
from dataclasses import dataclass
from pathlib import Path

from flow.layout.lef import units

Point = tuple[int, int]


@dataclass(frozen=True)
class LefLayer:
    """A metal or cut, in our units. Resistance: ohms per square, or per cut. Capacitance: pF/um2,
    pF/um. Height and thickness are in um."""

    width: int
    spacing: int
    pitch: int
    resistance: float
    area_capacitance: float
    edge_capacitance: float
    height: float
    thickness: float
    direction: str


def _number(text: str, key: str) -> float:
    found = re.search(rf"^\s*{key} ([\d.eE+-]+) ;", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def read_technology(path: Path) -> tuple[dict[str, LefLayer], dict[str, dict[str, Point]]]:
    """The layers, and the half-sizes of each via by layer."""
    text, layers = path.read_text(), {}
    for name, body in re.findall(r"^LAYER (\w+)\n(.*?)^END \1", text, re.MULTILINE | re.DOTALL):
        # The table's first number after a width of 0 is the spacing of narrow wires.
        table = re.search(r"WIDTH\s+0\.0+\s+([\d.]+)", body)
        way = re.search(r"DIRECTION (\w+) ;", body)
        layers[name] = LefLayer(
            width=units(_number(body, "WIDTH")),
            spacing=units(table[1] if table else _number(body, "SPACING")),
            pitch=units(_number(body, "PITCH")),
            resistance=_number(body, "RESISTANCE RPERSQ") or _number(body, "RESISTANCE"),
            area_capacitance=_number(body, "CAPACITANCE CPERSQDIST"),
            edge_capacitance=_number(body, "EDGECAPACITANCE"),
            height=_number(body, "HEIGHT"),
            thickness=_number(body, "THICKNESS"),
            direction=way[1].lower() if way else "",
        )
    vias: dict[str, dict[str, Point]] = {}
    for name, body in re.findall(r"^VIA (\w+) DEFAULT\n(.*?)^END \1", text, re.MULTILINE | re.S):
        rects = re.findall(r"LAYER (\w+) ;\s+RECT \S+ \S+ (\S+) (\S+) ;", body)
        vias[name] = {layer: (units(x), units(y)) for layer, x, y in rects}
    return layers, vias
