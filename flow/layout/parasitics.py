"""Write the resistance and capacitance of the routed nets as SPEF.

Capacitance is that of the kit's LEF: of the area, and of both edges, to ground; half of each piece
of wire at either end. Wires side by side are not coupled to each other. Metal1 within the cells is
part of their own timing.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from flow.layout.connected import Edge, Sets, graph, pin_node
from flow.layout.design import Design
from flow.layout.lef import UNITS_PER_UM
from flow.layout.technology import CUTS, Stack
from flow.layout.wires import Node, Wires

FF_PER_PF = 1000
LEAST_OHM = 0.001
HEADER = """*SPEF "IEEE 1481-1998"
*DESIGN "{top}"
*DATE "-"
*VENDOR "ModExplorer"
*PROGRAM "flow.layout"
*VERSION "1"
*DESIGN_FLOW "NETLIST_TYPE_VERILOG"
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER [ ]
*T_UNIT 1 NS
*C_UNIT 1 FF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY
"""


@dataclass(frozen=True)
class NetRC:
    """A net's capacitance by node, fF, and its resistors: (node, node, ohm)."""

    capacitance: dict[Node, float]
    resistors: list[tuple[Node, Node, float]]

    @property
    def total(self) -> float:
        """All its capacitance, fF."""
        return sum(self.capacitance.values())


def capacitance(stack: Stack, edge: Edge) -> float:
    """Compute the capacitance of a piece of wire to ground, fF."""
    if edge.layer in CUTS:
        return 0.0
    layer = stack.layers[edge.layer]
    length, width = edge.length / UNITS_PER_UM, layer.width / UNITS_PER_UM
    return FF_PER_PF * length * (layer.area_capacitance * width + 2 * layer.edge_capacitance)


def resistance(stack: Stack, edge: Edge) -> float:
    """Compute the resistance of a piece of wire or a cut, ohm."""
    layer = stack.layers[edge.layer]
    if edge.layer in CUTS:
        return layer.resistance
    return max(LEAST_OHM, layer.resistance * edge.length / layer.width)


def net_rc(stack: Stack, wires: Wires) -> NetRC:
    """Compute the capacitance of a net, and the resistances of a tree through it."""
    nodes, edges = graph(stack, wires)
    values: dict[Node, float] = defaultdict(float)
    resistors = []
    sets = Sets()
    for edge in edges:
        half = capacitance(stack, edge) / 2
        values[edge.a] += half
        values[edge.b] += half
        if sets.join(edge.a, edge.b):
            resistors.append((edge.a, edge.b, resistance(stack, edge)))
    pins = {sets.find(pin_node(pin)) for pin in wires.pins}
    return NetRC(
        {node: value for node, value in values.items() if value and sets.find(node) in pins},
        [r for r in resistors if sets.find(r[0]) in pins],
    )


def escaped(name: str, port_bits: set[str]) -> str:
    """Spell a name as SPEF takes it: brackets of port bits bare, other special signs escaped."""
    return name if name in port_bits else re.sub(r"([^\w])", r"\\\1", name)


def write_spef(
    path: Path, stack: Stack, design: Design, nets: dict[str, Wires]
) -> dict[str, float]:
    """Write the file; the capacitance of each net, fF."""
    bits = {cell.name for cell in design.cells if cell.is_port}
    way = {"input": "I", "output": "O"}
    with path.open("w") as out:
        out.write(HEADER.format(top=design.top))
        out.write("\n*PORTS\n")
        for cell in design.cells:
            if cell.is_port:
                # An input port's cell drives its net: its pin is an output.
                direction = "I" if design.shape(cell).directions["P"] == "output" else "O"
                out.write(f"{escaped(cell.name, bits)} {direction}\n")
        totals = {}
        for name, wires in nets.items():
            rc = net_rc(stack, wires)
            totals[name] = rc.total
            net = escaped(name, bits)
            out.write(f"\n*D_NET {net} {rc.total:.5g}\n*CONN\n")
            names: dict[Node, str] = {}
            same = []
            for pin in wires.pins:
                cell = design.cells[pin.cell]
                direction = design.shape(cell).directions[pin.pin]
                if pin.is_port:
                    full, kind = escaped(cell.name, bits), "*P"
                    direction = "input" if direction == "output" else "output"
                else:
                    full, kind = f"{escaped(cell.name, bits)}:{pin.pin}", "*I"
                out.write(f"{kind} {full} {way[direction]}\n")
                node = pin_node(pin)
                if names.setdefault(node, full) != full:
                    same.append((names[node], full))
            for node in sorted({end for r in rc.resistors for end in r[:2]} | set(rc.capacitance)):
                names.setdefault(node, f"{net}:{len(names) + 1}")
            out.write("*CAP\n")
            for number, (node, value) in enumerate(rc.capacitance.items(), 1):
                out.write(f"{number} {names[node]} {value:.5g}\n")
            out.write("*RES\n")
            joined = [(names[a], names[b], ohm) for a, b, ohm in rc.resistors]
            joined += [(a, b, LEAST_OHM) for a, b in same]
            for number, (a, b, ohm) in enumerate(joined, 1):
                out.write(f"{number} {a} {b} {ohm:.4g}\n")
            out.write("*END\n")
    return totals
