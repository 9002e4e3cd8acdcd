"""Check antennas: metal that is on gates alone while it is etched, and how much of it there is.

When a metal is etched, wires above it do not exist. What is connected up to there and reaches no
output of a cell, whose diffusion takes the charge away, is an antenna: its area on this metal
over the area of its gates is its ratio. The area is that of the top of wires or, in technologies
whose rules say so, of their sides. Wires have their width and the length between their nodes; pads
of vias, and the first metal, which is within the cells, are left out.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import inf
from pathlib import Path
from typing import NamedTuple

from flow.layout.connected import Sets, graph, pin_node
from flow.layout.design import Design
from flow.layout.lef import UNITS_PER_UM
from flow.layout.technology import Stack
from flow.layout.wires import Node, Wires

GateAreas = Mapping[str, Mapping[str, float]]  # by cell and pin, um2


class Antenna(NamedTuple):
    """Metal of a net that is on gates alone: its area over theirs, and the pins (cell, pin)."""

    net: str
    metal: str
    ratio: float
    pins: tuple[tuple[int, str], ...]


def ratios_of(stack: Stack) -> dict[str, float]:
    """Tell the greatest ratio of each metal; infinite where there is no rule."""
    return {
        metal.name: inf if metal.antenna is None else metal.antenna for metal in stack.rules.metals
    }


def read_gate_areas(files: Iterable[Path]) -> dict[str, dict[str, float]]:
    """Read the gate areas at the pins of a library's cells, um2."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    cell = pin = ""
    for line in (line for file in files for line in file.read_text().splitlines()):
        word, *rest = line.split() or [""]
        if word == "MACRO":
            cell = rest[0]
        elif word == "PIN":
            pin = rest[0]
        elif word == "ANTENNAGATEAREA":
            found[cell][pin] = found[cell].get(pin, 0.0) + float(rest[0])
    return dict(found)


def of_net(
    stack: Stack, design: Design, areas: GateAreas, name: str, wires: Wires
) -> Iterator[Antenna]:
    """List the antennas of a net, metal by metal."""
    _, edges = graph(stack, wires)
    sets = Sets()
    for metal, cut in zip(stack.metals[1:], stack.cuts, strict=True):
        own = [edge for edge in edges if edge.layer == metal]
        for edge in edges:
            if edge.layer in (metal, cut):
                sets.join(edge.a, edge.b)
        lengths: dict[Node, int] = defaultdict(int)
        for edge in own:
            lengths[sets.find(edge.a)] += edge.length
        pins = defaultdict(list)
        for pin in wires.pins:
            pins[sets.find(pin_node(stack, pin))].append(pin)
        for root, length in lengths.items():
            on = [(design.cells[pin.cell], pin) for pin in pins.get(root, [])]
            ways = [design.shape(cell).directions[pin.pin] for cell, pin in on]
            gates = sum(areas.get(cell.master, {}).get(pin.pin, 0.0) for cell, pin in on)
            if "output" in ways or not gates:
                continue
            layer, um = stack.layers[metal], length / UNITS_PER_UM
            um2 = length * layer.width / UNITS_PER_UM**2
            if stack.rules.side_antennas:
                um2 = 2 * (um + layer.width / UNITS_PER_UM) * layer.thickness
            yield Antenna(name, metal, um2 / gates, tuple((pin.cell, pin.pin) for _, pin in on))


def antennas(
    stack: Stack, design: Design, areas: GateAreas, nets: Mapping[str, Wires]
) -> list[Antenna]:
    """List all antennas of a design, the greatest ratio first."""
    found = (
        one for name, wires in nets.items() for one in of_net(stack, design, areas, name, wires)
    )
    return sorted(found, key=lambda one: (-one.ratio, one.net, one.metal))


def too_large(found: Iterable[Antenna], ratios: Mapping[str, float]) -> list[Antenna]:
    """List those beyond their metal's ratio."""
    return [one for one in found if one.ratio > ratios[one.metal]]
