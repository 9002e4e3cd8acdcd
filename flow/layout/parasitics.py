"""Extract the resistance and capacitance of the routed nets, and write them as SPEF.

Each piece of wire has half of its capacitance at either end: to what is at rest, and to wires of
other nets beside it, which SPEF lists in both nets. OpenSTA takes these as if they were to ground,
as they are while the neighbour is quiet. Crossing wires count as being at rest.

Pads of vias, and ends of wires, have the area and the outline that they add to the wires. The first
metal, within the cells, is the plane below all wires. What a pin has on it is not added: it is in
the library's capacitances, which exceed those of transistors alone (SKY130, by ngspice: by 0.06 fF
at inv_1, 0.3 fF at buf_2, 0.4 fF at a register's D).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import klayout.db as kdb

from flow.layout.capacitance import Capacitances, Patch
from flow.layout.connected import Edge, Sets, graph, pin_node
from flow.layout.design import Design
from flow.layout.lef import UNITS_PER_UM
from flow.layout.ports import is_input, port_shape
from flow.layout.surroundings import Densities, Run
from flow.layout.technology import Stack
from flow.layout.wires import Node, Wires, segment_shape, shapes
from flow.technologies.wires import WireTables

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
class Coupling:
    """The capacitance between a node of a net and one of another net, fF."""

    node: Node
    net: str
    other: Node
    ff: float


@dataclass
class NetRC:
    """A net's capacitance to ground by node, fF, what it has to other nets, and its resistors:
    (node, node, ohm)."""

    ground: dict[Node, float]
    resistors: list[tuple[Node, Node, float]]
    coupling: list[Coupling] = field(default_factory=list)

    @property
    def total(self) -> float:
        """All its capacitance, fF."""
        return sum(self.ground.values()) + sum(between.ff for between in self.coupling)


@dataclass
class OnMetal:
    """What the wires of a metal have: um, and fF to ground and to other nets."""

    um: float = 0.0
    ground_ff: float = 0.0
    coupling_ff: float = 0.0

    @property
    def ff_per_um(self) -> float:
        """The capacitance of a um of wire."""
        return (self.ground_ff + self.coupling_ff) / self.um if self.um else 0.0


@dataclass(frozen=True)
class Parasitics:
    """What all nets have, and the sums by metal."""

    nets: dict[str, NetRC]
    metals: dict[str, OnMetal]


@dataclass(frozen=True)
class Piece:
    """A piece of a net's wire between two nodes, the lower one first; how long it is between these,
    and where it is, with what is drawn beyond its ends. One of no length is below a via alone."""

    net: int
    low: Node
    high: Node
    length: int
    run: Run


def resistance(stack: Stack, edge: Edge) -> float:
    """Compute the resistance of a piece of wire or a cut, ohm."""
    layer = stack.layers[edge.layer]
    if edge.layer in stack.vias:
        return layer.resistance
    return max(LEAST_OHM, layer.resistance * edge.length / layer.width)


def resistors(stack: Stack, wires: Wires, edges: list[Edge]) -> tuple[NetRC, Sets]:
    """Make a tree of the pieces that pins reach; what is connected to what."""
    sets = Sets()
    tree = [edge for edge in edges if sets.join(edge.a, edge.b)]
    pins = {sets.find(pin_node(stack, pin)) for pin in wires.pins}
    rows = [(e.a, e.b, resistance(stack, e)) for e in tree if sets.find(e.a) in pins]
    return NetRC({}, rows), sets


def pieces(stack: Stack, number: int, wires: Wires, edges: list[Edge]) -> Iterator[Piece]:
    """List the pieces of wire of a net; the last ones of a wire go on for half its width."""
    ends = {
        (metal, at)
        for metal, x0, y0, x1, y1 in wires.segments()
        for at in ((x0, y0, x1 > x0), (x1, y1, x1 > x0))
    }
    points = [(m, x0, y0) for m, x0, y0, x1, y1 in wires.segments() if (x0, y0) == (x1, y1)]
    for edge in (*edges, *(Edge(point, point, point[0], 0) for point in points)):
        if edge.layer in stack.vias:
            continue
        low, high = sorted((edge.a, edge.b))
        half = stack.half_width[edge.layer]
        flat = low[2] == high[2] if edge.length else edge.layer in stack.horizontal
        more = [half * ((edge.layer, (*node[1:], flat)) in ends) for node in (low, high)]
        if not edge.length:
            more = [half, half]
        (_, x, y), (_, far_x, far_y) = low, high
        track, begin, end = (y, x, far_x) if flat else (x, y, far_y)
        run = Run(edge.layer, flat, track, begin - more[0], end + more[1])
        yield Piece(number, low, high, edge.length, run)


def patches(
    stack: Stack, width: int, wires: Wires, runs: Iterable[Run]
) -> Iterator[tuple[Node, Patch]]:
    """List what of a net's metals is no wire, shared among the nodes of its vias, in a core of this
    width, at whose edges its ports are."""
    regions: dict[str, kdb.Region] = defaultdict(kdb.Region)
    of_ports = (port_shape(stack, width, pin.access) for pin in wires.pins if pin.is_port)
    for layer, *corners in chain(shapes(stack, wires), of_ports):
        regions[layer].insert(kdb.Box(*corners))
    long: dict[str, int] = defaultdict(int)
    for run in runs:
        long[run.metal] += run.high - run.low
    nodes: dict[str, set[Node]] = defaultdict(set)
    for cut, x, y in wires.cuts:
        for metal in (stack.vias[cut].below, stack.vias[cut].above):
            nodes[metal].add((metal, x, y))
    for metal in stack.metals[1:]:
        region, at = regions[metal].merged(), nodes[metal]
        area = region.area() - long[metal] * stack.layers[metal].width
        outline = region.perimeter() - 2 * long[metal]
        for node in sorted(at):
            um2, um = area / UNITS_PER_UM**2 / len(at), outline / UNITS_PER_UM / len(at)
            yield node, Patch(*node, um2, um)


def extract_wires(
    stack: Stack, tables: WireTables, design: Design, nets: Mapping[str, Wires]
) -> Parasitics:
    """Extract all nets of a design."""
    densities = Densities(design.width, design.height, tables.metals, stack.row_height)
    found: dict[str, NetRC] = {}
    cut: list[Piece] = []
    pads: list[tuple[str, Node, Patch]] = []
    names, reached = list(nets), []
    for number, (name, wires) in enumerate(nets.items()):
        densities.add(segment_shape(stack, segment) for segment in wires.segments())
        _, edges = graph(stack, wires)
        found[name], sets = resistors(stack, wires, edges)
        pins = {sets.find(pin_node(stack, pin)) for pin in wires.pins}
        of_net = list(pieces(stack, number, wires, edges))
        cut += of_net
        reached += [sets.find(piece.low) in pins for piece in of_net]
        of_pads = patches(stack, design.width, wires, (piece.run for piece in of_net))
        pads += [(name, node, patch) for node, patch in of_pads if sets.find(node) in pins]
    width = {name: layer.width for name, layer in stack.layers.items()}
    runs, of_nets = [piece.run for piece in cut], [piece.net for piece in cut]
    capacitances = Capacitances(tables, densities)
    values = capacitances.of(runs, of_nets, width)
    metals = {name: OnMetal() for name in tables.metals}
    for piece, ff, is_reached in zip(cut, values.ground, reached, strict=True):
        on = metals[piece.run.metal]
        on.um, on.ground_ff = on.um + piece.length / UNITS_PER_UM, on.ground_ff + float(ff)
        if is_reached:
            _to_ground(found[names[piece.net]], piece, float(ff))
    of_patches = capacitances.patches([patch for *_, patch in pads])
    for (name, node, patch), ff in zip(pads, of_patches, strict=True):
        metals[patch.metal].ground_ff += float(ff)
        found[name].ground[node] = found[name].ground.get(node, 0.0) + float(ff)
    for pair in values.coupled:
        metals[runs[pair.one].metal].coupling_ff += 2 * pair.ff
        for own, other in ((pair.one, pair.other), (pair.other, pair.one)):
            rc, piece, far = found[names[cut[own].net]], cut[own], cut[other]
            if reached[own] and reached[other]:
                ends = (piece.low, far.low), (piece.high, far.high)
                rc.coupling += [Coupling(a, names[far.net], b, pair.ff / 2) for a, b in ends]
            elif reached[own]:
                _to_ground(rc, piece, pair.ff)
    return Parasitics(found, metals)


def _to_ground(rc: NetRC, piece: Piece, ff: float) -> None:
    """Put half of a piece's capacitance at either end."""
    for node in (piece.low, piece.high):
        rc.ground[node] = rc.ground.get(node, 0.0) + ff / 2


def escaped(name: str, port_bits: set[str]) -> str:
    """Spell a name as SPEF takes it: brackets of port bits bare, other special signs escaped."""
    return name if name in port_bits else re.sub(r"([^\w])", r"\\\1", name)


class Spef:
    """A SPEF file of a design's nets."""

    def __init__(self, design: Design, nets: Mapping[str, Wires], found: Parasitics) -> None:
        self.design, self.nets, self.found = design, nets, found
        self.bits = {cell.name for cell in design.cells if cell.is_port}
        self.names = {name: self._names(name) for name in nets}

    def _pin(self, cell: int, pin: str) -> str:
        """Name a pin, or a port's bit."""
        name = escaped(self.design.cells[cell].name, self.bits)
        return name if self.design.cells[cell].is_port else f"{name}:{pin}"

    def _names(self, net: str) -> dict[Node, str]:
        """Name the nodes of a net: by the pin there, or by the net and a number."""
        rc, names = self.found.nets[net], dict[Node, str]()
        for pin in self.nets[net].pins:
            names.setdefault(pin_node(self.design.stack, pin), self._pin(pin.cell, pin.pin))
        ends = {end for resistor in rc.resistors for end in resistor[:2]} | set(rc.ground)
        for node in sorted(ends):
            names.setdefault(node, f"{escaped(net, self.bits)}:{len(names) + 1}")
        return names

    def lines(self) -> Iterator[str]:
        """Write the file."""
        yield HEADER.format(top=self.design.top)
        yield "*PORTS"
        for cell in self.design.cells:
            if cell.is_port:
                direction = "I" if is_input(self.design, cell) else "O"
                yield f"{escaped(cell.name, self.bits)} {direction}"
        for net in self.nets:
            yield from self._net(net)

    def _net(self, net: str) -> Iterator[str]:
        rc, names = self.found.nets[net], self.names[net]
        yield f"\n*D_NET {escaped(net, self.bits)} {rc.total:.5g}\n*CONN"
        same = []
        for pin in self.nets[net].pins:
            full, node = self._pin(pin.cell, pin.pin), pin_node(self.design.stack, pin)
            direction = self.design.shape(self.design.cells[pin.cell]).directions[pin.pin]
            if pin.is_port:
                direction = "input" if direction == "output" else "output"
            yield f"{'*P' if pin.is_port else '*I'} {full} {direction[0].upper()}"
            if names[node] != full:
                same.append((names[node], full))
        yield "*CAP"
        between: dict[tuple[str, str], float] = defaultdict(float)
        for part in rc.coupling:
            between[names[part.node], self.names[part.net][part.other]] += part.ff
        rows = [f"{names[node]} {ff:.5g}" for node, ff in rc.ground.items()]
        rows += [f"{own} {other} {ff:.5g}" for (own, other), ff in between.items()]
        yield from (f"{number} {row}" for number, row in enumerate(rows, 1))
        yield "*RES"
        joined = [(names[a], names[b], ohm) for a, b, ohm in rc.resistors]
        joined += [(a, b, LEAST_OHM) for a, b in same]
        for number, (a, b, ohm) in enumerate(joined, 1):
            yield f"{number} {a} {b} {ohm:.4g}"
        yield "*END"


def write_spef(path: Path, design: Design, nets: Mapping[str, Wires], found: Parasitics) -> None:
    """Write the file of what was extracted."""
    with path.open("w") as out:
        out.writelines(f"{line}\n" for line in Spef(design, nets, found).lines())
