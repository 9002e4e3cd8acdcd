"""Extract cells, nets and ports from a GDS file, by KLayout, from nothing but the file.

Each cell of the file is a circuit, whose pins are what its labels on low metals name. Cells are
known by where they were placed: nothing in the file names them.
"""

from collections import defaultdict
from dataclasses import dataclass

import klayout.db as kdb

from flow.results.record import Record
from flow.signoff.circuit import Circuit, Net, Part
from flow.signoff.rulefile import Drawn, RuleFile, in_gds
from flow.signoff.rules import derive
from sim.errors import RunError

UNNAMED = "(no label)"


class Supply(Record, frozen=True):
    """The rails of a supply: in how many parts they are, how many there are by their places, and
    where they are broken: the right end of a part that another goes on after, um."""

    name: str
    parts: int
    rails: int
    breaks: tuple[tuple[float, float], ...] = ()


@dataclass
class Extracted:
    """The circuit, its supplies, cells that have no pin but supplies (fillers), and what is wrong
    with the nets as they are."""

    circuit: Circuit
    supplies: tuple[Supply, ...]
    fillers: int
    wrong: list[str]


class _Reader:
    """Reads what KLayout extracted of one layout."""

    def __init__(self, top: kdb.Cell, rules: RuleFile) -> None:
        self.layout, self.top, self.rules = top.layout(), top, rules
        self.tool = kdb.LayoutToNetlist(kdb.RecursiveShapeIterator(self.layout, top, []))
        self.tool.include_floating_subcircuits = True
        said = rules.connectivity
        self.regions = {name: self._region(name) for name in (*said.metals, *said.cuts)}
        for region in self.regions.values():
            self.tool.connect(region)
        for below, cut, above in zip(said.metals[:-1], said.cuts, said.metals[1:], strict=True):
            self.tool.connect(self.regions[below], self.regions[cut])
            self.tool.connect(self.regions[cut], self.regions[above])
        self.labels = [self._layer(layer) for layer in said.pins.values()]
        for metal, layer in zip(said.pins, self.labels, strict=True):
            texts = self.tool.make_text_layer(layer, f"pins on {metal}")
            self.tool.connect(self.regions[metal], texts)
        self.tool.extract_netlist()
        found = self.tool.netlist().circuit_by_name(top.name)
        if found is None:
            raise RunError(f"{top.name}: the layout has no metal, and so no nets")
        self.found = found
        self.wrong: list[str] = []
        self._rails_in: dict[tuple[str, str], kdb.DBox] = {}

    def _region(self, name: str) -> kdb.Region:
        """Return a layer as the tool connects it, drawn or derived."""
        if (derived := self.rules.derived.get(name)) is None:
            return self.tool.make_layer(self._layer(self.rules.layers[name]), name)
        made = derive(derived, *(self._region(of) for of in derived.of))
        self.tool.register(made, name)
        return made

    def _layer(self, drawn: Drawn) -> int:
        return self.layout.layer(*in_gds(drawn))

    def read(self) -> Extracted:
        """Read cells with their nets, rails and ports."""
        circuit = Circuit(self.top.name)
        supplies = set(self.rules.connectivity.supplies)
        on_supply = self._supply_nets()
        fillers = 0
        for cell in self.found.each_subcircuit():
            master = cell.circuit_ref()
            at = f"{cell.trans.disp.x:.2f}, {cell.trans.disp.y:.2f}"
            pins: dict[str, Net] = {}
            seen: set[str] = set()
            for pin in master.each_pin():
                net = cell.net_for_pin(pin.id())
                name = self._pin_name(master, pin)
                if net is None:
                    continue
                if pins.setdefault(name, net.cluster_id) != net.cluster_id or (
                    name in seen and name not in supplies
                ):
                    self.wrong.append(f"{master.name} at {at}: pin {name} is in two parts")
                seen.add(name)
                if name in supplies:
                    continue
                if supply := on_supply.get(net.cluster_id):
                    self.wrong.append(f"{master.name} at {at}: pin {name} is on {supply}")
            if pins.keys() - supplies:
                circuit.parts.append(Part(f"{master.name} at {at}", master.name, pins))
            else:
                fillers += 1
        circuit.ports = self._ports()
        said = self.rules.connectivity.supplies
        rails = tuple(self._supply(name) for name in said)
        return Extracted(circuit, rails, fillers, self.wrong)

    @staticmethod
    def _pin_name(master: kdb.Circuit, pin: kdb.Pin) -> str:
        net = master.net_for_pin(pin.id())
        return (net.name if net else "") or pin.name() or f"{UNNAMED} {pin.id()}"

    def _supply_nets(self) -> dict[int, str]:
        """Name the supply that each net of rails is on; a net of both is a short."""
        supplies = set(self.rules.connectivity.supplies)
        found = {}
        for net in self.found.each_net():
            names = {
                self._pin_name(ref.subcircuit().circuit_ref(), ref.pin())
                for ref in net.each_subcircuit_pin()
            } & supplies
            if names:
                found[net.cluster_id] = " and ".join(sorted(names))
            if len(names) > 1:
                self.wrong.append(f"{found[net.cluster_id]} are one net")
        return found

    def _supply(self, name: str) -> Supply:
        """Count the parts of a supply, and those that lie on one rail beside each other."""
        parts = 0
        spans: dict[float, list[tuple[float, float]]] = defaultdict(list)
        for net in self.found.each_net():
            on_rail: dict[float, list[kdb.DBox]] = defaultdict(list)
            for ref in net.each_subcircuit_pin():
                cell = ref.subcircuit()
                if self._pin_name(cell.circuit_ref(), ref.pin()) == name:
                    box = self._rail(cell.circuit_ref().name, name).transformed(cell.trans)
                    on_rail[round(box.center().y, 4)].append(box)
            parts += bool(on_rail)
            for y, boxes in on_rail.items():
                spans[y].append((min(b.left for b in boxes), max(b.right for b in boxes)))
        breaks = [
            (round(right, 4), y)
            for y, ends in sorted(spans.items())
            for _, right in sorted(ends)[:-1]
        ]
        return Supply(name, parts, len(spans), tuple(breaks))

    def _rail(self, master: str, name: str) -> kdb.DBox:
        """Find where the rail of a supply is in a cell: the edge of its outline that the label is
        nearest to."""
        if (master, name) not in self._rails_in:
            cell = self.layout.cell(master)
            outline = cell.dbbox(self._layer(self.rules.outline))
            shapes = (s for layer in self.labels for s in cell.each_shape(layer) if s.is_text())
            heights = [s.dtext.y for s in shapes if s.text_string == name]
            y = min((outline.bottom, outline.top), key=lambda edge: abs(edge - heights[0]))
            self._rails_in[master, name] = kdb.DBox(outline.left, y, outline.right, y)
        return self._rails_in[master, name]

    def _ports(self) -> dict[str, Net]:
        """Find the net of each port: what its labels are on."""
        ports: dict[str, Net] = {}
        for metal, layer in self.rules.connectivity.ports.items():
            region = self.regions[metal]
            for shape in self.top.each_shape(self._layer(layer)):
                if not shape.is_text():
                    continue
                name, place = shape.text_string, kdb.Point() + shape.text_pos
                net = self.tool.probe_net(region, place)
                if net is None:
                    self.wrong.append(f"port {name}: its label is on no {metal}")
                elif net.circuit().name != self.found.name:
                    self.wrong.append(f"port {name}: its label is on a cell's own metal")
                elif ports.setdefault(name, net.cluster_id) != net.cluster_id:
                    self.wrong.append(f"port {name} is in two parts")
        by_net: dict[Net, list[str]] = defaultdict(list)
        for name, at in ports.items():
            by_net[at].append(name)
        self.wrong += [f"ports {' and '.join(n)} are one net" for n in by_net.values() if n[1:]]
        return ports


def extract(top: kdb.Cell, rules: RuleFile) -> Extracted:
    """Extract what a cell of a layout connects."""
    return _Reader(top, rules).read()
