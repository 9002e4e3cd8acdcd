"""What the doctor does with each tool, in an empty folder: the least that shows it works.

Each function returns what it did, or raises whatever went wrong.
"""

import os
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

SECONDS = 120
OLDEST_PYTHON = (3, 11)

THREE_LINES = """module three_lines(input clk, input reset, input [7:0] a, output reg [8:0] y);
always @(posedge clk) y <= a + a;
endmodule
"""

GATE = """library ieee;
use ieee.std_logic_1164.all;
entity gate is
  port (a, b : in std_logic; q : out std_logic);
end entity;
architecture one of gate is
begin
  q <= a and b;
end architecture;
"""

# The rest of an ELF header: version, entry, no tables, flags, sizes.
RISCV = (1, 0x200, 0, 0, 0, 52, 32, 0, 40, 0, 0)


def python(folder: Path) -> str:
    """Check that the version is one that we run on."""
    oldest = ".".join(map(str, OLDEST_PYTHON))
    if sys.version_info < OLDEST_PYTHON:
        raise RuntimeError(f"older than {oldest}")
    return f"at least {oldest}"


def pymtl3(folder: Path) -> str:
    """Simulate an 8-bit MulRem in Python."""
    from rtl.mul.mul_rem import MulRemRTL
    from sim.stream import StreamRunner

    with StreamRunner(MulRemRTL(8), "rtl") as runner:
        answer = runner.run([5 << 16 | 7 << 8 | 11])[0].response
    expect(answer, 2, "5*7 mod 11")
    return "simulated a multiplier"


def rsa(folder: Path) -> str:
    """Make a key, and send a message through it and back."""
    import rsa
    from rsa import core

    public, private = rsa.newkeys(64)
    cipher = core.encrypt_int(42, public.e, public.n)
    expect(core.decrypt_int(cipher, private.d, private.n), 42, "message")
    return "made a key and used it"


def compiler(folder: Path) -> str:
    """Compile a C++ program and run it."""
    (folder / "a.cpp").write_text('#include <cstdio>\nint main() { std::puts("42"); }\n')
    run(["g++", "-std=c++17", "a.cpp", "-o", "a.out"], folder)
    expect(run([folder / "a.out"], folder).strip(), "42", "output")
    return "compiled a program and ran it"


def verilator(folder: Path) -> str:
    """Verilate a three-line design, compile it and run it."""
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
    expect(model.peek("y"), 400, "y")
    model.close()
    return "Verilated a three-line design and ran it"


def elftools(folder: Path) -> str:
    """Read the header of a RISC-V executable."""
    from elftools.elf.elffile import ELFFile

    path = folder / "a.elf"
    path.write_bytes(struct.pack("<4s12B2H5I6H", b"\x7fELF", 1, 1, 1, *[0] * 9, 2, 243, *RISCV))
    with path.open("rb") as file:
        header = ELFFile(file).header
    expect((header["e_machine"], header["e_entry"]), ("EM_RISCV", 0x200), "what it reads")
    return "read a program's header"


def riscv(folder: Path) -> str:
    """Compile a C program and run it on the functional processor."""
    from proc.fl.processor import ProcessorFL
    from proc.programs.build import build
    from proc.programs.elf import load_elf

    (folder / "a.c").write_text("int main(void) { volatile int six = 6; return 7 * six; }\n")
    with patch.dict(os.environ, MODEXPLORER_BUILD=str(folder)):  # nothing comes from a cache
        image = load_elf(build([folder / "a.c"]))
    expect(ProcessorFL(image).run(limit=10_000), 42, "exit code")
    return "compiled a program and ran it"


def ghdl(folder: Path) -> str:
    """Read an entity."""
    from eval.foreign.vhdl import verilog_of

    (folder / "gate.vhd").write_text(GATE)
    text = verilog_of("doctor", {"gate.vhd": folder / "gate.vhd"}, "gate", {}, folder)
    expect("module gate" in text, True, "a module")
    return "read an entity"


def iverilog(folder: Path) -> str:
    """Run a module that prints a sum."""
    (folder / "sum.v").write_text('module sum; initial $display("%0d", 40 + 2); endmodule\n')
    for command in (["iverilog", "-o", "sum", "sum.v"], ["vvp", "sum"]):
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=True
        )
    expect(done.stdout, "42\n", "what it prints")
    return "ran a module"


def matplotlib(folder: Path) -> str:
    """Draw a line."""
    from matplotlib.figure import Figure

    chart = Figure()
    chart.add_subplot().plot([1, 2], [3, 4])
    chart.savefig(folder / "a.svg")
    return "drew a line"


def jinja2(folder: Path) -> str:
    """Fill a template in."""
    from jinja2 import Template

    expect(Template("{{ a }}").render(a=42), "42", "text")
    return "filled in a template"


def vl_convert(folder: Path) -> str:
    """Draw a point by Vega-Lite."""
    from vl_convert import vegalite_to_svg

    place = {"field": "x", "type": "quantitative"}
    drawing = vegalite_to_svg(
        {"data": {"values": [{"x": 42}]}, "mark": "point", "encoding": {"x": place}}
    )
    expect("x: 42" in drawing, True, "a point at 42")
    return "drew a point"


def chromium(folder: Path) -> str:
    """Let the script of a page write."""
    page = folder / "page.html"
    page.write_text("<p><script>document.write(6 * 7)</script></p>")
    said = run(["chromium", "--headless", "--no-sandbox", "--dump-dom", page.as_uri()], folder)
    expect("42</p>" in said, True, "a page that says 42")
    return "ran a page's script"


def pytest(folder: Path) -> str:
    """Have a test pass and one fail."""
    (folder / "test_a.py").write_text("def test_a(): assert 1\ndef test_b(): assert 0\n")
    # PyMTL3's plugin skips what does not take its options.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:pytest-pymtl3"]
    said = run(command, folder, ends=1)
    if "1 failed, 1 passed" not in said:
        raise RuntimeError(f"of a test that passes and one that fails it says {said}")
    return "ran two tests"


def hypothesis(folder: Path) -> str:
    """Find the least number that a wrong statement is wrong for."""
    from hypothesis import find, settings, strategies

    least = find(strategies.integers(), lambda n: n > 41, settings=settings(database=None))
    expect(least, 42, "the least number above 41")
    return "found a counterexample"


def ruff(folder: Path) -> str:
    """Find a name that is not defined."""
    (folder / "a.py").write_text("print(a)\n")
    if "F821" not in run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "."], folder, ends=1
    ):
        raise RuntimeError("did not find an undefined name")
    return "found an undefined name"


def mypy(folder: Path) -> str:
    """Find a number that is said to be a text."""
    (folder / "a.py").write_text("a: str = 42\n")
    if "[assignment]" not in run(
        [sys.executable, "-m", "mypy", "--config-file=", "a.py"], folder, ends=1
    ):
        raise RuntimeError("did not find a wrong type")
    return "found a wrong type"


def run(command: Sequence[str | Path], folder: Path, ends: int = 0) -> str:
    """Run a command in a folder and return what it prints; RuntimeError with that unless it ends
    with that exit code."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode != ends:
        raise RuntimeError((done.stderr or done.stdout).strip() or f"exit code {done.returncode}")
    return done.stdout


def expect(value: object, wanted: object, what: str) -> None:
    """Raise RuntimeError unless a value is the right one."""
    if value != wanted:
        raise RuntimeError(f"{what} is {value}, right is {wanted}")
