"""Twenty ways in which a core can be wrong: each is told in one line that says what to do."""

from pathlib import Path

import pytest

from eval.catalog import bring
from eval.catalog.point import Point
from eval.tasks.unit import translation
from tests.command_line import assert_refused, run, run_json, said

GOOD = """
module modmul #(parameter WIDTH = 8) (
  input clk, input reset, input start, input [WIDTH-1:0] a, b, m,
  output reg done, output reg [WIDTH-1:0] r
);
  // BODY
  always @(posedge clk) begin
    done <= start && !reset;
    r <= {{WIDTH{1'b0}}, a} * b % m;
  end
endmodule
"""
VHDL = """
library ieee; use ieee.std_logic_1164.all;
entity gate is port (clk, a : in std_logic; q : out std_logic); end entity;
architecture one of gate is begin q <= a and nothing; end architecture;
"""


def changed(old: str, new: str) -> str:
    """The good core with a change."""
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new)


def used(body: str) -> str:
    """The good core with x in it, which done depends on."""
    return changed("// BODY", body).replace("start && !reset", "start && x")


# Name: (the files, what is typed after `new theirs`, what is said).
WAYS: dict[str, tuple[dict[str, str], str, str]] = {
    "a missing file": ({}, "--verilog core.v", "there is no file core.v"),
    "no source": ({"core.txt": GOOD}, "--verilog core.txt", "core.txt is no source"),
    "a missing top": ({"core.v": GOOD}, "--verilog core.v --top mul", "no module 'mul'"),
    "an empty file": ({"core.v": ""}, "--verilog core.v", "no module or entity is in core.v"),
    "two tops": (
        {"core.v": GOOD + "module other(input clk); endmodule"},
        "--verilog core.v",
        "choose one of modmul, other",
    ),
    "a syntax error": (
        {"core.v": changed("output reg done,", "output reg done")},
        "--verilog core.v --top modmul",
        "core.v, line 4: syntax error",
    ),
    "SystemVerilog that yosys does not read": (
        {"core.sv": changed("module modmul #(", "module modmul import sizes::*; #(")},
        "--verilog core.sv --top modmul",
        "core.sv, line 2: syntax error, unexpected TOK_IMPORT, expecting '#' or '(' or ';'; mend "
        "it, or let sv2v translate it",
    ),
    "an unknown module": (
        {"core.v": changed("// BODY", "RAMB36E1 ram(.CLK(clk));")},
        "--verilog core.v --top modmul",
        "module RAMB36E1 is unknown, which modmul has",
    ),
    "a missing include": (
        {"core.v": changed("// BODY", '`include "sizes.vh"')},
        "--verilog core.v --top modmul",
        "the file sizes.vh is not there",
    ),
    "a missing macro": (
        {"core.v": changed("// BODY", "wire [`SIZE-1:0] x;")},
        "--verilog core.v --top modmul",
        "the macro SIZE is not defined; give --define SIZE=VALUE",
    ),
    "a parameter that is not there": (
        {"core.v": GOOD},
        "--verilog core.v --parameter DEPTH=4",
        "modmul has no parameter DEPTH",
    ),
    "an inout": (
        {"core.v": changed("input start,", "input start, inout bus,")},
        "--verilog core.v --top modmul",
        "port bus is an inout",
    ),
    "a latch": (
        {"core.v": changed("// BODY", "reg x; always @* if (start) x = a[0];")},
        "--verilog core.v --top modmul",
        "core.v, line 6: signal x of modmul is a latch: some branch does not assign it",
    ),
    "a latch in a module with parameters": (
        {
            "core.v": changed("// BODY", "part #(.N(3)) one(start, a[2:0]);")
            + "module part #(parameter N = 1) (input en, input [N-1:0] d);\n  reg [N-1:0] kept;\n"
            "  always @*\n    if (en) kept = d;\nendmodule\n"
        },
        "--verilog core.v",
        "core.v, line 14: signal kept of part is a latch",
    ),
    "a latch in VHDL": (
        {
            "core.vhd": VHDL.replace(
                "q <= a and nothing;",
                "\nprocess (a, clk) begin if clk = '1' then q <= a; end if; end process;",
            )
        },
        "--verilog core.vhd",
        "core.vhd, line 5: signal q is a latch",
    ),
    "two drivers": (
        {"core.v": used("wire x; assign x = a[0]; assign x = b[0];")},
        "--verilog core.v --top modmul",
        "multiple conflicting drivers for modmul.a",
    ),
    "a loop of gates": (
        {"core.v": used("wire x, y; assign x = !y; assign y = x & start;")},
        "--verilog core.v --top modmul",
        "combinational loop in module modmul",
    ),
    "three states": (
        {"core.v": used("wire x = start ? a[0] : 1'bz;")},
        "--verilog core.v --top modmul",
        "three-state",
    ),
    "a falling edge": (
        {"core.v": used("reg x; always @(negedge clk) x <= a[0];")},
        "--verilog core.v --top modmul",
        "registers take the falling edge of clk",
    ),
    "a clock that gates make": (
        {"core.v": used("wire g = clk & start; reg x; always @(posedge g) x <= a[0];")},
        "--verilog core.v --top modmul",
        "registers are clocked by g, which is made inside the core",
    ),
    "an interface": (
        {"core.sv": "interface i; logic q; endinterface\nmodule m(input clk, i x); endmodule"},
        "--verilog core.sv --top m",
        "port x is an interface; wrap the core in a module whose ports are plain",
    ),
    "primitives of a vendor in VHDL": (
        {"core.vhd": VHDL.replace("entity", "library unisim;\nentity", 1)},
        "--verilog core.vhd",
        "library unisim is of a vendor's primitives",
    ),
    "a word that is low for yes": (
        {"core.v": GOOD},
        "--verilog core.v --port a=!a",
        "! is for ports of one bit",
    ),
    "a port that no name tells": (
        {"core.v": GOOD.replace("start", "fire")},
        "--verilog core.v --adapter start-done",
        "which input is 'start'? give --port start=NAME",
    ),
    "no known protocol": (
        {"core.v": GOOD.replace("start", "fire")},
        "--verilog core.v",
        "no protocol is known by the ports",
    ),
    "a port that is not there": (
        {"core.v": GOOD},
        "--verilog core.v --port start=go",
        "start=go: the core has no input 'go'",
    ),
    "an output for an input": (
        {"core.v": GOOD},
        "--verilog core.v --port start=done",
        "start=done: the core has no input 'done'",
    ),
    "a role that is none": (
        {"core.v": GOOD},
        "--verilog core.v --port begin=start",
        "nothing is called 'begin'",
    ),
    "a role that is given twice": (
        {"core.v": GOOD},
        "--verilog core.v --port start=start --port start=reset",
        "--port: start is given twice, as start and as reset; give it once",
    ),
    "a port for two roles": (
        {"core.v": GOOD},
        "--verilog core.v --port a=b --port b=b",
        "--port: b is given for a and for b; give each role a port of its own",
    ),
    "a parameter that is given twice": (
        {"core.v": GOOD},
        "--verilog core.v --parameter WIDTH=8 --parameter WIDTH=9",
        "--parameter: WIDTH is given twice, as 8 and as 9; give it once",
    ),
    "a clock that is not there": (
        {"core.v": GOOD},
        "--verilog core.v --clock ck",
        "--clock: no input 'ck'",
    ),
    "operands of no bits": (
        {"core.v": GOOD},
        "--verilog core.v --parameter WIDTH=1",
        "operands of 1 bits",
    ),
    "a list that names a missing file": (
        {"core.f": "core.v // the core\n"},
        "--verilog core.f",
        "there is no file core.v",
    ),
    "a folder of includes that is not there": (
        {"core.v": GOOD},
        "--verilog core.v --include headers",
        "headers is no folder",
    ),
    "VHDL without an entity": (
        {"core.vhd": "library ieee;"},
        "--verilog core.vhd --top gate",
        "no entity 'gate' is in core.vhd; name files with entities",
    ),
    "wrong VHDL": (
        {"core.vhd": VHDL},
        "--verilog core.vhd",
        'ghdl: core.vhd, line 4: no declaration for "nothing"',
    ),
    "two languages": (
        {"core.vhd": VHDL, "core.v": GOOD},
        "--verilog core.vhd --verilog core.v --top gate",
        "core.vhd and core.v are of two languages",
    ),
    "an option without a core": ({}, "--top modmul", "is of a core of others; give --verilog"),
    "a pair that is none": ({"core.v": GOOD}, "--verilog core.v --port start", "NAME=VALUE"),
}


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files of a core."""
    for name, text in files.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_wrong_is_told_and_nothing_is_left(way, tmp_path, monkeypatch):
    files, typed, says = WAYS[way]
    monkeypatch.chdir(tmp_path)
    write(tmp_path, files)
    assert_refused(f"new theirs {typed}", says)
    assert not (tmp_path / "theirs").exists()


# Name: (a change of the entry that `new` writes, the exit code, what is said).
ENTRIES = {
    "ports that are wider": ("lambda nbits: nbits", "9", 0, ""),  # zeros above
    "a width that does not fit": ("lambda nbits: nbits", "7", 2, "port r has 7 bits, the result 8"),
    "a port that is not there": ('done="done"', 'done="over"', 2, "the core has no 'over'"),
    "a condition of several bits": ('done="done"', 'done="r"', 2, "r has 8 bits; name one, r[0]"),
    "a reset that is not there": ('reset="reset"', 'reset="rst"', 2, "no input 'rst'"),
    "a port that is clock and tied": (
        'reset="reset"',
        'reset="reset", tied={"clk": 0}',
        2,
        "port clk is given twice among clock, reset, tied and inverted; name it once",
    ),
    "an operand's port that starts, too": (
        'start="start"',
        'start="a"',
        2,
        "port a is given twice",
    ),
    "a parameter of a wrong type": (
        "lambda nbits: nbits",
        "[8]",
        2,
        "parameters is {'WIDTH': [8]}",
    ),
    "a parameter by a wrong formula": (
        "lambda nbits: nbits",
        "lambda nbits: nbits / 0",
        2,
        "WIDTH",
    ),
    "a parameter that is not there": ('"WIDTH"', '"DEPTH"', 2, "modmul has no parameter DEPTH"),
    "a top that is not there": ('top="modmul"', 'top="mul"', 2, "no module 'mul' is in core.v"),
    "files that are one text": ('("core.v",)', '"core.v"', 2, "files is 'core.v'"),
    "a clock that is a number": ('clock="clk"', "clock=1", 2, "clock is 1"),
    "tied that is no mapping": ('reset="reset"', 'reset="reset", tied=["a"]', 2, "tied is ['a']"),
    "a tied port of a text": ('reset="reset"', 'reset="reset", tied={"a": "x"}', 2, "tied"),
    "a result without a port": ('result="r"', "result=3", 2, "3"),
    "widths the wrong way": (
        "    HANDSHAKE,\n",
        "    HANDSHAKE,\n widths=(16, 8),",
        2,
        "widths is (16, 8)",
    ),
    "widths of one number": ("    HANDSHAKE,\n", "    HANDSHAKE,\n widths=8,", 2, "widths is 8"),
    "moduli in words": ("    HANDSHAKE,\n", '    HANDSHAKE,\n moduli="odd",', 2, "moduli is 'odd'"),
    "accepts of one operand": (
        "    HANDSHAKE,\n",
        "    HANDSHAKE,\n accepts=lambda a: 1,",
        2,
        "ept",
    ),
    "a syntax error": ("DESIGNS = ", "DESIGNS == = ", 2, "entry.py, line 23: SyntaxError"),
    "a handshake that is none": ("    HANDSHAKE,\n", "    3,\n", 2, "handshake is 3"),
    "a radix that is none": ("    HANDSHAKE,\n", "    HANDSHAKE,\n radix=8,", 2, "radix is 8"),
    "a file that is not there": ('"core.v"', '"cores.v"', 2, "there is no file"),
    "a done that never comes": ('reset="reset"', 'reset="!reset"', 1, "which waits for done"),
}


@pytest.mark.parametrize("way", ENTRIES)
def test_an_entry_that_does_not_fit_is_told(way, mine):
    old, new, code, says = ENTRIES[way]
    folder = mine.parents[1]
    write(folder, {"core.v": GOOD})
    assert run_json("new theirs --verilog core.v")["ports"]["start"] == "start"
    entry = folder / "theirs/entry.py"
    assert entry.read_text().count(old) == 1
    text = entry.read_text().replace(old, new)
    entry.write_text(text)
    result = run("check theirs --nbits 8 --part multiplier --level batch --with theirs/entry.py")
    assert result.exit_code == code, (result.output, result.exception)
    assert says in result.stderr
    assert "Traceback" not in result.output
    assert code == 0 or len(said(result.stderr)) <= 2, result.stderr


def test_of_a_bare_core_the_hardware_is_measured_and_nothing_asked(mine):
    write(mine.parents[1], {"core.v": GOOD})
    made = run_json("new theirs --as bare --verilog core.v --parameter WIDTH=nbits")
    assert (made["adapter"], made["clock"], made["reset"]) == ("bare", ["clk"], "reset")
    bring("--with", made["entry"])
    for command in ("simulate theirs --workload e", "check theirs", "flow theirs", "timing theirs"):
        assert_refused(f"{command} --nbits 8", "is a bare core, of which nothing can be asked")
    ports = {port.name: port.nbits for port in translation(Point("theirs", 24), "core").ports}
    assert ports == {"clk": 1, "reset": 1, "start": 1, "done": 1} | dict.fromkeys("abmr", 24)
    assert_refused("fpga mont-small --nbits 8 --device artix7 --unit core", "has no core of others")
