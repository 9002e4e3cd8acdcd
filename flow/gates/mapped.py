"""Hold a netlist of library cells as arrays: its cells by kind, with the nets at their pins."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flow.gates.cells import Cell
from flow.gates.liberty import Library
from flow.netlist import HIGH, Netlist
from sim.errors import RunError

OPEN = -1  # in place of the net at a pin that is connected to nothing


class NetlistError(RunError):
    """The netlist is not one of library cells that can be simulated."""


@dataclass(frozen=True)
class Kind:
    """The instances of one cell of the library: their numbers, and the net at each pin."""

    cell: Cell
    cells: np.ndarray
    nets: dict[str, np.ndarray]


class MappedNetlist:
    """A netlist's cells by kind, in their order; a cell's number is its place in `instances`."""

    def __init__(self, netlist: Netlist, library: Library) -> None:
        self.instances, self.ports, self.library = netlist.instances, netlist.ports, library
        self.nets = 1 + max(netlist.names.values(), default=HIGH)  # how many there may be
        members = defaultdict(list)
        for number, instance in enumerate(netlist.instances):
            members[instance.master].append(number)
        self.kinds = {}
        for name in sorted(members):
            if name not in library:
                raise NetlistError(f"cell {name} is not in the library")
            self.kinds[name] = self._kind(library[name], members[name])

    def _kind(self, cell: Cell, members: list[int]) -> Kind:
        at = [self.instances[number].pins for number in members]
        nets = {pin: np.array([pins.get(pin, OPEN) for pins in at], np.int64) for pin in cell.pins}
        missing = [pin for pin in cell.inputs if (nets[pin] == OPEN).any()]
        if missing:
            raise NetlistError(f"an instance of {cell.name} has nothing at pin {missing[0]}")
        return Kind(cell, np.array(members, np.int64), nets)

    @cached_property
    def loads(self) -> np.ndarray:
        """How many input pins each net drives."""
        counts = np.zeros(self.nets, np.int64)
        for kind in self.kinds.values():
            for pin in kind.cell.inputs:
                np.add.at(counts, kind.nets[pin], 1)
        return counts

    def registers(self) -> Iterator[Kind]:
        """List the kinds that store a bit."""
        return (kind for kind in self.kinds.values() if kind.cell.next_state)

    def clock_gates(self) -> Iterator[Kind]:
        """List the kinds that gate a clock."""
        return (kind for kind in self.kinds.values() if kind.cell.enable)

    def gates(self) -> Iterator[tuple[Kind, str]]:
        """List the kinds that compute, once for each output pin."""
        for kind in self.kinds.values():
            if not kind.cell.next_state and not kind.cell.enable:
                yield from ((kind, pin) for pin in kind.cell.outputs)
