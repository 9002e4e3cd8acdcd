"""The flow's proof that a netlist does what its RTL does, and that it finds a wrong gate."""

import json
import subprocess
import sys

import pytest

from flow.netlist import read_netlist
from flow.process import environment
from flow.run import run_flow
from tests.flow.netlists import with_other

NBITS = 6
MACHINE = f"""
module Machine(input clk, input reset, input go, input [{NBITS - 1}:0] a, input [{NBITS - 1}:0] b,
               output reg [{2 * NBITS - 1}:0] y, output done);
  reg [1:0] state;
  assign done = state == 2;
  always @(posedge clk)
    if (reset) state <= 0;
    else case (state)
      0: if (go) state <= 1;
      1: begin y <= a * b; state <= 2; end
      2: state <= 0;
      default: state <= 0;
    endcase
endmodule"""


@pytest.fixture(scope="module")
def proven(tmp_path_factory):
    build = tmp_path_factory.mktemp("equivalence")
    arguments = {"to": "equivalence", "recipes": ["area+booth"]}
    return build, run_flow("machine", MACHINE, "Machine", build, **arguments)


def test_a_state_machine_with_a_booth_multiplier_is_proven(proven):
    _, result = proven
    equivalence = result["steps"]["equivalence"]
    assert equivalence["outcome"] == "proven"
    assert equivalence["registers"] == equivalence["registers_paired"] >= 2 * NBITS + 2
    # The ports but for the inputs, and what each register is to hold next.
    assert equivalence["outputs_compared"] == 2 * NBITS + 1 + equivalence["registers"]
    assert any("booth" in text for text in equivalence["trusted"])
    assert "simulation" not in result["steps"]  # there is no recording


def prove_again(folder, netlist, seconds="60"):
    """Run the step's script in its folder on another netlist."""
    link = folder / "inputs/flat.json"
    given = link.readlink()
    link.unlink()
    netlist.save(link)
    env = environment() | {"design_name": netlist.top, "proof_seconds": seconds}
    command = [sys.executable, "equivalence.py"]
    done = subprocess.run(
        command, cwd=folder, env=env | {"clock_port": "clk"}, capture_output=True, text=True
    )
    link.unlink()
    link.symlink_to(given)
    return done


@pytest.mark.parametrize(("right", "wrong"), [("NAND2_X1", "NOR2_X1"), ("NOR2_X1", "NAND2_X1")])
def test_a_wrong_gate_is_found(proven, right, wrong):
    build, _ = proven
    [folder] = (build / "machine/mflowgen").glob("*-equivalence")
    netlist = read_netlist(folder / "inputs/flat.json", "Machine")
    changed = with_other(netlist, right, wrong)
    assert changed is not netlist
    done = prove_again(folder, changed)
    assert done.returncode == 1
    assert done.stderr == "ERROR: the netlist is not equivalent to the RTL\n"


def test_what_takes_too_long_is_said_to_be_unproven(proven):
    build, _ = proven
    [folder] = (build / "machine/mflowgen").glob("*-equivalence")
    netlist = read_netlist(folder / "inputs/flat.json", "Machine")
    assert prove_again(folder, netlist, seconds="0.01").returncode == 0
    result = json.loads((folder / "outputs/equivalence.json").read_text())
    assert result["outcome"] == "not finished in 0.01 s"
