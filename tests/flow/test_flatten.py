"""A mapped hierarchy as one module: as yosys makes it of the same text."""

import pytest

from flow.netlist import HIGH, LOW
from flow.synthesis import flatten, modules, structural
from tests.flow.netlists import read_verilog
from tests.flow.toys import LIBERTY
from tests.yosys import run_yosys

pytestmark = pytest.mark.quick

# An input that goes through, one held at a constant, outputs that nobody uses (one of a register,
# one alone), ports not counted from 0, a port left open, names to escape, a module of wires alone.
HIERARCHY = r"""
module \Top$1 (clk, a, y, z);
  input clk;
  input [4:1] a;
  output [3:2] y;
  output z;
  wire \n[0] ;
  wire n;
  wire [1:0] pair;
  wire through;
  Middle m (.clk(clk), .given({ a[2:1], through }), .made(pair), .copy(through), .open());
  Middle \m[1] (.clk(clk), .given({ pair, 1'b1 }), .made({ \n[0] , n }));
  Wires w (.a(a[4]), .b(z));
  INV_X1 \last.one (.A(\n[0] ), .ZN(y[3]));
  assign y[2] = n;
endmodule

module Middle(clk, given, made, copy, open);
  input clk;
  input [2:0] given;
  output [1:0] made;
  output copy, open;
  wire q, dead;
  DFF_X1 held_reg (.CK(clk), .D(given[0]), .Q(q), .QN(dead));
  DFF_X1 unused_reg (.CK(clk), .D(dead), .Q(open));
  NAND2_X1 _0_ (.A1(q), .A2(given[1]), .ZN(made[0]));
  assign made[1] = 1'b0;
  assign copy = given[2];
endmodule

module Wires(a, b);
  input a;
  output b;
  assign b = a;
endmodule
"""


@pytest.fixture(scope="module")
def ways(tmp_path_factory):
    """The hierarchy as we make it one module, and as yosys does."""
    folder = tmp_path_factory.mktemp("flatten")
    (folder / "given.v").write_text(HIERARCHY)
    tidy = "write_verilog -noattr -noexpr -nohex -nodec -simple-lhs"
    start = f"read_liberty -lib -ignore_miss_func {LIBERTY}; read_verilog {folder / 'given.v'}"
    start += "; hierarchy -check -top Top$1"
    run_yosys(start, f"{tidy} {folder / 'tidy.v'}")
    run_yosys(start, "flatten -noscopeinfo; opt_clean -purge", f"{tidy} {folder / 'flat.v'}")
    texts = modules.split((folder / "tidy.v").read_text())
    ours = flatten.Flattened(texts, "Top$1", flatten.output_pins(LIBERTY.read_text()))
    return ours, read_verilog(folder / "flat.v", "Top$1", folder)


def test_cells_ports_and_nets_are_those_that_yosys_makes(ways):
    ours, theirs = ways
    assert ours.netlist.instances == theirs.instances
    assert ours.netlist.ports == theirs.ports
    names = [cell.name for cell in theirs.instances]
    assert names == ["last.one", "m._0_", "m.held_reg", "m[1]._0_", "m[1].held_reg"]


def test_every_net_has_a_name_the_least_deep_there_is(ways):
    netlist = ways[0].netlist
    nets = {net for cell in netlist.instances for net in cell.pins.values()}
    assert nets - {LOW, HIGH} <= set(netlist.names.values())
    first = {cell.name: cell.pins for cell in netlist.instances}["m.held_reg"]
    assert netlist.name_of[first["D"]] == "a[2]"  # copied out of the middle and back into it
    assert netlist.name_of[first["Q"]] == "m.q"


def test_cells_belong_to_the_instance_that_held_them(ways):
    assert ways[0].owners == {
        "last.one": ("", "Top$1"),
        **dict.fromkeys(("m._0_", "m.held_reg"), ("m", "Middle")),
        **dict.fromkeys(("m[1]._0_", "m[1].held_reg"), ("m[1]", "Middle")),
    }


@pytest.mark.parametrize(
    "wrong",
    [
        "wire x;\nendmodule\n",
        "module M(a);\n  input a;\n  assign a = a + a;\nendmodule\n",
        "module M(a);\n  input a;\n  always @* a = 1;\nendmodule\n",
        "module M(a);\n  input a;\n  INV_X1 #(.W(2)) i (\n    .A(a)\n  );\nendmodule\n",
        "module M(a);\n  input [0:3] a;\nendmodule\n",
        "module M(a);\n  input a;\n",
    ],
    ids=["no module", "sum", "process", "parameter", "upwards", "no end"],
)
def test_what_no_netlist_has_is_refused(wrong):
    with pytest.raises(ValueError, match="no net"):
        structural.Structure(wrong)


def test_nets_of_a_port_are_told_from_the_lowest_bit_on():
    """As Verilog has the highest first: of constants, too, and of ranges that do not begin at 0."""
    text = (
        "module Top(a, y);\n  input [6:3] a;\n  wire [6:3] a;\n  output [1:0] y;\n"
        "  wire [1:0] y;\n  Part one (\n    .constant(3'b011),\n    .some(a[5:4]),\n"
        "    .all(a),\n    .bit(a[3]),\n    .mixed({ y[0], 2'b10, a[6:5] }),\n    .open()\n  );\n"
        "  assign y[1] = a[6];\nendmodule\n"
    )
    found = structural.Structure(text)
    a3, a4, a5, a6 = found.wires["a"].nets
    y0, y1 = found.wires["y"].nets
    [part] = found.instances
    assert part.ports == {
        "constant": (HIGH, HIGH, LOW),
        "some": (a4, a5),
        "all": (a3, a4, a5, a6),
        "bit": (a3,),
        "mixed": (a5, a6, LOW, HIGH, y0),
        "open": (),
    }
    assert found.joined == [(y1, a6)]
    assert len({LOW, HIGH, a3, a4, a5, a6, y0, y1}) == 8 == found.nets


@pytest.mark.parametrize("used", ["S", "CO"])
def test_a_cell_is_kept_for_any_of_its_outputs(used):
    text = (
        "module Top(a, y);\n  input a;\n  wire a;\n  output y;\n  wire y;\n  wire n;\n"
        "  INV before (\n    .A(a),\n    .ZN(n)\n  );\n"
        f"  FA one (\n    .A(n),\n    .{used}(y)\n  );\n"
        "  FA unused (\n    .A(y)\n  );\nendmodule\n"
    )
    outputs = {"INV": ["ZN"], "FA": ["CO", "S"]}
    found = flatten.Flattened({"Top": text}, "Top", outputs)
    assert [cell.name for cell in found.netlist.instances] == ["before", "one"]
