"""State machines in a netlist: what yosys makes of their codes, and their places in the design."""

from pathlib import Path

import pytest

from flow.synthesis.states import read_states, state_codes
from tests.yosys import run_yosys

pytestmark = pytest.mark.quick
# Of four codes three are states, one after the other as long as `go` is 1.
MACHINE = """
module Machine(input clk, input reset, input go, output busy, output done);
  reg [1:0] state;
  always @(posedge clk)
    if (reset) state <= 2'd2;
    else if (go)
      case (state)
        2'd2: state <= 2'd0;
        2'd0: state <= 2'd3;
        default: state <= 2'd2;
      endcase
  assign busy = state == 2'd0;
  assign done = state == 2'd3;
endmodule
"""


def test_codes_are_read_as_yosys_writes_them(tmp_path: Path) -> None:
    """It gives each state a bit of its own; the others are 0 then."""
    (tmp_path / "machine.v").write_text(MACHINE)
    states = tmp_path / "machine.states"
    tidy = "proc; opt_expr; opt_clean; opt -nodffe -nosdff"
    run_yosys(f"read_verilog {tmp_path / 'machine.v'}", tidy, f"fsm -encfile {states}")
    [(module, codes)] = read_states(states).items()
    assert (module, [*codes]) == ("Machine", ["state"])
    assert codes["state"].keys() == {0, 2, 3}
    assert sorted(codes["state"].values()) == [1, 2, 4]


def test_codes_are_those_of_the_machine_before_them(tmp_path: Path) -> None:
    """Two in one module and one in another; bits that do not matter are 0."""
    states = tmp_path / "all.states"
    states.write_text(
        ".fsm Part state\n.map 00 --1\n.map 11 -1-\n.map 01 1--\n"
        ".fsm Top mode\n.map 0 10\n.map 1 01\n.fsm Part phase\n.map 110 -1\n.map 010 1-\n"
    )
    assert read_states(states) == {
        "Part": {"state": {0: 1, 3: 2, 1: 4}, "phase": {6: 1, 2: 2}},
        "Top": {"mode": {0: 2, 1: 1}},
    }
    assert read_states(tmp_path / "none.states") == {}


def test_a_machine_is_named_by_its_place_in_the_design() -> None:
    """One for each instance of its module, and that of the top by its own name alone."""
    part, top = {"state": {0: 1, 3: 2}}, {"mode": {0: 2, 1: 1}}
    tree = {"Top": {"left": "Part", "right": "Around"}, "Around": {"inner": "Part"}, "Part": {}}
    assert state_codes({"Part": part, "Top": top}, tree, "Top") == {
        "mode": top["mode"],
        "left.state": part["state"],
        "right.inner.state": part["state"],
    }
