"""A netlist of one module: its ports, cells and nets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

LOW, HIGH = 0, 1  # the nets of the constants; yosys numbers the others from 2 on
CONSTANTS = {"0": LOW, "1": HIGH, "x": LOW, "z": LOW}  # nothing depends on the last two
DIRECTIONS = {False: "input", True: "output"}
SIMPLE = re.compile(r"[A-Za-z_]\w*$")


@dataclass(frozen=True)
class Port:
    """A port: its direction, the nets of its bits from the lowest on, and the index of that."""

    output: bool
    nets: tuple[int, ...]
    lowest: int = 0

    def bits(self, name: str) -> list[tuple[str, int]]:
        """Name the bits of a port (or wire) of this name, each with its net."""
        if len(self.nets) == 1:
            return [(name, *self.nets)]
        return [(f"{name}[{index}]", net) for index, net in enumerate(self.nets, self.lowest)]


class PortBit(NamedTuple):
    """A bit of a port: its name, direction and net."""

    name: str
    output: bool
    net: int


@dataclass
class Instance:
    """A cell: its name, what the library calls it, and the net at each pin that has one."""

    name: str
    master: str
    pins: dict[str, int]


@dataclass
class Netlist:
    """A module of cells. Nets are numbers, and each has at least one name."""

    top: str
    ports: dict[str, Port] = field(default_factory=dict)
    instances: list[Instance] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)

    def port_bits(self) -> Iterator[PortBit]:
        """List the bits of all ports, in the ports' order, the lowest bit first."""
        for name, port in self.ports.items():
            yield from (PortBit(bit, port.output, net) for bit, net in port.bits(name))

    @cached_property
    def name_of(self) -> dict[int, str]:
        """The first name of each net: an input's bit, else an output's, else a wire."""
        return {net: name for name, net in reversed(self.names.items())}

    def name_ports(self) -> None:
        """Name the nets of ports, of inputs first."""
        for bit in sorted(self.port_bits(), key=lambda bit: bit.output):
            self.name(bit.name, bit.net)

    def name(self, name: str, net: int) -> None:
        """Give a net a name, or one like it: a bit of a vector and a wire may be spelled alike."""
        while self.names.setdefault(name, net) != net:
            name += "_"

    def save(self, path: Path) -> None:
        """Write the netlist for read_netlist."""
        path.write_bytes(msgspec.json.encode(self))

    def write_verilog(self, path: Path) -> None:
        """Write the netlist as Verilog."""
        net = {LOW: "1'h0", HIGH: "1'h1"}
        declared, joined = [], []
        for name, port in sorted(self.ports.items(), key=lambda item: item[1].output):
            name, last = _escaped(name), port.lowest + len(port.nets) - 1
            range_of = f"[{last}:{port.lowest}] " if len(port.nets) > 1 else ""
            declared.append(f"  {DIRECTIONS[port.output]} {range_of}{name};")
            for bit, number in port.bits(name):
                if net.setdefault(number, bit) != bit:
                    joined.append(f"  assign {bit} = {net[number]};")
        for number, name in self.name_of.items():
            if number not in net:
                net[number] = _escaped(name)
                declared.append(f"  wire {net[number]};")
        lines = [f"module {_escaped(self.top)}({', '.join(map(_escaped, self.ports))});"]
        lines += declared + joined
        for cell in self.instances:
            pins = ", ".join(f".{pin}({net[number]})" for pin, number in cell.pins.items())
            lines.append(f"  {cell.master} {_escaped(cell.name)} ({pins});")
        path.write_text("\n".join([*lines, "endmodule", ""]))


def read_netlist(path: Path) -> Netlist:
    """Read a netlist that was saved."""
    return msgspec.json.decode(path.read_bytes(), type=Netlist)


def _escaped(name: str) -> str:
    """Spell a name as Verilog takes it."""
    return name if SIMPLE.match(name) else f"\\{name} "
