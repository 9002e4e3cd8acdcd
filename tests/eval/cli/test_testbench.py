"""Testbenches in plain Verilog: they pass without Python, and find a fault."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sim.toolchain import verilator
from tests.command_line import assert_refused, run_json


def in_iverilog(folder: Path) -> str:
    """What the testbench of unit.v prints."""
    files = ["unit.v", "unit_tb.v"]
    subprocess.run(["iverilog", "-g2005", "-o", "unit_tb", *files], cwd=folder, check=True)
    done = subprocess.run(
        ["vvp", "unit_tb"], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize("unit", ["multiplier", "exponentiator", "accelerator"])
def test_it_passes_in_iverilog_and_finds_another_word(unit, tmp_path):
    path = tmp_path / "unit.v"
    made = run_json(f"verilog ssmm-small --nbits 8 --unit {unit} -o {path} --testbench")
    assert made["testbench"] == [str(tmp_path / "unit_tb.v"), str(tmp_path / "unit_vectors.hex")]
    said = in_iverilog(tmp_path)
    vectors = tmp_path / "unit_vectors.hex"
    lines = vectors.read_text().splitlines()
    assert f"PASS: {len(lines)} responses" in said
    assert len(lines) > 100
    lines[7] = f"{int(lines[7], 16) ^ 1:x}"
    vectors.write_text("\n".join(lines))
    said = in_iverilog(tmp_path)
    assert "FAIL: response 7 is" in said
    assert "PASS" not in said


def test_an_answer_that_never_comes_ends_it(tmp_path):
    path = tmp_path / "unit.v"
    run_json(f"verilog ssmm-small --nbits 8 --unit multiplier -o {path} --testbench")
    bench = tmp_path / "unit_tb.v"
    bench.write_text(bench.read_text().replace(".recv__val(val)", ".recv__val(1'b0)"))
    assert "FAIL: 0 of " in in_iverilog(tmp_path)


# A multiplier of one request at a time: when it takes one, when its answer goes, and what that is.
PLAIN = """
module {top}(input clk, input reset, input recv__val, output recv__rdy, input [23:0] recv__msg,
             output send__val, input send__rdy, output [7:0] send__msg);
  reg full, begun;
  reg [7:0] r;
  wire [15:0] product = recv__msg[23:16] * recv__msg[15:8];
  assign recv__rdy = !full, send__val = full, send__msg = {answer};
  always @(posedge clk)
    if (reset) {{full, begun}} <= 0;
    else if (full) full <= !({goes});
    else if ({takes}) begin
      {{full, begun}} <= 3;
      r <= product % recv__msg[7:0];
    end
endmodule
"""
SOUND = {"takes": "recv__val", "goes": "send__rdy", "answer": "r"}


@pytest.mark.parametrize(
    ("faulty", "passes"),
    [
        ({}, True),
        ({"takes": "recv__val || begun"}, False),  # in a pause what is no request
        ({"goes": "1"}, False),  # an answer that nobody took
        ({"answer": "r == 1 ? 8'hxx : r"}, False),
        ({"answer": "r ^ (r == 1)"}, False),
    ],
)
def test_pauses_and_unknown_bits_are_seen(faulty, passes, tmp_path):
    path = tmp_path / "unit.v"
    run_json(f"verilog ssmm-small --nbits 8 --unit multiplier -o {path} --testbench")
    answers = [line[-2:] for line in (tmp_path / "unit_vectors.hex").read_text().split()]
    assert "01" in answers
    [top] = re.findall(r"^module (\w+)_tb;", (tmp_path / "unit_tb.v").read_text(), re.MULTILINE)
    path.write_text(PLAIN.format(top=top, **SOUND | faulty))
    said = in_iverilog(tmp_path)
    assert ("PASS" in said) == passes
    assert ("FAIL" in said) != passes


def test_it_passes_in_verilator(tmp_path):
    path = tmp_path / "unit.v"
    run_json(f"verilog ssmm-small --nbits 8 --unit multiplier -o {path} --testbench")
    tool, top = verilator(), "ssmm_small_8_multiplier_tb"
    flags = ["--binary", "--timing", "-CFLAGS", "-std=c++20 -O0", "-Wno-fatal"]
    # Its makefile calls `python`, which Debian does not have: that of an active environment.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        [tool.path, *flags, "--top-module", top, "unit.v", "unit_tb.v"],
        cwd=tmp_path,
        env=tool.env | {"PATH": path},
        check=True,
        capture_output=True,
    )
    done = subprocess.run([f"obj_dir/V{top}"], cwd=tmp_path, capture_output=True, text=True)
    assert "PASS: " in done.stdout


@pytest.mark.quick
def test_there_is_none_of_a_bus(tmp_path):
    line = f"verilog ssmm-small --nbits 32 --unit peripheral -o {tmp_path}/p.v --testbench"
    assert_refused(line, "there is none of the bus of a peripheral")
