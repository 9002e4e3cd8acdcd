"""Compare a layout's circuit with its schematic, by KLayout's NetlistComparer: cells are black
boxes of a kind, with pins; they and the nets between are matched by how they are connected, from
the ports on, whose names are known on both sides."""

from collections.abc import Iterable
from typing import Any

import klayout.db as kdb

from flow.results.record import Record
from flow.signoff.circuit import Circuit, Net

MOST_BRANCHES = 100_000  # of nets that look alike, before the comparer gives up


class Compared(Record, frozen=True):
    """How many nets, cells and ports there are, in the layout and in the schematic, and how many
    match; what does not, in words."""

    nets: tuple[int, int, int]
    cells: tuple[int, int, int]
    ports: tuple[int, int, int]
    mismatches: tuple[str, ...]


class _Side:
    """A circuit as KLayout takes it, with black boxes of the given pins."""

    def __init__(self, circuit: Circuit, pins: dict[str, list[str]]) -> None:
        self.circuit = circuit
        self.netlist = kdb.Netlist()
        boxes: dict[str, kdb.Circuit] = {}
        for master, names in pins.items():
            boxes[master] = _named(self.netlist, master)
            for name in names:
                boxes[master].create_pin(name)
        self.top = _named(self.netlist, circuit.top)
        self.nets: dict[Net, kdb.Net] = {}
        for part in circuit.parts:
            cell = self.top.create_subcircuit(boxes[part.master], part.name)
            for number, name in enumerate(pins[part.master]):
                if name in part.pins:
                    cell.connect_pin(number, self.net(part.pins[name]))
        for name, net in circuit.ports.items():
            self.top.connect_pin(self.top.create_pin(name), self.net(net))

    def net(self, number: Net) -> kdb.Net:
        """Return the net of a number."""
        if number not in self.nets:
            self.nets[number] = self.top.create_net(f"{number}")
        return self.nets[number]

    def said(self, net: kdb.Net) -> str:
        """Say what is on a net: its ports, else two of its pins."""
        number = int(net.name)
        ports = [f"port {name}" for name, at in self.circuit.ports.items() if at == number]
        pins = [f"{ref.subcircuit().name} {ref.pin().name()}" for ref in net.each_subcircuit_pin()]
        all_ = [*ports, *sorted(pins)]
        more = f" and {len(all_) - 2} more" if len(all_) > 2 else ""
        return ", ".join(all_[:2]) + more


def _named(netlist: kdb.Netlist, name: str) -> kdb.Circuit:
    circuit = kdb.Circuit()
    circuit.name = name
    netlist.add(circuit)
    return circuit


class _Log(kdb.GenericNetlistCompareLogger):
    """Collects what matches and what does not."""

    def __init__(self, layout: _Side, schematic: _Side) -> None:
        super().__init__()
        self.layout, self.schematic = layout, schematic
        self.nets = self.cells = 0
        self.wrong: list[str] = []
        self.inside = ""

    def begin_circuit(self, one: kdb.Circuit, other: kdb.Circuit) -> None:
        """Note which circuits are compared now."""
        self.inside = one.name

    def match_nets(self, one: kdb.Net, other: kdb.Net) -> None:
        """Count nets that match."""
        self.nets += one is not None and self.inside == self.layout.top.name

    match_ambiguous_nets = match_nets

    def match_subcircuits(self, one: kdb.SubCircuit, other: kdb.SubCircuit) -> None:
        """Count cells that match."""
        self.cells += 1

    def net_mismatch(self, one: kdb.Net | None, other: kdb.Net | None, *_: Any) -> None:
        """Say which net has no partner."""
        if one is not None:
            self.wrong.append(f"net of the layout only: {self.layout.said(one)}")
        if other is not None:
            self.wrong.append(f"net of the schematic only: {self.schematic.said(other)}")

    def subcircuit_mismatch(
        self, one: kdb.SubCircuit | None, other: kdb.SubCircuit | None, *_: Any
    ) -> None:
        """Say which cell has no partner, or is wrongly connected."""
        if one is not None:
            self.wrong.append(f"cell of the layout only: {one.name}")
        if other is not None:
            kind = other.circuit_ref().name
            self.wrong.append(f"cell of the schematic only: {other.name} ({kind})")


def compare(layout: Circuit, schematic: Circuit) -> Compared:
    """Compare them, without pins that nothing is at."""
    layout, schematic = layout.without_loose_ends(), schematic.without_loose_ends()
    pins = _pins((layout, schematic))
    one, other = _Side(layout, pins), _Side(schematic, pins)
    log = _Log(one, other)
    comparer = kdb.NetlistComparer(log)
    comparer.max_branch_complexity = MOST_BRANCHES
    both = [name for name in layout.ports if name in schematic.ports]
    wrong = _of_one(layout.ports, schematic.ports, "port {} of the layout only")
    wrong += _of_one(schematic.ports, layout.ports, "port {} of the schematic only")
    for name in both:
        pair = one.net(layout.ports[name]), other.net(schematic.ports[name])
        comparer.same_nets(one.top, other.top, *pair, True)
    comparer.same_circuits(one.top, other.top)
    same = comparer.compare(one.netlist, other.netlist)
    wrong += log.wrong
    if not same and not wrong:
        wrong.append("KLayout finds the netlists to differ, and does not say where")
    return Compared(
        nets=(len(one.nets), len(other.nets), log.nets),
        cells=(len(layout.parts), len(schematic.parts), log.cells),
        ports=(len(layout.ports), len(schematic.ports), len(both)),
        mismatches=tuple(wrong),
    )


def _pins(circuits: Iterable[Circuit]) -> dict[str, list[str]]:
    """Collect the pins of each kind of cell."""
    found: dict[str, set[str]] = {}
    for circuit in circuits:
        for part in circuit.parts:
            found.setdefault(part.master, set()).update(part.pins)
    return {master: sorted(pins) for master, pins in found.items()}


def _of_one(one: Iterable[str], other: Iterable[str], text: str) -> list[str]:
    return [text.format(name) for name in sorted(set(one) - set(other))]
