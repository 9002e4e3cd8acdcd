"""Save routed nets in a file, and load them."""

import json
from pathlib import Path

from flow.layout.design import Design
from flow.layout.technology import Stack
from flow.layout.wires import PinAt, Tidier, Wires


def pins_of(design: Design, pins: list[tuple[int, str]]) -> list[PinAt]:
    """Tell where the pins of a net are."""
    return [
        PinAt(cell, pin, design.access(cell, pin), design.cells[cell].is_port) for cell, pin in pins
    ]


def load_routes(path: Path, design: Design, stack: Stack) -> tuple[dict[str, Wires], bool]:
    """Load the wires of all nets with at least two pins; whether the router placed every wire."""
    data = json.loads(path.read_text())
    tidier = Tidier(stack)
    nets = {}
    for name, pins in design.routable():
        raw = data["nets"].get(name, {"wires": [], "vias": []})
        nets[name] = tidier.tidy(raw["wires"], raw["vias"], pins_of(design, pins))
    return nets, data["success"]


def save_routes(nets: dict[str, Wires], path: Path) -> None:
    """Write wires that load_routes gives back."""
    data = {
        name: {"wires": list(wires.segments()), "vias": sorted(wires.cuts)}
        for name, wires in nets.items()
    }
    path.write_text(json.dumps({"success": True, "nets": data}))
