"""What is read of sources: languages, lists, includes, macros, parameters, libraries."""

import pytest

from eval.foreign.core import Core
from eval.foreign.elaborate import clocks_of
from eval.foreign.headers import with_headers
from eval.foreign.source import elaborate, plain_verilog
from eval.foreign.vhdl import generics_of, with_defaults, with_numbers
from sim.errors import RunError, UserError
from sim.paths import build_dir
from tests.command_line import assert_refused, run_json
from tests.places import ROOT

PACKAGE = "package sizes; typedef enum logic [1:0] {IDLE, STEP} state_t; endpackage\n"
SYSTEM_VERILOG = """
`include "width.svh"
module modmul #(parameter int WIDTH = `WIDTH, parameter KIND = "none") (
  input  logic clk, rst_ni, start_i, mode, input logic [WIDTH-1:0] a_i, b_i, m_i,
  output logic done_o, output logic [WIDTH-1:0] r_o
);
  sizes::state_t state;
  logic [WIDTH+EXTRA-1:0] unused = 0;
  initial state = sizes::IDLE;
  part #(.N(WIDTH)) one (.q(r_o));
  part #(.N(WIDTH + 1)) other (.q());
  always_ff @(posedge clk) state <= start_i ? sizes::STEP : sizes::IDLE;
  assign done_o = state == sizes::STEP;
endmodule
module part #(parameter N = 1) (output [N-1:0] q); assign q = N; endmodule
"""


def test_a_list_of_system_verilog(mine):
    folder = mine.parents[1]
    (folder / "rtl").mkdir()
    (folder / "headers").mkdir()
    (folder / "rtl/sizes.sv").write_text(PACKAGE)
    (folder / "rtl/modmul.sv").write_text(SYSTEM_VERILOG.replace("EXTRA", "`EXTRA"))
    (folder / "headers/width.svh").write_text("`define WIDTH 16\n")
    (folder / "rtl/core.f").write_text("+incdir+../headers // of widths\nsizes.sv\n\nmodmul.sv\n")
    made = run_json("new theirs --verilog rtl/core.f --top modmul --define EXTRA=2")
    assert made["reset"] == "!rst_ni"
    assert made["ports"] == {
        **{"start": "start_i", "done": "done_o", "result": "r_o"},
        **{"a": "a_i", "b": "b_i", "m": "m_i"},
    }
    assert made["widths"] == [8, 4096]
    assert made["notes"] == [
        "initial values, of state, are ignored: cells have none; reset them",
        "input mode is 0 until the entry drives it",
    ]
    entry = (folder / "theirs/entry.py").read_text()
    assert 'files=("sizes.sv", "modmul.sv")' in entry
    assert 'parameters={"WIDTH": lambda nbits: nbits}' in entry
    assert {path.name for path in (folder / "theirs").iterdir()} == {
        *("sizes.sv", "modmul.sv", "width.svh", "entry.py")
    }


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("import", "WIDTH is a number, 32 in the core, not 'import'"),
        ("-4", "WIDTH is a number, 32 in the core, not '-4'"),
        ("0", "port a has no bits: its range is [-1:0] with WIDTH=0"),
        ("nbits-x", "WIDTH=nbits-x: name 'x' is not defined"),
        ("nbits+", "WIDTH=nbits+: invalid syntax"),
        ("nbits/2", "WIDTH=nbits/2 is 4.0 at 8 bits"),
    ],
)
def test_a_parameter_that_cannot_be_is_refused(mine, value, said):
    core = ROOT / "docs/examples/modmul.v"
    assert_refused(f"new theirs --verilog {core} --parameter 'WIDTH={value}'", said)
    assert not (mine.parents[1] / "theirs").exists()


def test_a_text_is_given_beside_a_number_that_the_core_needs(mine):
    """The core as it is has no width."""
    folder = mine.parents[1]
    core = (ROOT / "docs/examples/modmul.v").read_text()
    wide = 'parameter WIDTH = 0, parameter KIND = "none"'
    (folder / "core.v").write_text(core.replace("parameter WIDTH = 32", wide))
    made = run_json("new theirs --verilog core.v --parameter WIDTH=16 --parameter KIND=fast")
    assert made["widths"] == [16, 16]
    assert '{"WIDTH": 16, "KIND": "fast"}' in (folder / "theirs/entry.py").read_text()


def test_modules_of_one_name_and_two_parameters_are_two(tmp_path):
    text = SYSTEM_VERILOG.replace('`include "width.svh"', "`define WIDTH 4").replace("EXTRA", "1")
    (tmp_path / "all.sv").write_text(PACKAGE + text)
    found = elaborate("test", tmp_path, ("all.sv",), "", {"WIDTH": 12, "KIND": "fast"}, {})
    assert found.source_top == "modmul"
    assert found.ports["a_i"] == ("input", 12)
    assert found.parameters["WIDTH"] == 12
    assert found.text.count("module theirs_part") == 2
    assert "$paramod" not in found.text


def test_a_change_of_an_included_file_is_seen(tmp_path):
    (tmp_path / "core.v").write_text(
        '`include "n.vh"\nmodule core(input clk, output [`N-1:0] q); assign q = 1; endmodule\n'
    )
    for bits in (3, 5):
        (tmp_path / "n.vh").write_text(f"`define N {bits}\n")
        found = elaborate("test", tmp_path, ("core.v",), "core", {}, {})
        assert found.ports["q"] == ("output", bits)


KEYED = """`include "n.vh"
module core #(parameter P = 1) (input clk, output [31:0] q);
  reg [7:0] rom [0:0];
  reg [1:0] bits [0:0];
  initial $readmemh("rom.hex", rom);
  initial $readmemb("rom.bits", bits);
  assign q = {8'd`N, 8'd`D, bits[0], 6'd0 + P[5:0], rom[0]};
endmodule
module other #(parameter P = 1) (input clk, output [31:0] q); assign q = P; endmodule
"""
LATER = "`ifdef SEEN\nmodule late(output q); assign q = 1; endmodule\n`endif\n"
USUAL = {"P": "1", "D": "1", "top": "core", "end": ".v"}
USUAL |= {"n.vh": "`define N 1\n", "rom.hex": "01", "rom.bits": "01"}
OTHERS = {  # of each option several values, each with what it changes
    "P": ("2", "3"),
    "D": ("2", "3"),
    "n.vh": ("`define N 2\n", "`define N 3\n"),
    "rom.hex": ("02", "03"),
    "rom.bits": ("10", "11"),
    "top": ("other",),
    "end": (".sv",),
}


def test_cores_that_differ_in_anything_are_read_apart(tmp_path, monkeypatch):
    """One folder, one cache: each option in turn has another value than the usual one."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path / "build"))
    seen = set()
    cases = [USUAL, *(USUAL | {name: v} for name, values in OTHERS.items() for v in values), USUAL]
    for case in cases:
        for name in ("n.vh", "rom.hex", "rom.bits"):
            (tmp_path / name).write_text(case[name])
        file = f"core{case['end']}"
        (tmp_path / file).write_text(KEYED)
        values, defines = {"P": int(case["P"])}, {"D": case["D"]}
        found = elaborate("test", tmp_path, (file,), case["top"], values, defines)
        seen.add(found.text)
        (tmp_path / file).unlink()
    assert len(seen) >= len(cases) - 2  # of .sv the text is the same
    assert len([*build_dir("foreign").glob("*.json")]) == len(cases) - 1


def test_the_order_of_files_is_a_part_of_what_is_read(tmp_path):
    """A macro is defined in one file, and looked for in the other."""
    (tmp_path / "first.v").write_text(
        "`define SEEN 1\nmodule top(output q); assign q = 1; endmodule"
    )
    (tmp_path / "second.v").write_text(
        "module late(output q);\n`ifdef SEEN\nassign q = 1;\n`else\nassign q = 0;\n`endif\n"
        "endmodule\n"
    )
    found = [
        elaborate("test", tmp_path, files, "late", {}, {}).text
        for files in (("first.v", "second.v"), ("second.v", "first.v"))
    ]
    assert found[0] != found[1]


def test_asynchronous_resets_are_made_synchronous(tmp_path):
    (tmp_path / "core.v").write_text(
        "module core(input clk, input rst_n, input d, output reg q, output reg p);\n"
        "always @(posedge clk or negedge rst_n) if (!rst_n) q <= 1; else q <= d;\n"
        "always @(posedge clk) p <= d; endmodule\n"
    )
    found = elaborate("test", tmp_path, ("core.v",), "core", {}, {})
    assert found.notes == ("asynchronous resets are made synchronous",)
    assert found.text.count("always @(posedge clk)\n") == 2
    assert "if (!rst_n) q <= 1'h1;" in found.text


VHDL = {
    "top.vhd": """
library ieee; use ieee.std_logic_1164.all;
library own; use own.kinds.all;
entity top is
  generic (BITS : natural := 4; STYLE : string := "none"; WIDE : boolean := false);
  port (clk : in std_logic; q : out std_logic_vector(BITS - 1 downto 0));
end entity;
architecture rtl of top is
  signal kind : kind_t;
begin
  q <= (others => '1') when STYLE = "ones" and WIDE else (others => '0');
end architecture;
""",
    "kinds.vhd": "package kinds is type kind_t is (ONE, TWO); end package;\n",
}


def test_vhdl_of_a_library_in_any_order_with_generics(tmp_path):
    for name, text in VHDL.items():
        (tmp_path / name).write_text(text)
    generics = {"BITS": 6, "STYLE": "ones", "WIDE": "true"}
    found = elaborate("test", tmp_path, tuple(VHDL), "top", generics, {})
    assert found.ports["q"] == ("output", 6)
    assert "6'h3f" in found.text


CASE = """  always @*
    case (n1_o)
      2'b10: n2_o <= a;
      2'b01: n2_o <= n3_o;
    endcase
"""


@pytest.mark.quick
@pytest.mark.parametrize(
    ("others", "default"),
    [
        ("b when others;", "b;"),
        ("wrap_start when others;", "start;"),
        ('"01XX" when others;', "4'b01xx;"),
        ("'0' when others;", "1'b0;"),
        ("(31 downto 0 => 'X') when others;", "{32{1'bx}};"),
    ],
)
def test_the_choice_that_ghdl_leaves_out_is_put_back(others, default):
    vhdl = f'  with n1_o select n2_o <=\n    a when "10",\n    n3_o when "01",\n    {others}\n'
    assert f"      default: n2_o <= {default}\n    endcase" in with_defaults(CASE, vhdl)


@pytest.mark.quick
def test_wide_constants_that_ghdl_writes_as_texts_are_numbers():
    wide = "0" * 32 + "1"
    assert with_numbers(f'assign a = b ? "{wide}" : c;') == f"assign a = b ? 33'b{wide} : c;"
    assert with_numbers('$display("1 of 2");') == '$display("1 of 2");'


@pytest.mark.quick
def test_a_choice_that_is_nowhere_is_told():
    with pytest.raises(RunError, match="no choice `others` of n2_o"):
        with_defaults(CASE, "")


def test_ours_in_plain_verilog_keeps_the_name_of_its_top():
    text = "module top(input logic [1:0] a, output logic q); part p(a, q); endmodule\n"
    text += "module part(input logic [1:0] a, output logic q); always_comb q = ^a; endmodule\n"
    plain = plain_verilog(text, "top")
    assert "module top(" in plain
    assert "module top_part(" in plain
    assert "logic" not in plain


GENERICS = """
  constant WIDTH, word_bits : natural range 1 to 99 := 12;-- 8; LATE : natural := 5;
  NAME : string := "mul"; -- of the row
  -- DIGITS : natural := 7);
  Steps :integer:=  3 ; ON_TIME : boolean := true -- no number
"""


@pytest.mark.quick
@pytest.mark.parametrize(
    "entity", ["entity row is", "ENTITY  Row  IS -- generic (A : natural := 1)"]
)
def test_generics_with_numbers_are_told_and_no_comment_is_one(entity):
    other = "entity rows is\n generic (N : natural := 9);\n port (a : in bit);\nend;\n"
    ports = "port (a : in bit_vector(WIDTH - 1 downto 0));\nend;\n"
    text = f"{other}{entity}\n generic ( -- all of it\n{GENERICS});\n{ports}"
    assert generics_of(text, "row") == {"WIDTH": 12, "word_bits": 12, "Steps": 3}
    assert generics_of(text, "rows") == {"N": 9}
    assert generics_of(f"{other}{entity}\n {ports}", "row") == {}


BELOW = """module part(clk, a, \\q[0] , r);
  wire _0_;
  input clk;
  wire clk;
  input signed [3:0] a;
  wire signed [3:0] a;
  output \\q[0] ;
  reg \\q[0] ;
  output [3:0] r;
  wire [3:0] r;
  assign r = a;
endmodule
"""
ABOVE = """module part(input clk, input signed [3:0] a, output reg \\q[0] , output [3:0] r);
  wire _0_;
  assign r = a;
endmodule
"""


@pytest.mark.quick
def test_headers_have_the_ports_with_their_widths():
    assert with_headers(BELOW) == ABOVE
    below_0 = BELOW.replace("[3:0] r", "[-1:-4] r")
    assert with_headers(below_0) == ABOVE.replace("[3:0] r", "[-1:-4] r")
    assert with_headers("module none();\nendmodule\n") == "module none();\nendmodule\n"


def test_clocks_are_told_by_what_they_clock(mine):
    (mine.parents[1] / "core.v").write_text(
        '`include "deep/er/bits.vh"\n'
        "module core(input tick, input tock, input start, input [`BITS-1:0] a, b, m,\n"
        "  output reg done, output reg [`BITS-1:0] r);\n"
        "  always @(posedge tick) done <= start;\n"
        "  always @(posedge tock) r <= a * b % m;\nendmodule\n"
    )
    deep = mine.parents[1] / "deep/er"
    deep.mkdir(parents=True)
    (deep / "bits.vh").write_text("`define BITS 8\n")
    made = run_json("new theirs --verilog core.v --top core")
    assert made["clock"] == ["tick", "tock"]
    assert made["notes"] == ["tick and tock are one clock: none is faster than the others"]
    assert made["widths"] == [8, 8]


@pytest.mark.quick
def test_what_clocks_each_kind_of_cell():
    """Registers, and the ports of memories, of which some have no clock; bits are from the highest
    on, as yosys writes them, and a constant is no signal."""

    def cell(parameters, **connections):
        return {"parameters": parameters, "connections": connections}

    ports = {"clk": [2], "rclk": [3], "wclk": [4], "d": [5, 6]}
    module = {
        "ports": {name: {"direction": "input", "bits": bits} for name, bits in ports.items()},
        "netnames": {name: {"bits": bits} for name, bits in ports.items()}
        | {"divided": {"bits": [7]}, "gated": {"bits": [8]}, "q": {"bits": [9]}},
        "cells": {},
    }
    module["ports"]["q"] = {"direction": "output", "bits": [9]}

    def clocks(*cells):
        return clocks_of(module | {"cells": dict(enumerate(cells))})

    assert clocks(cell({"WIDTH": "1"}, A=[2], B=[3], Y=[4])) == []
    assert clocks(cell({"CLK_POLARITY": "1"}, CLK=[2], D=[5])) == [("clk", True, True)]
    assert clocks(cell({"CLK_POLARITY": "0"}, CLK=[7])) == [("divided", False, False)]
    assert clocks(cell({}, CLK=["x"]), cell({}, CLK=[9])) == [("q", False, True)]
    for pin in ("RD_CLK", "WR_CLK"):
        of = {f"{pin}_POLARITY": "011", f"{pin}_ENABLE": "101"}
        assert clocks(cell(of, **{pin: [3, 4, 7]})) == [
            ("divided", False, False),
            ("rclk", True, True),
        ]
        of = {f"{pin}_POLARITY": "01", f"{pin}_ENABLE": "11"}
        assert clocks(cell(of, **{pin: [4, 2]})) == [("clk", True, False), ("wclk", True, True)]
    memory = {"RD_CLK_POLARITY": "1", "RD_CLK_ENABLE": "0", "WR_CLK_POLARITY": "1"}
    memory |= {"WR_CLK_ENABLE": "1"}
    assert clocks(cell(memory, RD_CLK=[3], WR_CLK=[4])) == [("wclk", True, True)]
    memory |= {"RD_CLK_ENABLE": "1", "WR_CLK_POLARITY": "0"}
    found = clocks(cell(memory, RD_CLK=[8], WR_CLK=[4]), cell({}, CLK=[4]))
    assert found == [("gated", False, True), ("wclk", True, False), ("wclk", True, True)]


def test_an_input_of_which_no_bit_goes_anywhere_is_unread(tmp_path):
    """One is read by a cell or goes on to an output as it is, in one bit or all, also inside."""
    (tmp_path / "core.v").write_text(
        "module core(input clk, d, along, input [3:0] some, one, both, lost, gone, output reg q,\n"
        "  output [3:0] s, output x, t);\n"
        "  always @(posedge clk) q <= d;\n"
        "  assign t = one[2];\n"
        "  part inside(.a(some), .b(lost), .c(along), .d(both), .r(s), .x(x));\nendmodule\n"
        "module part(input [3:0] a, b, d, input c, output [3:0] r, output x);\n"
        "  wire [3:0] spare = b + d;\n"
        "  assign r = {d[0], a[2:0]};\n  assign x = c;\nendmodule\n"
    )
    assert elaborate("core", tmp_path, ["core.v"], "core", {}, {}).unread == ("lost", "gone")


@pytest.mark.parametrize(
    ("address", "parameters", "whole"),
    [
        (0, "", True),
        (1, "", True),
        (2, "", True),
        (3, "", False),
        (2, "#(parameter K = 4) ", False),
    ],
)
def test_an_address_that_selects_an_operand_is_told_from_one_of_words(
    mine, address, parameters, whole
):
    """It has two bits at most, and no parameter could make the port of an operand wider."""
    ports = f"input [{address - 1}:0] addr, " * (address > 0)
    (mine.parents[1] / "core.v").write_text(
        f"module core {parameters}(input clk, rst, {ports}input [15:0] din, input we, start,\n"
        f"  output done, output [15:0] dout);\n"
        f"  assign done = start & we, dout = din{' + addr' * (address > 0)};\nendmodule\n"
    )
    made = run_json("new theirs --verilog core.v --top core")
    assert made["adapter"] == "word-memory"
    assert made["widths"] == ([16, 16] if whole else [8, 4096])
    entry = (mine.parents[1] / "theirs/entry.py").read_text()
    places = '"b": 1, "m": 2' if whole else '"b": 64, "m": 128'
    assert f'operands={{"a": 0, {places}}}' in entry
    assert ("result=None," if whole else "result=192,") in entry


def test_a_tied_port_holds_every_number_that_its_bits_can(tmp_path):
    (tmp_path / "core.v").write_text(
        "module core(input clk, reset, one, input [4:0] mode, output reg [5:0] q);\n"
        "  always @(posedge clk) q <= reset ? 0 : {mode, one};\nendmodule\n"
    )

    def core(**tied):
        return Core(tmp_path, ("core.v",), "core", tied=tied)

    for one, mode in ((0, 0), (1, 31), (1, 16), (0, 5)):
        made = core(one=one, mode=mode).at(8)
        assert made.ports == (("q", False, 6),)
        assert f".one(1'd{one})" in made.text
        assert f".mode(5'd{mode})" in made.text
    for port, bits in (("one", 1), ("mode", 5)):
        for value in (-1, 1 << bits, (1 << bits) + 1, 1 << 2 * bits):
            with pytest.raises(UserError, match=f"port {port} has {bits} bits; {value} does not"):
                core(**{port: value}).at(8)
