"""Netlists in yosys' JSON."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from flow.netlist import CONSTANTS, Instance, Netlist, Port


class JsonWire(msgspec.Struct):
    """A port or wire."""

    bits: list[int | str]
    offset: int = 0
    direction: str = ""


class JsonCell(msgspec.Struct):
    """A cell."""

    type: str
    connections: dict[str, list[int | str]]


class JsonModule(msgspec.Struct):
    """A module; of what else is said of it nothing is read, which is most of it."""

    ports: dict[str, JsonWire]
    cells: dict[str, JsonCell]
    netnames: dict[str, JsonWire]


class JsonDesign(msgspec.Struct):
    """A file."""

    modules: dict[str, JsonModule]


def read_module(path: Path, top: str) -> Netlist:
    """Read module `top` of a file that write_json wrote."""
    module = msgspec.json.decode(path.read_bytes(), type=JsonDesign).modules[top]
    found = Netlist(top, {name: _port(port) for name, port in module.ports.items()})
    for name, cell in module.cells.items():
        pins = {pin: _nets(bits)[0] for pin, bits in cell.connections.items() if bits}
        found.instances.append(Instance(name, cell.type, pins))
    found.name_ports()
    for name, wire in module.netnames.items():
        if name not in found.ports:
            for bit in _port(wire).bits(name):
                found.name(*bit)
    return found


def _port(wire: JsonWire) -> Port:
    """Read a port, or a wire as if it were one."""
    return Port(wire.direction == "output", _nets(wire.bits), wire.offset)


def _nets(bits: Sequence[int | str]) -> tuple[int, ...]:
    return tuple(CONSTANTS[bit] if isinstance(bit, str) else bit for bit in bits)
