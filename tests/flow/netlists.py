"""Netlists for the tests of the flow: written by hand, read from Verilog, and with faults."""

from dataclasses import replace
from pathlib import Path

from flow.netlist import HIGH, Instance, Netlist, Port
from flow.yosys_json import read_module
from tests.flow.toys import LIBERTY
from tests.yosys import run_yosys


def netlist_of(top: str, ports: str, *cells: str) -> Netlist:
    """A netlist in words: "clk a -> q[2]" are its ports, "DFF_X1 held CK=clk D=a Q=q[0]" a cell."""
    found = Netlist(top)

    def net(name: str) -> int:
        return found.names.setdefault(name, HIGH + 1 + len(found.names))

    for output, names in enumerate(ports.split("->")):
        for port in names.split():
            name, width = port.rstrip("]").split("[") if "[" in port else (port, "")
            bits = [f"{name}[{bit}]" for bit in range(int(width))] if width else [name]
            found.ports[name] = Port(bool(output), tuple(map(net, bits)))
    for cell in cells:
        master, name, *pins = cell.split()
        connected = {pin: net(at) for pin, at in (text.split("=") for text in pins)}
        found.instances.append(Instance(name, master, connected))
    return found


def read_verilog(verilog: Path, top: str, folder: Path) -> Netlist:
    """The netlist that yosys finds in a file of Verilog."""
    json = folder / f"{verilog.stem}.json"
    run_yosys(
        f"read_liberty -lib -ignore_miss_func {LIBERTY}",
        f"read_verilog {verilog}; hierarchy -check -top {top}; write_json {json}",
    )
    return read_module(json, top)


def connections(netlist: Netlist) -> dict[str, object]:
    """What each cell is and the nets at its pins, and the net of each port bit, by name."""
    name_of = netlist.name_of
    cells = {
        cell.name: (cell.master, {pin: name_of.get(net, net) for pin, net in cell.pins.items()})
        for cell in netlist.instances
    }
    return cells | {f"port {bit.name}": name_of[bit.net] for bit in netlist.port_bits()}


def with_other(netlist: Netlist, right: str, wrong: str) -> Netlist:
    """The netlist with another gate instead of the first that is right; itself without one."""
    cells = list(netlist.instances)
    found = next((i for i, cell in enumerate(cells) if cell.master == right), None)
    if found is None:
        return netlist
    cells[found] = replace(cells[found], master=wrong)
    return replace(netlist, instances=cells)
