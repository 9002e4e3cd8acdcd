"""The FPGA flow on toys whose cells can be counted by hand, and its error messages."""

import json
import re
from pathlib import Path

import pytest

from flow.fpga import devices
from flow.fpga import shell as shells
from flow.fpga.run import run_fpga
from sim.errors import RunError, UserError
from sim.paths import build_dir
from tests.eval.cli.test_cli import run
from tests.flow.runs import folder_of
from tests.yosys import run_yosys

# Registers alone, or each with a function of four or six inputs (one table if tables have as many
# inputs), or those of a product.
PARTS = {
    "register": ("output reg [7:0] q", "q <= a;"),
    "four": ("output reg [7:0] four", "four <= a ^ b ^ c ^ d;"),
    "six": ("output reg [7:0] six", "six <= a ^ b ^ c ^ d ^ e ^ f;"),
    "multiplier": ("output reg [31:0] product", "product <= x * y;"),
}


def toy(*parts: str) -> str:
    """The Verilog of these parts side by side."""
    outputs, statements = zip(*(PARTS[part] for part in parts), strict=True)
    return f"""
module Toy(input clk, input [7:0] a, b, c, d, e, f, input [15:0] x, y, {", ".join(outputs)});
  always @(posedge clk) begin {" ".join(statements)} end
endmodule"""


NARROW = """
module Toy(input clk, input [1:0] a, b, c, d, output reg [1:0] y);
  always @(posedge clk) y <= a ^ b ^ c ^ d;
endmodule"""
# Two of a kind: a product, whose register is in the multiplier's block if nothing parts them.
REPLICATED = """
module Product(input [7:0] x, y, output [15:0] p);
  assign p = x * y;
endmodule
module Part(input clk, input [7:0] x, y, output reg [15:0] p);
  wire [15:0] product;
  Product inner(.x(x), .y(y), .p(product));
  always @(posedge clk) p <= product;
endmodule
module Toy(input clk, input [15:0] x, y, output [31:0] p);
  Part low(.clk(clk), .x(x[7:0]), .y(y[7:0]), .p(p[15:0]));
  Part high(.clk(clk), .x(x[15:8]), .y(y[15:8]), .p(p[31:16]));
endmodule"""


def mapped(verilog: str, device: str, build: Path, **options: int) -> dict:
    """The result of a run."""
    return run_fpga("toy", verilog, "Toy", build, device, **options)


@pytest.mark.parametrize(
    ("device", "parts", "luts", "ffs", "more"),
    [
        ("cyclonev", ("register", "four", "six"), 8 + 8, 3 * 8, {"dsp": 0, "alms": 4 + 8}),
        # The registers of a product are in its block, too.
        ("artix7", ("register", "six", "multiplier"), 8, 2 * 8, {"dsp": 1}),
        ("virtexe", ("register", "four"), 8, 2 * 8, {"dsp": 0}),
    ],
)
def test_what_parts_take_of_a_device(device, parts, luts, ffs, more, tmp_path):
    result = mapped(toy(*parts), device, tmp_path)
    assert result["metrics"] == {"luts": luts, "ffs": ffs, "bram": 0} | more
    assert [row["step"] for row in result["run"]] == ["rtl", "fpga_map", "summary"]
    assert "clock_period_ns" not in result


def test_repeated_modules_are_mapped_once_and_nothing_else_is_kept(tmp_path):
    flat = mapped(REPLICATED, "artix7", tmp_path)
    kept = mapped(REPLICATED, "artix7", tmp_path, most_operators=2)
    assert flat["metrics"] == kept["metrics"] == {"luts": 0, "ffs": 0, "dsp": 2, "bram": 0}
    maps = [result["steps"]["fpga_map"] for result in (flat, kept)]
    assert [(found["hierarchy"], found["mapped_once"]) for found in maps] == [
        ("flattened", []),
        ("repeated", ["Part"]),
    ]
    netlist = next((tmp_path / "toy/mflowgen").glob("*-fpga_map/outputs/netlist.v")).read_text()
    assert re.findall(r"^module (\w+)", netlist, re.MULTILINE) == ["Part", "Toy"]


def test_each_module_is_mapped_by_itself_where_repeated_ones_are_not_enough(tmp_path):
    found = mapped(REPLICATED, "artix7", tmp_path, most_operators=1)
    assert found["steps"]["fpga_map"]["hierarchy"] == "kept"
    # The product's register is in another module than the product.
    assert found["metrics"] == {"luts": 0, "ffs": 2 * 16, "dsp": 2, "bram": 0}


def run_on_ecp5(on_step=None) -> dict:
    """The result of a run that is made once for all workers."""
    return run_fpga("toy", NARROW, "Toy", build_dir("test fpga"), "ecp5", on_step, wait=True)


@pytest.fixture(scope="module")
def routed() -> dict:
    return run_on_ecp5()


def test_on_an_ecp5_the_toy_is_routed_and_its_shell_counted_apart(routed):
    metrics, route = routed["metrics"], routed["steps"]["fpga_route"]
    assert (metrics["luts"], metrics["ffs"]) == (2, 2)
    # 8 inputs and 2 outputs: a register each, and for each output a selector.
    assert route["shell"] == {"luts": 2, "ffs": 10}
    [found] = route["runs"]
    assert found["ffs"] == 2 + 10
    assert found["luts"] in (2 + 2, 2 + 2 + 1)  # nextpnr may hold a constant in a table
    # A table between registers, on a part that no clock of 1 GHz could drive.
    assert 100 < metrics["fmax_mhz"] == pytest.approx(found["fmax_mhz"], abs=0.01)
    assert metrics["fmax_mhz"] < 1000


def proves_equal(step: Path, netlist: Path) -> bool:
    """Whether the netlist in the mapped shell does what the design in the shell's Verilog does."""
    own = "hierarchy -top fpga_shell; proc; flatten; opt_clean; rename fpga_shell"
    design = step.parent.parent / "design/design.v"
    try:
        run_yosys(
            f"read_verilog -sv {design}; read_verilog {step}/shell.v; {own} gold",
            "design -stash gold",
            f"read_verilog -nooverwrite +/lattice/cells_sim_ecp5.v; read_verilog {netlist}",
            f"read_verilog {step}/shell-mapped.v; {own} gate; design -stash gate",
            "design -copy-from gold gold; design -copy-from gate gate",
            "miter -equiv -flatten -make_assert gold gate miter; hierarchy -top miter",
            "async2sync; opt -full",
            "sat -verify -prove-asserts -tempinduct -set-init-zero -maxsteps 20 miter",
        )
    except AssertionError as error:
        if "proof did fail" not in str(error):
            raise
        return False
    return True


def test_what_is_routed_is_proven_equal_to_the_design_and_a_wrong_table_is_caught(routed, tmp_path):
    step = folder_of(routed, "fpga_route")
    assert proves_equal(step, step / "inputs/netlist.v")
    text = (step / "inputs/netlist.v").read_text()
    wrong = re.sub(r"16'h\w{4}", "16'h8000", text, count=1)
    assert wrong != text
    (tmp_path / "wrong.v").write_text(wrong)
    assert not proves_equal(step, tmp_path / "wrong.v")


def test_a_second_run_executes_nothing(routed):
    events = []
    again = run_on_ecp5(lambda *event: events.append(event))
    results = folder_of(routed, "summary").parent.parent / "results.json"
    assert again == routed == json.loads(results.read_text())
    steps = ("rtl", "fpga_map", "fpga_route", "summary")
    assert events == [(step, "up to date") for step in steps]


def test_a_design_without_outputs_cannot_be_routed(tmp_path):
    lonely = "module Toy(input clk, output reg y); always @(posedge clk) y <= ~y; endmodule"
    with pytest.raises(RunError, match="Toy needs an input and an output besides its clock clk"):
        mapped(lonely, "ecp5", tmp_path)


def test_a_syntax_error_stops_at_rtl(tmp_path):
    with pytest.raises(RunError, match=r"^step rtl failed:\n.*syntax error"):
        mapped(toy("register").replace("reg [7:0] q", "reg [7:0 q"), "artix7", tmp_path)


@pytest.mark.quick
def test_a_device_that_is_none(tmp_path):
    with pytest.raises(UserError, match="device 'spartan'; choose from cyclonev, artix7, virtexe"):
        mapped(NARROW, "spartan", tmp_path)


BAD_INPUT = {
    "fpga mul-rem --nbits 8": "Missing option '--device'",
    "fpga mul-rem --nbits 8 --device spartan": "--device: no device 'spartan'; choose from",
    "fpga mul-rem --nbits 7 --device ecp5": "--nbits: 7 is not a width of mul-rem",
    "fpga nothing --nbits 8 --device ecp5": "design: no design named 'nothing'",
    "fpga mul-rem --nbits 8 --device ecp5 --unit adder": "--unit: no unit 'adder'; choose from",
}


@pytest.mark.quick
@pytest.mark.parametrize("line", BAD_INPUT)
def test_bad_input_is_one_line_that_says_what_to_do(line):
    result = run(line)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert BAD_INPUT[line] in result.stderr


@pytest.mark.quick
def test_a_cell_that_no_table_knows_is_named():
    family = devices.FAMILIES["artix7"]
    assert family.unknown(["LUT6", "CARRY4", "$scopeinfo", "PLL"]) == ["PLL"]
    assert family.metrics({"LUT2": 3, "RAMB18E1": 3, "FDRE": 4})["bram"] == 2  # two halves make one


@pytest.mark.quick
def test_the_shell_connects_each_port_bit_once():
    ports = [
        shells.Port("clk", True, 1),
        shells.Port("a", True, 3),
        shells.Port("b", True, 2),
        shells.Port("y", False, 4),
    ]
    text = shells.shell("Toy", ports, "clk")
    for pin in (".clk(clk)", ".a(feed[2:0])", ".b(feed[4:3])", ".y(result[3:0])"):
        assert pin in text
