"""A netlist of one module: its ports, cells and nets. It is read and saved as yosys' JSON."""

import re
from collections.abc import Iterator, Sequence
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

    def save(self, path: Path) -> None:
        """Write the netlist for read_netlist, in the form of yosys' JSON."""
        module = {
            "ports": {
                name: {
                    "direction": DIRECTIONS[port.output],
                    "offset": port.lowest,
                    "bits": _as_json(port.nets),
                }
                for name, port in self.ports.items()
            },
            "cells": {
                cell.name: {
                    "type": cell.master,
                    "connections": {pin: _as_json([net]) for pin, net in cell.pins.items()},
                }
                for cell in self.instances
            },
            "netnames": {name: {"bits": _as_json([net])} for name, net in self.names.items()},
        }
        path.write_bytes(msgspec.json.encode({"modules": {self.top: module}}))

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


class JsonWire(msgspec.Struct):
    """A port or wire of yosys' JSON."""

    bits: list[int | str]
    offset: int = 0
    direction: str = ""


class JsonCell(msgspec.Struct):
    """A cell of yosys' JSON."""

    type: str
    connections: dict[str, list[int | str]]
    port_directions: dict[str, str] = {}


class JsonModule(msgspec.Struct):
    """A module of yosys' JSON; of what else it says nothing is read, which is most of it."""

    ports: dict[str, JsonWire]
    cells: dict[str, JsonCell]
    netnames: dict[str, JsonWire]


class JsonDesign(msgspec.Struct):
    """A file of yosys' JSON."""

    modules: dict[str, JsonModule]


def read_module(path: Path, top: str) -> JsonModule:
    """Read module `top` of a file that yosys' write_json or Netlist.save wrote."""
    return msgspec.json.decode(path.read_bytes(), type=JsonDesign).modules[top]


def read_netlist(path: Path, top: str) -> Netlist:
    """Read the netlist of such a module."""
    return netlist_of(read_module(path, top), top)


def netlist_of(module: JsonModule, top: str) -> Netlist:
    """Make the netlist of a module."""
    ports = {name: _port(port) for name, port in module.ports.items()}
    found = Netlist(top, ports)
    for name, cell in module.cells.items():
        pins = {pin: _nets(bits)[0] for pin, bits in cell.connections.items() if bits}
        found.instances.append(Instance(name, cell.type, pins))
    names = [(bit.name, bit.net) for bit in sorted(found.port_bits(), key=lambda bit: bit.output)]
    for name, wire in module.netnames.items():
        if name not in ports:
            names += _port(wire).bits(name)
    for name, net in names:
        while found.names.setdefault(name, net) != net:
            name += "_"  # a bit of a vector and a wire of its own may be spelled alike
    return found


def _port(wire: JsonWire) -> Port:
    """Read a port, or a wire as if it were one."""
    return Port(wire.direction == "output", _nets(wire.bits), wire.offset)


def _escaped(name: str) -> str:
    """Spell a name as Verilog takes it."""
    return name if SIMPLE.match(name) else f"\\{name} "


def _nets(bits: Sequence[int | str]) -> tuple[int, ...]:
    return tuple(CONSTANTS[bit] if isinstance(bit, str) else bit for bit in bits)


def _as_json(nets: Sequence[int]) -> list[int | str]:
    return [str(net) if net <= HIGH else net for net in nets]
