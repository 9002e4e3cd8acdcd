"""Read the netlist that a layout should have, by yosys, from its Verilog."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from flow.child import run_script
from flow.netlist import HIGH, LOW
from flow.signoff.circuit import Circuit, Part
from flow.yosys_json import read_module
from sim.errors import RunError
from sim.paths import unspaced

SCRIPT = Path(__file__).with_name("verilog_to_json.py")
SECONDS = 600.0


def read_schematic(verilog: Path, top: str, wells: Iterable[str] = ()) -> Circuit:
    """Read module `top`, whose cells are named as the library's, without pins of `wells`; RunError
    if there is none. A port that is constant, by no cell, is not in the layout."""
    with tempfile.TemporaryDirectory() as folder:
        out, log = Path(folder, "netlist.json"), Path(folder, "log")
        arguments = [unspaced(verilog.absolute()), unspaced(out)]
        if error := run_script(SCRIPT, arguments, log, SECONDS):
            raise RunError(f"{verilog.name} cannot be read: {error}")
        try:
            module = read_module(out, top)
        except KeyError:
            raise RunError(f"{verilog.name} has no module {top}") from None
    ports = {b.name: b.net for b in module.port_bits() if b.net not in (LOW, HIGH)}
    parts = [
        Part(cell.name, cell.master, {p: net for p, net in cell.pins.items() if p not in wells})
        for cell in module.instances
    ]
    return Circuit(top, ports, parts)
