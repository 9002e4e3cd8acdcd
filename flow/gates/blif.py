"""Write circuits as BLIF text for abc: mapped netlists, and RTL that yosys has brought to bits.

Registers that both circuits have, by name, can be cut: what such a register holds becomes an input,
and what it is to hold next an output. If all outputs agree then, so do the circuits. A register of
only one of them is taken to hold something, which it must hold next, too.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from flow.gates.cells import Cell
from flow.gates.clocks import read_clocks
from flow.gates.logic import Logic
from flow.gates.mapped import OPEN, Kind, MappedNetlist
from flow.netlist import HIGH, LOW, Netlist, Port

SUFFIX = "_reg"  # that synthesis adds to a register's name


@dataclass
class Circuit:
    """Ports as (name, net), gates as BLIF tables, registers as (names, next net, net)."""

    inputs: list[tuple[str, str]] = field(default_factory=list)
    outputs: list[tuple[str, str]] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    registers: list[tuple[set[str], str, str]] = field(default_factory=list)
    constant: set[str] = field(default_factory=set)  # names of what is always 0

    def unpaired(self, cut: set[str]) -> list[str]:
        """Name each register that is not cut."""
        return sorted(min(names, default="") for names, _, _ in self.registers if not names & cut)

    def text(
        self, cut: set[str], still: list[str], twins: dict[str, str], unpaired_only: bool = False
    ) -> str:
        """Write the BLIF text with these registers cut.

        The registers of `still`, which only one of the two circuits has, are taken to be 0: what
        they are to hold next is an output, which is 0 in the other circuit. Those of `twins` are
        taken to be the cut register that is named there, and are to hold next what it does. There
        are no outputs but these if `unpaired_only`.
        """
        inputs, tables = list(self.inputs), [*self.tables, ".names zero"]
        outputs, paired = list(self.outputs), {"": ("zero", "zero")}
        for names, following, net in self.registers:
            if name := min(names & cut, default=None):
                inputs.append((f"now.{name}", net))
                outputs.append((f"next.{name}", following))
                paired[name] = net, following
        alone = {name: paired[twins.get(name, "")][1] for name in [*still, *twins]}
        for names, following, net in self.registers:
            if not names & cut:
                name = min(names, default="")
                tables.append(f".names {paired[twins.get(name, '')][0]} {net}\n1 1")
                alone[name] = following
        if unpaired_only:
            outputs = []
        outputs += [(f"alone.{name}", net) for name, net in alone.items()]
        # abc pairs by order, and so by the sorted names.
        inputs.sort()
        outputs.sort()
        return "\n".join(
            [
                ".model circuit",
                f".inputs {' '.join(f'i{i}' for i in range(len(inputs)))}",
                f".outputs {' '.join(f'o{i}' for i in range(len(outputs)))}",
                *tables,
                *(f".names i{i} {net}\n1 1" for i, (_, net) in enumerate(inputs)),
                *(f".names {net} o{i}\n1 1" for i, (_, net) in enumerate(outputs)),
                ".end\n",
            ]
        )

    def interface(self, cut: set[str]) -> tuple[list[str], list[str]]:
        """List the sorted names of the inputs and of the outputs, with these registers cut."""
        cuts = [min(names & cut) for names, _, _ in self.registers if names & cut]
        inputs = [name for name, _ in self.inputs] + [f"now.{name}" for name in cuts]
        outputs = [name for name, _ in self.outputs] + [f"next.{name}" for name in cuts]
        return sorted(inputs), sorted(outputs)


def of_netlist(netlist: MappedNetlist, clock_port: str = "clk") -> Circuit:
    """Make the circuit of a mapped netlist from its cells' functions in the library. A register
    behind a clock gate takes its input if the gate's enable is 1, else it keeps its state."""
    found, clocks = _outside(netlist.ports), read_clocks(netlist, clock_port)
    for kind in netlist.kinds.values():
        if kind.cell.next_state:
            _registers(kind, clocks.enables_of(kind), netlist, found)
        elif not kind.cell.enable:
            found.tables += _gates(kind)
    return found


def _gates(kind: Kind) -> Iterator[str]:
    names = kind.cell.inputs
    for pin in kind.cell.outputs:
        rows = _rows(kind.cell, pin)
        for *inputs, output in zip(*(kind.nets[name] for name in [*names, pin]), strict=True):
            if output != OPEN:
                yield f".names {' '.join(f'n{net}' for net in [*inputs, output])}\n{rows}"


def _rows(cell: Cell, pin: str) -> str:
    """Write the input states for which the pin is 1."""
    names = cell.inputs
    table = Logic(cell.pins[pin].function).table(names)
    states = [state for state in range(1 << len(names)) if table >> state & 1]
    rows = ("".join(str(state >> k & 1) for k in range(len(names))) for state in states)
    return "\n".join(f"{row} 1".strip() for row in rows)


def _registers(kind: Kind, enables: np.ndarray, netlist: MappedNetlist, found: Circuit) -> None:
    cell = kind.cell
    for number, data, enable in zip(kind.cells, kind.nets[cell.next_state], enables, strict=True):
        name = netlist.instances[number].name.removesuffix(SUFFIX)
        following = f"n{data}"
        if enable != HIGH:
            following = f"d{number}"
            nets = f"n{enable} n{data} r{number} {following}"
            found.tables.append(f".names {nets}\n11- 1\n0-1 1")
        found.registers.append(({name}, following, f"r{number}"))
    for pin in cell.outputs:
        value = "1" if cell.pins[pin].function == cell.states[0] else "0"
        for number, net in zip(kind.cells, kind.nets[pin], strict=True):
            if net != OPEN:
                found.tables.append(f".names r{number} n{net}\n{value} 1")


def of_bits(netlist: Netlist) -> Circuit:
    """Make the circuit of RTL that yosys has brought to and gates, inverters and registers."""
    found = _outside(netlist.ports)
    found.constant = {name for name, net in netlist.names.items() if net == LOW}
    names: dict[int, set[str]] = defaultdict(set)
    for name, net in netlist.names.items():
        names[net].add(name)
        if not name.endswith("]"):
            names[net].add(f"{name}[0]")  # synthesis may have kept more bits of it
    for cell in netlist.instances:
        nets = {pin: f"n{number}" for pin, number in cell.pins.items()}
        match cell.master:
            case "$_AND_":
                found.tables.append(f".names {nets['A']} {nets['B']} {nets['Y']}\n11 1")
            case "$_NOT_":
                found.tables.append(f".names {nets['A']} {nets['Y']}\n0 1")
            case "$_DFF_P_":
                found.registers.append((names[cell.pins["Q"]], nets["D"], nets["Q"]))
            case other:
                raise ValueError(f"a cell {other} is not an and, an inverter or a register")
    return found


def _outside(ports: dict[str, Port]) -> Circuit:
    """Make a circuit that has these ports, and the constants."""
    found = Circuit(tables=[f".names n{LOW}", f".names n{HIGH}\n1"])
    for name, port in ports.items():
        bits = [(f"{name}[{bit}]", f"n{net}") for bit, net in enumerate(port.nets)]
        (found.outputs if port.output else found.inputs).extend(bits)
    return found


def common_registers(left: Circuit, right: Circuit) -> set[str]:
    """Find names by which registers of both circuits can be paired, one to one."""
    by_name = {name: i for i, (names, _, _) in enumerate(right.registers) for name in names}
    found, used = set(), set()
    for names, _, _ in left.registers:
        for name in sorted(names):
            if name in by_name and by_name[name] not in used:
                found.add(name)
                used.add(by_name[name])
                break
    return found


def twins_of(cut: set[str], few: Circuit, many: Circuit) -> dict[str, str]:
    """Find for registers that only `many` has the cut register that stands for them in `few`."""
    known = {
        name: min(names & cut) for names, _, _ in few.registers if names & cut for name in names
    }
    return {name: known[name] for name in many.unpaired(cut) if name in known}
