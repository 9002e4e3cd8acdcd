"""Netlists as they are read and written."""

import pytest

from flow.netlist import HIGH, LOW, read_netlist
from tests.flow.netlists import connections, read_verilog

ODD = r"""
module \Odd$1 (a, y, \z[0] );
  input [1:0] a; // two bits
  output [2:0] y;
  output \z[0] ;
  wire [1:0] w;
  wire \w[0] ;
  INV_X1 \i.one  (.A(a[1]), .ZN(w[0]));
  INV_X1 two (.A(w[0]), .ZN(\w[0] ));
  assign y = {w, a[0]};
  assign { \z[0] , w[1] } = { \w[0] , a[1] };
endmodule
"""


@pytest.mark.quick
def test_verilog_of_every_kind_is_read_and_written(tmp_path):
    (tmp_path / "odd.v").write_text(ODD)
    netlist = read_verilog(tmp_path / "odd.v", "Odd$1", tmp_path)
    first, second = netlist.instances
    assert first.name == "i.one"
    assert netlist.top == "Odd$1"
    net = {bit.name: bit.net for bit in netlist.port_bits()}
    assert netlist.name_of[net["y[0]"]] == "a[0]"
    assert net["y[2]"] == first.pins["A"] == netlist.names["a[1]"]
    assert first.pins["ZN"] == second.pins["A"] == net["y[1]"]
    assert second.pins["ZN"] == net["z[0]"]
    assert first.pins["ZN"] != second.pins["ZN"]
    netlist.write_verilog(tmp_path / "again.v")
    again = read_verilog(tmp_path / "again.v", "Odd$1", tmp_path)
    assert connections(again) == connections(netlist)
    netlist.save(tmp_path / "saved.json")
    assert read_netlist(tmp_path / "saved.json") == netlist


@pytest.mark.quick
def test_constants_and_vectors_that_do_not_start_at_0_are_kept(tmp_path):
    verilog = tmp_path / "shifted.v"
    verilog.write_text(
        "module Shifted(input [8:7] a, output [3:2] y);\n"
        "  NAND2_X1 g (.A1(a[8]), .A2(1'b1), .ZN(y[2]));\n  assign y[3] = 1'b0;\nendmodule\n"
    )
    netlist = read_verilog(verilog, "Shifted", tmp_path)
    [gate] = netlist.instances
    assert gate.pins == {"A1": netlist.names["a[8]"], "A2": HIGH, "ZN": netlist.names["y[2]"]}
    assert [bit.net for bit in netlist.port_bits() if bit.name == "y[3]"] == [LOW]
    netlist.write_verilog(verilog)
    again = read_verilog(verilog, "Shifted", tmp_path)
    assert connections(again) == connections(netlist)


@pytest.mark.quick
def test_a_wire_spelled_like_a_bit_of_another_has_a_name_of_its_own(tmp_path):
    verilog = tmp_path / "alike.v"
    verilog.write_text(
        "module Alike(input [1:0] a, output [2:0] y);\n  wire [1:0] w = a;\n  wire \\w[0] ;\n"
        "  INV_X1 i (.A(w[0]), .ZN(\\w[0] ));\n  assign y = {\\w[0] , w};\nendmodule\n"
    )
    names = read_verilog(verilog, "Alike", tmp_path).names
    assert {names["w[0]"], names["w[0]_"]} == {names["a[0]"], names["y[2]"]}
