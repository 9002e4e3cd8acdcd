"""What a probe on each wire of a netlist sees of shares, cycle by cycle, with glitches.

A label stands for one share of one bit. Before a wire settles it may take any value that its inputs
on the way to it allow, so that a probe there sees the labels of all registers that it is computed
of. A register keeps those labels that the settled value of its input depends on: an input that is
held off by a control, as this is in that cycle, adds none.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from flow.gates.levels import read_gates
from flow.gates.mapped import OPEN, MappedNetlist, NetlistError
from flow.netlist import HIGH

MOST_BITS = 32  # that are shared: two labels each


@dataclass
class Probed:
    """Tells, of a run: the cycles with labels, the wires that saw either share, and where both
    shares of a bit met: the first cycle, the wire and the bit of each such wire."""

    cycles: int = 0
    saw: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    met: dict[int, tuple[int, int]] = field(default_factory=dict)


class Probing:
    """Runs a netlist of gates and registers, and follows labels through it.

    bits: how many are shared; bit i of share s has the label 2^(i + s * bits). values: the names of
    registers that are told apart from shares: what they take keeps no label.
    """

    def __init__(self, netlist: MappedNetlist, bits: int, values: re.Pattern[str]) -> None:
        if bits > MOST_BITS:
            raise ValueError(f"at most {MOST_BITS} bits have labels, not {bits}")
        gates = read_gates(netlist)
        self.bits = bits
        self.levels = [np.nonzero(gates.levels == level)[0] for level in range(gates.depth)]
        self.gates = gates
        self.pins = np.where(gates.inputs == OPEN, 0, gates.inputs)
        self.width = (gates.inputs != OPEN).sum(axis=1)
        data, state, inverse, names = [], [], [], []
        for kind in netlist.registers():
            cell = kind.cell
            if cell.next_state not in cell.inputs:
                raise NetlistError(f"register {cell.name} computes its next state: not followed")
            nets = {cell.pins[pin].function: kind.nets[pin] for pin in cell.outputs}
            none = np.full(len(kind.cells), OPEN)
            names += [netlist.instances[number].name for number in kind.cells]
            data.append(kind.nets[cell.next_state])
            state.append(nets.get(cell.states[0], none))
            inverse.append(nets.get(cell.states[1], none))
        self.data, self.state, self.inverse = map(np.concatenate, (data, state, inverse))
        self.registers = {name: place for place, name in enumerate(names)}
        self.is_value = np.array([bool(values.search(name)) for name in names])
        self.now = np.zeros(netlist.nets, np.uint8)
        self.now[HIGH] = 1
        self.labels = np.zeros(netlist.nets, np.uint64)  # of what registers hold
        self.held = np.zeros(len(self.data), np.uint8)
        self._load(self.held, np.zeros(len(self.data), np.uint64))

    def _load(self, bits: np.ndarray, labels: np.ndarray) -> None:
        self.held = bits
        for nets, taken in ((self.state, bits), (self.inverse, 1 - bits)):
            used = nets != OPEN
            self.now[nets[used]] = taken[used]
            self.labels[nets[used]] = labels[used]

    def label(self, labels: Mapping[str, int]) -> None:
        """Give what registers hold labels, by their names; all others lose theirs."""
        given = np.zeros(len(self.data), np.uint64)
        for name, label in labels.items():
            given[self.registers[name]] = label
        self._load(self.held, given)

    def settle(self, inputs: Mapping[int, int]) -> None:
        """Put bits on the nets of inputs, and let the gates follow."""
        for net, bit in inputs.items():
            self.now[net] = bit
        for level in self.levels:
            index = np.zeros(len(level), np.uint64)
            for k in range(self.pins.shape[1]):
                used = np.where(self.width[level] > k, self.now[self.pins[level, k]], 0)
                index |= used.astype(np.uint64) << np.uint64(k)
            self.now[self.gates.outputs[level]] = self.gates.tables[level] >> index & np.uint64(1)

    def look(self, probed: Probed, cycle: int) -> None:
        """Note what the wires see of the labels, if there are any."""
        if not self.labels.any():
            return
        seen = self.labels.copy()
        for level in self.levels:
            found = np.zeros(len(level), np.uint64)
            for k in range(self.pins.shape[1]):
                found |= np.where(self.width[level] > k, seen[self.pins[level, k]], np.uint64(0))
            seen[self.gates.outputs[level]] = found
        shift, mask = np.uint64(self.bits), np.uint64((1 << self.bits) - 1)
        probed.cycles += 1
        for share, own in enumerate((seen & mask, seen >> shift)):
            probed.saw[share].update(map(int, np.nonzero(own)[0]))
        both = seen & seen >> shift & mask
        for net in map(int, np.nonzero(both)[0]):
            probed.met.setdefault(net, (cycle, int(both[net]).bit_length() - 1))

    def clock(self) -> None:
        """Let the registers take what is at their inputs, and its labels."""
        labels = self._settled_labels()[self.data]
        labels[self.is_value] = 0
        self._load(self.now[self.data], labels)

    def _settled_labels(self) -> np.ndarray:
        """Return the labels that each net's settled value depends on."""
        settled = self.labels.copy()
        if not settled.any():
            return settled
        for level in self.levels:
            labelled = (settled[self.pins[level]] != 0) & (self.gates.inputs[level] != OPEN)
            for gate in level[labelled.any(axis=1)]:
                pins = self.pins[gate, : self.width[gate]]
                with_label = sum(int(settled[net] != 0) << k for k, net in enumerate(pins))
                value = sum(int(self.now[net]) << k for k, net in enumerate(pins))
                open_ = _open_pins(
                    int(self.gates.tables[gate]), len(pins), value & ~with_label, with_label
                )
                found = np.uint64(0)
                for k, net in enumerate(pins):
                    if open_ >> k & 1:
                        found |= settled[net]
                settled[self.gates.outputs[gate]] = found
        return settled


@cache
def _open_pins(table: int, width: int, fixed: int, free: int) -> int:
    """Return which of the free pins a gate's value depends on, if the others are fixed so."""
    found = 0
    for state in range(1 << width):
        if state & ~free == fixed:
            for k in range(width):
                other = state ^ 1 << k
                if free >> k & 1 and (table >> state ^ table >> other) & 1:
                    found |= 1 << k
    return found
