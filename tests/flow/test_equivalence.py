"""The flow's proof that a netlist does what its RTL does, and that it finds a wrong gate."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from flow.equivalence.prove import options_for
from flow.netlist import LOW, read_netlist
from flow.results.netlist import COMPOSED, MIXED
from sim.translate import translate
from tests.flow.netlists import with_other
from tests.flow.runs import folder_of, kept_run, run_step
from tests.flow.toys import CarrySaveToy

NBITS = 8  # The fewest that recipes try Booth's coding at.
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

# Read as one module, `twin` is `held`, and `still` is 0; mapped by module, they are registers.
PARTS = """
module Part(input clk, input reset, input go, input d, input never,
            output reg twin, output reg still);
  always @(posedge clk) begin
    if (reset) twin <= 0; else if (go) twin <= d;
    if (go) still <= never;
  end
endmodule
module Parts(input clk, input reset, input go, input [2:0] a, output reg held, output [1:0] y);
  wire twin, still;
  Part part(clk, reset, go, a[0], 1'b0, twin, still);
  assign y = {~(still & a[1]), ~(twin & a[2])};
  always @(posedge clk) if (reset) held <= 0; else if (go) held <= a[0];
endmodule"""


@pytest.fixture(scope="module")
def proven():
    return kept_run(MACHINE, "Machine", to="equivalence", recipes=["area+booth"])


@pytest.fixture(scope="module")
def netlist(proven):
    return read_netlist(folder_of(proven, "synthesis") / "outputs/flat.json")


def test_a_state_machine_with_a_booth_multiplier_is_proven(proven):
    equivalence = proven["steps"]["equivalence"]
    assert equivalence["outcome"] == "proven"
    assert equivalence["registers"] == equivalence["registers_paired"] >= 2 * NBITS + 2
    # The ports but for the inputs, and what each register is to hold next.
    assert equivalence["outputs_compared"] == 2 * NBITS + 1 + equivalence["registers"]
    assert any("booth" in text for text in equivalence["trusted"])
    assert "simulation" not in proven["steps"]  # there is no recording


@pytest.fixture(scope="module")
def carry_save():
    """A design with full adders of the RTL, mapped with those of the kit, and proven."""
    design = translate(CarrySaveToy(NBITS), "CarrySaveToy")
    assert design.carry_save
    recipes = ["area+ripple+fa"]
    asked = {"recipes": recipes, "carry_save": True, "flatten": [*design.flattened]}
    found = kept_run(design.text, design.top, to="equivalence", **asked)
    assert found["steps"]["equivalence"]["outcome"] == "proven"
    assert [row["recipe"] for row in found["steps"]["synthesis"]["front"]] == recipes
    return found


def full_adders(netlist):
    """Those of the RTL; others are found in the adder of the outputs."""
    return [cell for cell in netlist.instances if cell.name.startswith("rows.adder_")]


def test_full_adders_keep_the_pins_that_the_rtl_gives_them(carry_save):
    flat = read_netlist(folder_of(carry_save, "synthesis") / "outputs/flat.json")
    found = full_adders(flat)
    assert len(found) == NBITS - 1  # nothing is carried to the lowest
    assert {cell.master for cell in found} == {"FA_X1"}
    inputs = dict(flat.ports["a"].bits("a"))
    for cell in found:
        at = cell.name.removeprefix("rows.adder_").split(".")[0]
        assert cell.pins["CI"] == inputs[f"a[{at}]"]


FAULTS = {
    "pins swapped": lambda pins: {"S": pins["CO"], "CO": pins["S"]},
    "an input left out": lambda pins: {"CI": LOW},
    "a bit taken twice": lambda pins: {"A": pins["B"]},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_full_adder_with_other_pins_is_found(carry_save, fault, tmp_path):
    flat = read_netlist(folder_of(carry_save, "synthesis") / "outputs/flat.json")
    pins = full_adders(flat)[1].pins
    pins |= FAULTS[fault](pins)
    assert prove(carry_save, flat, tmp_path).returncode == 1


def prove(result, netlist, folder, seconds=60):
    """Run the step's script on another netlist."""
    (folder / "inputs").mkdir()
    netlist.save(folder / "inputs/flat.json")
    return run_step(result, "equivalence", folder, proof_seconds=seconds)


@pytest.mark.parametrize(("right", "wrong"), [("NAND2_X1", "NOR2_X1"), ("NOR2_X1", "NAND2_X1")])
def test_a_wrong_gate_is_found(proven, netlist, right, wrong, tmp_path):
    changed = with_other(netlist, right, wrong)
    assert changed is not netlist
    done = prove(proven, changed, tmp_path)
    assert done.returncode == 1
    assert done.stderr == "ERROR: the netlist is not equivalent to the RTL\n"


@pytest.mark.parametrize("port", ["done", "go"])
def test_a_port_that_only_the_rtl_has_is_found(proven, netlist, port, tmp_path):
    """An output that is not compared, or an input that the netlist does without."""
    ports = {name: one for name, one in netlist.ports.items() if name != port}
    done = prove(proven, replace(netlist, ports=ports), tmp_path)
    assert done.returncode == 1
    assert done.stderr == "ERROR: the netlist has other ports than the RTL\n"


@pytest.mark.quick
@pytest.mark.parametrize(
    ("recipe", "modules", "options"),
    [
        ("area", {}, []),
        ("area+booth", {}, ["--booth"]),
        ("flat+area+booth", {}, ["--flat", "--booth"]),
        (MIXED, {"A": "area+booth", "B": "area", "C": "flat"}, ["--booth", "--but", "B", "C"]),
        (COMPOSED, {"A": "area+booth", "B": "booth+fa"}, ["--booth", "--but"]),
        (COMPOSED, {"A": "area", "B": "area+fa"}, []),
    ],
)
def test_the_rtl_is_coded_as_the_netlist_or_its_modules_are(recipe, modules, options):
    rows = tuple(SimpleNamespace(module=name, by=by) for name, by in modules.items())
    assert options_for(SimpleNamespace(recipe=recipe, modules=rows)) == options


def test_what_takes_too_long_is_said_to_be_unproven(proven, netlist, tmp_path):
    assert prove(proven, netlist, tmp_path, seconds=0).returncode == 0
    result = json.loads((tmp_path / "outputs/equivalence.json").read_text())
    assert result["outcome"] == "not finished in 0 s"


@pytest.fixture(scope="module")
def of_parts():
    result = kept_run(PARTS, "Parts", to="equivalence", recipes=["area"])
    flat = folder_of(result, "synthesis") / "outputs/flat.json"
    return result, read_netlist(flat)


def test_registers_that_only_the_netlist_has_are_proven(of_parts):
    equivalence = of_parts[0]["steps"]["equivalence"]
    assert equivalence["outcome"] == "proven"
    assert equivalence["registers_paired"] == 1
    assert equivalence["registers_twins"] == equivalence["registers_always_0"] == 1
    assert any("begins at 0, or as its twin" in text for text in equivalence["trusted"])


def test_a_wrong_gate_is_found_beside_such_registers(of_parts, tmp_path):
    result, netlist = of_parts
    changed = with_other(netlist, "NAND2_X1", "NOR2_X1")
    assert changed is not netlist
    done = prove(result, changed, tmp_path)
    assert done.returncode == 1
    assert done.stderr == "ERROR: the netlist is not equivalent to the RTL\n"


@pytest.mark.parametrize("name", ["part.twin_reg", "part.still_reg"])
def test_such_a_register_that_holds_something_else_is_not_proven(of_parts, name, tmp_path):
    result, netlist = of_parts
    other = netlist.names["a[1]"]
    cells = [
        replace(cell, pins=cell.pins | {"D": other}) if cell.name == name else cell
        for cell in netlist.instances
    ]
    assert cells != netlist.instances
    assert prove(result, replace(netlist, instances=cells), tmp_path).returncode == 0
    outcome = json.loads((tmp_path / "outputs/equivalence.json").read_text())["outcome"]
    assert outcome == "not proven: a register that only one of the two has stays no 0 or twin"
