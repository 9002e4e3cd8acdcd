"""Layout: a small design through the whole flow, and the parts that find what is wrong."""

import json
import random
import re
import shutil
import subprocess
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import klayout.db as kdb
import msgspec
import numpy as np
import pytest

from flow import opensta
from flow.child import command
from flow.gates.mapped import MappedNetlist
from flow.gates.simulate import simulate
from flow.gates.timing import Timing
from flow.layout import buffering, checks, modules, plot, router, sizing, strips
from flow.layout.conflicts import index
from flow.layout.connected import is_open
from flow.layout.design import Cell, Design
from flow.layout.estimate import estimate
from flow.layout.gds import GdsWriter, extract
from flow.layout.layers import unpacked
from flow.layout.parasitics import extract_wires
from flow.layout.placement import illegal, legalise, room
from flow.layout.repair import repair
from flow.layout.routes import load_routes
from flow.layout.technology import stack_of
from flow.layout.wires import Tidier, shapes
from flow.netlist import read_netlist
from flow.process import environment
from flow.recording import RecordedPort, Recording
from flow.request import Request
from flow.results.layers import Layers
from flow.technologies.technology import technology
from flow.technologies.wires import read_tables
from sim.errors import UserError
from tests.flow.netlists import connections, read_verilog
from tests.flow.runs import folder_of, kept_run, run_step
from tests.flow.technology_lef import read_technology
from tests.flow.toys import KIT

# A register, a multiplier and an adder, each a module; an input that goes straight out.
TINY = """
module Mac(input clk, reset, input [5:0] a, b, input straight, output [11:0] sum, output out);
  wire [11:0] p, s;
  Times times(.a(a), .b(b), .p(p));
  Plus plus(.a(p), .b(sum), .s(s));
  Hold hold(.clk(clk), .d(s & {12{~reset}}), .q(sum));
  assign out = straight;
endmodule
module Times(input [5:0] a, b, output [11:0] p); assign p = a * b; endmodule
module Plus(input [11:0] a, b, output [11:0] s); assign s = a + b; endmodule
module Hold(input clk, input [11:0] d, output reg [11:0] q); always @(posedge clk) q <= d; endmodule
"""

CYCLES = 40


def recorded():
    """Reset, then nothing for some cycles, then products of random numbers summed up."""
    rng = random.Random(1)
    numbers = [(0, 0)] * (2 + CYCLES)
    numbers += [(rng.randrange(64), rng.randrange(64)) for _ in range(CYCLES)]
    sums = [0]
    for a, b in numbers:
        sums.append((sums[-1] + a * b) % 4096)
    ports = (
        RecordedPort("reset", False, 1, [1, 1] + [0] * (len(numbers) - 2)),
        RecordedPort("a", False, 6, [a for a, _ in numbers]),
        RecordedPort("b", False, 6, [b for _, b in numbers]),
        RecordedPort("straight", False, 1, [a & 1 for a, _ in numbers]),
        RecordedPort("sum", True, 12, sums[:-1]),
        RecordedPort("out", True, 1, [a & 1 for a, _ in numbers]),
    )
    windows = {"idle": (2, 2 + CYCLES), "busy": (2 + CYCLES, 2 + 2 * CYCLES)}
    return Recording(ports, windows, unchecked=((0, 2),), operations={"busy": "idle"})


@pytest.fixture(scope="module")
def run():
    """The tiny design's results."""
    return kept_run(TINY, "Mac", recorded(), to="layout_energy", recipes=["area+booth"])


@pytest.fixture(scope="module")
def folders(run):
    return {step["step"]: folder_of(run, step["step"]) / "outputs" for step in run["run"]}


@pytest.fixture(scope="module")
def cells(stack):
    return strips.read_cells(stack, [KIT / "stdcells.lef"])


@pytest.fixture
def placed(folders):
    return Design.load(folders["place"] / "placed.json")


@pytest.fixture
def nets(folders, placed, stack):
    return load_routes(folders["route"] / "routes.json", placed, stack)[0]


def test_the_whole_flow_ends_clean(run, folders):
    metrics, layout = run["metrics"], run["steps"]["layout"]
    assert layout["label"] == "clean"
    assert layout["violations"] == {}
    assert metrics["open_nets"] == metrics["shorted_pairs"] == metrics["drc_violations"] == 0
    read_back = layout["read_back"]
    assert read_back["opens"] == read_back["shorts"] == read_back["missing"] == []
    assert read_back["nets"] == run["steps"]["route"]["nets"]
    assert metrics["layout_area_um2"] > metrics["area_um2"] * 0.9
    assert metrics["core_utilisation"] < 0.9
    assert metrics["layout_setup_slack_ns"] < 3.0
    assert metrics["wire_um"] == pytest.approx(sum(layout["wire_um_by_metal"].values()), abs=1)
    for name in ("layout.gds", "layout.def", "layout.spef", "amoeba.png", "amoeba.svg"):
        assert (folders["layout"] / name).stat().st_size > 1000
    assert "clean" in (folders["layout"] / "amoeba.svg").read_text()
    groups = [row["group"] for row in layout["modules"]]
    assert any("Times" in group for group in groups)
    assert "clock tree" in groups


def test_a_core_is_filled_as_asked(run, tmp_path):
    done = run_step(run, "place", tmp_path, utilisation=0.2)
    assert done.returncode == 0, done.stderr
    less = json.loads((tmp_path / "outputs" / "place.json").read_text())
    assert less["illegal"] == less["differences"] == []
    usual, metrics = run["metrics"], less["metrics"]
    cells = Design.load(tmp_path / "outputs" / "placed.json").instances()
    assert len(cells) == usual["layout_cells"]
    assert usual["core_area_um2"] / metrics["core_area_um2"] < 0.6
    assert usual["core_utilisation"] < 0.9
    with pytest.raises(UserError, match=r"utilisation 0.9 is not from 0.05 to 0.85"):
        Request(utilisation=0.9)


def test_the_layout_computes_what_the_design_does_at_more_energy(run):
    """Every output of every cycle was compared, with the buffers in."""
    energy = run["steps"]["layout_energy"]
    assert energy["outputs_compared"] == 13
    after, before = (row["busy"]["energy_nj"] for row in (energy["operations"], energy["before"]))
    assert before > 0
    assert 0.5 < after / before < 2
    assert after != before
    assert run["metrics"]["layout_energy_busy_nj"] > run["metrics"]["layout_energy_idle_nj"] > 0


def test_glitches_are_those_of_delays_with_the_layouts_wires(run, folders, library):
    """The nets of the layout toggle as they do when it is simulated here with its wires."""
    netlist = read_netlist(folders["layout"] / "flat.json")
    wires = json.loads((folders["layout"] / "wires.json").read_text())
    tree = json.loads((folders["layout"] / "clock_tree.json").read_text())
    counted = np.load(folders["layout_simulation"] / "activity.npz")["busy.0.delayed_toggles"]

    def toggles(of_nets):
        timing = Timing(MappedNetlist(netlist, library), tree["port"], of_nets)
        [busy] = simulate(timing, recorded(), 2 * CYCLES).windows["busy"]
        assert busy.sampled == CYCLES
        return busy.delayed_toggles.tolist()

    assert counted.tolist() == toggles({netlist.names[net]: ff for net, ff in wires.items()})
    assert counted.tolist() != toggles(None)


def test_the_supply_rails_lose_what_all_cells_take(run, folders):
    """The current is the energy of the window by voltage and time, less what others drive; of a
    small core little is lost."""
    found, metrics = run["steps"]["layout_energy"]["supply"], run["metrics"]
    power = json.loads((folders["layout_power"] / "power.json").read_text())["windows"]["busy"]
    tree = json.loads((folders["layout"] / "clock_tree.json").read_text())
    own = {row["module"]: row["total"] for row in power["modules"]}
    inside = 1 - own["(inputs of the design)"] / power["power_mw"]["total"]
    fj = 1e6 * power["energy_with_glitches_nj"] * inside / power["cycles"] + tree["always_fj"]
    assert found["current_ma"] == pytest.approx(fj / 3.0 / 1.1 / 1000, rel=1e-3)
    assert 0 < max(found["rails_mv"].values()) < found["worst_mv"] < 5
    assert found["worst_mv"] == pytest.approx(metrics["supply_drop_mv"], abs=1e-3)


def test_the_layers_are_all_of_the_layout(run, folders, placed):
    """Every cell once, the wires as long as they are, and the power of the supply's current."""
    file = folders["layout_energy"] / "layers.json"
    found = msgspec.json.decode(file.read_bytes(), type=Layers)
    cells = unpacked(found.cells)
    rows, sites = (cells[at::4] for at in (0, 1))
    at = [(cell.row, cell.site) for cell in Design.load(folders["layout"] / "placed.json").cells]
    assert list(zip(rows, sites, strict=True)) == at
    assert "clock tree" in {name for name, _ in found.parts}
    assert len(found.path_um) > 2
    wide, high = found.core_um
    up, across = (
        np.diff(np.minimum(np.arange(count + 1) * found.bin_um, end))
        for count, end in ((len(found.wires), high), (len(found.wires[0]), wide))
    )
    um = np.sum(np.outer(up, across) * found.wires)
    assert um == pytest.approx(run["metrics"]["wire_um"], rel=0.01)
    milliampere = run["steps"]["layout_energy"]["supply"]["current_ma"]
    assert sum(unpacked(found.nw)) == pytest.approx(1e6 * 1.1 * milliampere, rel=0.01)


def test_spef_holds_the_capacitance_of_every_net(run, folders, placed, nets, stack):
    text = (folders["layout"] / "layout.spef").read_text()
    sums, between = {}, {}
    for part in text.split("*D_NET ")[1:]:
        (net, total), rows = part.split()[:2], re.search(r"\*CAP\n(.*?)\*RES", part, re.S)[1]
        cells = [row.split() for row in rows.splitlines()]
        sums[net] = float(total), sum(float(row[-1]) for row in cells)
        between |= {(row[1], row[2]): float(row[3]) for row in cells if len(row) == 4}
    assert len(sums) == len(nets)
    assert all(total == pytest.approx(all_rows, rel=2e-3) for total, all_rows in sums.values())
    total = sum(total for total, _ in sums.values())
    assert total / 1000 == pytest.approx(run["metrics"]["wire_capacitance_pf"], rel=1e-3)
    # What is between two nets is listed in both.
    assert between
    assert all(between[b, a] == pytest.approx(ff, rel=1e-3) for (a, b), ff in between.items())
    assert 0.2 < run["metrics"]["wire_coupling_share"] < 0.8
    for rc in extract_wires(stack, read_tables(), placed, nets).nets.values():
        # A tree: every node but one is reached by a resistor of its own.
        assert len(rc.resistors) == len({end for r in rc.resistors for end in r[:2]}) - 1


def test_sta_takes_what_is_between_wires_as_if_to_ground(run, folders, tmp_path):
    spef, plain = folders["layout"] / "layout.spef", tmp_path / "plain.spef"
    grounded, taken_out = tmp_path / "grounded.spef", r"(?m)^(\d+ \S+) \S+ (\S+)$"
    caps = re.compile(r"(?s)(?<=\*CAP\n).*?(?=\*RES)")
    text = spef.read_text()
    grounded.write_text(caps.sub(lambda m: re.sub(taken_out, r"\1 \2", m[0]), text))
    plain.write_text(caps.sub(lambda m: re.sub(taken_out, r"\1 0", m[0]), text))
    assert slack(folders, grounded) == slack(folders, spef)
    assert slack(folders, plain) > slack(folders, spef) + 0.005


def test_the_buffers_of_the_clock_tree_are_in_the_energy(run, folders):
    """Their leakage and what they take inside, in each cycle: nothing of it is in the window's own
    power, and an operation has it for the cycles that it takes beyond its dummy call's."""
    tree = json.loads((folders["layout"] / "clock_tree.json").read_text())
    own = json.loads((folders["layout_power"] / "power.json").read_text())
    assert tree["always_fj"] > 0
    assert tree["gated_fj"] == {}
    assert 0.001 < tree["slew_ns"] < 0.1
    fj = tree["always_fj"] + tree["leakage_nw"] * 3.0 * 1e-3
    for name, window in own["windows"].items():
        added = run["metrics"][f"layout_energy_{name}_nj"] - window["energy_nj"]
        assert added == pytest.approx(window["cycles"] * fj * 1e-6)
    busy = run["steps"]["layout_energy"]["operations"]["busy"]
    assert busy["energy_nj"] == pytest.approx(own["operations"]["busy"]["energy_nj"])
    dummy = own["operations"]["busy"]["dummy_energy_nj"]
    assert busy["dummy_energy_nj"] == pytest.approx(dummy + CYCLES * fj * 1e-6)


def test_estimated_wires_have_what_routed_ones_have(placed, nets, stack):
    routed = extract_wires(stack, read_tables(), placed, nets).nets
    estimated = estimate(placed)[1].nets
    assert estimated.keys() == routed.keys()
    had, was_told = (sum(rc.total for rc in found.values()) for found in (routed, estimated))
    assert was_told == pytest.approx(had, rel=0.15)


def slack(folders, spef):
    netlist = folders["place"] / "layout.v"
    text = opensta.run_sta(netlist, "Mac", KIT / "stdcells.lib", 3.0, "clk", spef=spef)
    assert "not found" not in text
    return opensta.summary(text, 3.0).setup_slack_ns


def test_sta_takes_the_wires_from_spef(run, folders, tmp_path):
    spef = folders["layout"] / "layout.spef"
    assert slack(folders, spef) == run["metrics"]["layout_setup_slack_ns"]
    heavy = tmp_path / "heavy.spef"
    heavy.write_text(spef.read_text().replace("*R_UNIT 1 OHM", "*R_UNIT 1000 OHM"))
    assert slack(folders, heavy) < slack(folders, spef) - 0.05


BENCH = """`timescale 1ns/1ps
module bench;
  reg clk = 0, reset = 1, straight = 0, going = 1; reg [5:0] a = 0, b = 0; reg [11:0] want = 0;
  wire [11:0] sum; wire out;
  integer cycle, wrong = 0; real edge_at, late = 0;
  Mac dut(.clk(clk), .reset(reset), .a(a), .b(b), .straight(straight), .sum(sum), .out(out));
  always @(sum) if (cycle > 2 && $realtime - edge_at > late) late = $realtime - edge_at;
  initial begin
    $sdf_annotate("layout.sdf", dut);
    for (cycle = 0; cycle < 200; cycle = cycle + 1) begin
      edge_at = $realtime;
      clk = 1;
      #0.2 reset = cycle < 2; a = $random; b = $random; straight = $random;
      #(PERIOD / 2 - 0.2) clk = 0;
      #(PERIOD / 2) if (cycle > 1 && (sum !== want || out !== straight)) wrong = wrong + 1;
      want = reset ? 0 : want + a * b;
    end
    $display("wrong %0d late %0.3f", wrong, late);
    $finish;
  end
endmodule
"""


def simulated(folders, folder, period):
    """Simulate the layout in iverilog, from all registers unknown: cycles with a wrong or unknown
    output, and how late after the edge a register's output changes, ns."""
    package, *_ = find_spec("adks").submodule_search_locations
    cells = Path(package, "freepdk-45nm/view-tiny/stdcells.v").read_text()
    shutil.copy(folders["layout"] / "layout.sdf", folder)
    bench = BENCH.replace("PERIOD", str(period))
    (folder / "all.v").write_text(bench + (folders["layout"] / "simulated.v").read_text() + cells)
    line = ["iverilog", "-g2005-sv", "-gspecify", "-Tmax", "-o", "run", "all.v"]
    subprocess.run(line, cwd=folder, check=True, capture_output=True)
    done = subprocess.run(["vvp", "-n", "run"], cwd=folder, check=True, capture_output=True)
    said = done.stdout.decode()
    assert "SDF" not in said, said[:500]
    wrong, late = re.search(r"wrong (\d+) late (\S+)", said).groups()
    return int(wrong), float(late)


def test_iverilog_simulates_the_layout_with_its_delays(run, folders, tmp_path):
    """Nothing unknown is left after reset. At a period a little above what OpenSTA finds all is
    right, at one far below it is not."""
    reached = run["metrics"]["layout_period_ns"]
    wrong, late = simulated(folders, tmp_path, 3.0)
    assert wrong == 0
    latency = run["metrics"]["layout_clock_latency_ns"]
    assert latency + 0.05 < late < latency + 0.3  # the clock's tree, then the register
    assert simulated(folders, tmp_path, round(reached + 0.15, 3))[0] == 0  # inputs are 0.2 ns late
    assert simulated(folders, tmp_path, round(reached - 0.15, 3))[0] > 20


def test_placement_is_legal(placed, cells, stack):
    assert illegal(placed) == []
    boxes = []
    for cell in placed.cells:
        x, width = cell.site * stack.site_width, cells[cell.master].width
        assert x >= 0
        assert x + width <= placed.width
        assert 0 <= cell.row * stack.row_height < placed.height
        boxes.append((cell.row, x, x + width))
    boxes.sort()
    assert all(a[0] != b[0] or a[2] <= b[1] for a, b in zip(boxes, boxes[1:], strict=False))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c, other: c._replace(site=other.site, row=other.row), "overlaps"),
        (lambda c, other: c._replace(site=-1), "is outside the core"),
        (lambda c, other: c._replace(row=1 << 20), "is outside the core"),
        (lambda c, other: c._replace(orientation={"N": "FS"}.get(c.orientation, "N")), "upside"),
    ],
)
def test_an_illegal_place_is_found(placed, change, message):
    placed.cells[0] = change(placed.cells[0], placed.cells[1])
    assert any(message in text for text in illegal(placed))


def test_buffers_change_no_connection(folders, placed, tmp_path):
    before = read_netlist(folders["synthesis"] / "flat.json")
    after = placed.netlist()
    written = read_verilog(folders["place"] / "layout.v", "Mac", tmp_path)
    assert connections(written) == connections(after)
    known = sizing.kinds(sizing.families(placed.shapes, KIT / "stdcells.lib"))
    assert buffering.differences(stack_of(), before, after, known) == []
    added = [i.name for i in after.instances if i.name.startswith(buffering.CLOCK_PREFIX)]
    assert added
    first, second = [i for i in after.instances if i.master.startswith("DFF")][:2]
    first.pins["D"], second.pins["D"] = second.pins["D"], first.pins["D"]
    assert len(buffering.differences(stack_of(), before, after, known)) == 2


def test_every_clock_pin_is_behind_as_many_buffers(run, placed):
    netlist = placed.netlist()
    tree = [i for i in netlist.instances if i.name.startswith(buffering.CLOCK_PREFIX)]
    source = {buffer.pins["Z"]: buffer.pins["A"] for buffer in tree}
    depths = set()
    for instance in netlist.instances:
        if "CK" in instance.pins:
            net, depth = instance.pins["CK"], 0
            while net in source:
                net, depth = source[net], depth + 1
            assert net == netlist.names["clk"]
            depths.add(depth)
    assert depths == {run["steps"]["place"]["buffers"]["clock_levels"]}


def test_an_open_is_counted(folders, placed, nets, stack, tmp_path):
    name = max(nets, key=lambda net: len(nets[net].cuts))
    nets[name].cuts = {cut for cut in nets[name].cuts if cut[0] != "via2"}
    assert is_open(stack, nets[name])
    assert checks.open_nets(stack, nets) == [name]
    gds = tmp_path / "open.gds"
    GdsWriter([KIT / "stdcells.gds"], stack).write(placed, nets, gds)
    assert len(extract(gds, placed).opens) == 1


def test_a_short_is_counted(placed, nets, stack, tmp_path):
    one, other = sorted(nets, key=lambda net: -nets[net].length("metal3"))[:2]
    (metal, y), spans = next((k, s) for k, s in nets[one].h.items() if k[0] == "metal3")
    (_, far), there = next((k, s) for k, s in nets[other].h.items() if k[0] == "metal3")
    low, high = sorted((y, far))
    nets[one].h.setdefault((metal, far), []).append(there[0])
    assert (min(one, other), max(one, other)) in checks.shorted_pairs(stack, nets)
    gds = tmp_path / "short.gds"
    GdsWriter([KIT / "stdcells.gds"], stack).write(placed, nets, gds)
    # The piece joins nothing of its own net: it shorts nothing until it reaches it.
    nets[one].v.setdefault((metal, spans[0][0]), []).append((low, high))
    nets[one].h[metal, far].append(tuple(sorted((spans[0][0], there[0][0]))))
    GdsWriter([KIT / "stdcells.gds"], stack).write(placed, nets, gds)
    assert extract(gds, placed).shorts


def test_swapped_pins_are_counted(placed, nets, stack, tmp_path):
    """The wires of two inputs of a cell are exchanged: both nets miss a pin, and are shorted."""
    at = {pin: net for net, pins in placed.nets.items() for pin in pins}
    number = next(n for n, cell in enumerate(placed.cells) if cell.master.startswith("NAND2"))
    one, other = at[number, "A1"], at[number, "A2"]
    gds = tmp_path / "swapped.gds"
    GdsWriter([KIT / "stdcells.gds"], stack).write(placed, nets, gds)
    assert extract(gds, placed).opens == extract(gds, placed).shorts == []
    for net, pin, instead in ((one, "A1", "A2"), (other, "A2", "A1")):
        placed.nets[net] = [
            (c, instead if (c, p) == (number, pin) else p) for c, p in placed.nets[net]
        ]
    found = extract(gds, placed)
    assert found.opens
    assert found.shorts


def test_a_hold_violation_is_told(run, folders, tmp_path):
    """The clock reaches one register through a megohm."""
    assert run["metrics"]["layout_hold_slack_ns"] > 0
    text = (folders["layout"] / "layout.spef").read_text()
    leaf = re.search(r"\*D_NET clock_buffer_0_net .*?\*END", text, re.S)[0]
    values, resistors = leaf.split("*RES")
    pin = re.escape(re.search(r"\*I (\S+11\S+:CK) I", values)[1])
    slow = re.sub(rf"(?m)^(\d+ \S+ {pin}|\d+ {pin} \S+) \S+$", r"\1 1000000", resistors)
    late = tmp_path / "late.spef"
    late.write_text(text.replace(leaf, f"{values}*RES{slow}"))
    netlist = folders["place"] / "layout.v"
    told = opensta.run_sta(netlist, "Mac", KIT / "stdcells.lib", 3.0, "clk", spef=late)
    assert opensta.summary(told, 3.0).hold_slack_ns < 0


def test_what_is_too_close_is_counted_and_labelled(placed, nets, stack, tmp_path):
    name, wires = next((n, w) for n, w in nets.items() if any(k[0] == "metal4" for k in w.v))
    (metal, x), spans = next((k, s) for k, s in wires.v.items() if k[0] == "metal4")
    wires.v[metal, x + 300] = list(spans)
    gds = tmp_path / "close.gds"
    GdsWriter([KIT / "stdcells.gds"], stack).write(placed, nets, gds)
    found = checks.geometry(gds, stack)
    assert found.get("metal4 spacing", 0) > 0
    assert checks.label(0, 0, found).startswith("not clean: ")
    assert checks.label(1, 2, {}) == "not clean: 1 open nets, 2 shorted pairs"
    assert checks.label(0, 0, {}) == "clean"


def test_wires_across_tracks_leave_no_gap_between(stack):
    """Four cuts of a net, two by two on neighbouring tracks of metal3, 0.1 um apart."""
    segments = [("metal3", 0, y, 4000, y) for y in (2800, 3080)]
    cuts = [(cut, x, y) for cut, x in (("via2", 1000), ("via3", 1200)) for y in (2800, 3080)]
    wires = Tidier(stack).tidy(segments, cuts, [])
    assert len(wires.cuts) == 2
    layout = kdb.Layout()
    cell = layout.create_cell("net")
    metal = layout.layer(15, 0)
    for name, *corners in shapes(stack, wires):
        if name == "metal3":
            cell.shapes(metal).insert(kdb.Box(*corners))
    merged = kdb.Region(cell.shapes(metal)).merged()
    assert merged.count() == 1
    assert merged.space_check(stack.layers["metal3"].spacing).count() == 0


def test_the_technology_is_read(stack):
    layer = stack.layers["metal4"]
    assert (layer.width, layer.spacing, layer.pitch) == (280, 280, 560)
    assert (layer.resistance, stack.layers["via4"].resistance) == (0.21, 3.0)
    assert stack.layers["metal3"].spacing == 140
    assert stack.layers["via5"].spacing == 320


@pytest.mark.quick
def test_the_rules_are_those_of_the_kit(stack):
    """All that layout.toml says of layers and vias, as the kit's technology LEF has it. A strap is
    wider than metal must be, and covers more than the via that the kit has below it."""
    layers, vias = read_technology(KIT / "rtk-tech.lef")
    strap = stack.rules.straps
    for name, layer in stack.layers.items():
        kit = layers[name]
        assert layer.width == kit.width, name
        assert layer.spacing == kit.spacing, name
        assert layer.resistance == kit.resistance
        if name in stack.metals:
            assert (layer.pitch, layer.height, layer.thickness) == (
                *(kit.pitch, kit.height, kit.thickness),
            )
            assert (name in stack.horizontal) == (kit.direction == "horizontal")
    used = {"via1": "via1_4", "via2": "via2_5", "via3": "via3_2", "via4": "via4_0"}
    used |= {"via5": "via5_0", "via6": "via6_0"}
    for cut, via in stack.vias.items():
        shapes_of = {name: (x, y) for name, x, y in via.shapes if name != strap.metal}
        assert vias[used[cut]].items() >= shapes_of.items(), cut


def test_repair_moves_a_planted_wire_away(placed, nets, stack):
    """The wire of one net is drawn over another's; afterwards they are apart, and whole."""
    one, other = sorted(nets, key=lambda net: -nets[net].length("metal4"))[:2]
    key, spans = next((k, s) for k, s in nets[other].v.items() if k[0] == "metal4")
    nets[one].v.setdefault(key, []).append(spans[0])
    assert index(stack, nets).pairs(nets)
    counts = repair(stack, placed, nets)
    assert counts.conflicts_of_router > 0
    assert counts.conflicts == 0
    assert checks.open_nets(stack, nets) == []


@pytest.mark.parametrize("margins", [0, 1])
def test_several_cells_for_one_are_routed_as_one(folders, placed, stack, tmp_path, margins):
    """At most two instances of a cell: the router sees many cells, and routes the same nets. With
    a margin beside the core all wires stay within it."""
    script = tmp_path / "katana.py"
    text = router.SCRIPT.read_text()
    script.write_text(text.replace("INSTANCES = 2500", "INSTANCES = 2"))
    line = command(script, folders["place"] / "placed.json", "routes.json", margins)
    subprocess.run(line, cwd=tmp_path, env=environment(), check=True, capture_output=True)
    most = max(Counter(cell.master for cell in placed.instances()).values())
    lef = (tmp_path / "cells.lef").read_text()
    assert f"_{(most - 1) // 2}\n" in lef
    assert f"_{(most - 1) // 2 + 1}\n" not in lef
    again, _ = load_routes(tmp_path / "routes.json", placed, stack)
    across = [at for wires in again.values() for _, at in wires.v]
    assert 0 <= min(across) < max(across) <= placed.width
    repair(stack, placed, again)
    assert checks.open_nets(stack, again) == checks.shorted_pairs(stack, again) == []


@pytest.mark.quick
def test_strips_lie_on_their_pins_and_apart(cells, stack):
    macros = strips.read_macros([KIT / "stdcells.lef"], "metal1", "metal2")
    assert len(cells) > 130
    for name, shape in cells.items():
        xs = sorted(strip.x for strip in shape.strips.values())
        assert all(b - a >= 280 for a, b in zip(xs, xs[1:], strict=False)), name
        for pin, strip in shape.strips.items():
            if name in macros:
                spans = [
                    span
                    for polygon in macros[name].pins[pin].polygons
                    for span in strips.covered(polygon, strip.x - 70, strip.x + 70)
                ]
                assert any(a <= strip.via - 70 and strip.via + 70 <= b for a, b in spans), name


@pytest.mark.quick
def test_groups_by_module():
    owners = {"a": ("", "Top")}
    areas = {"a": 1.0}
    for lane in range(8):
        for gate in range(10):
            owners[f"u.lane_{lane}.g{gate}"] = (f"u.lane_{lane}", "Lane__nbits_8")
    owners |= {f"u.m{i}": ("u", "Unit__x") for i in range(30)}
    owners |= {f"v.m{i}": ("v", "Unit__x") for i in range(30)}
    owners["v.tiny.g"] = ("v.tiny", "Tiny")
    areas = dict.fromkeys(owners, 1.0)
    found = {group.name: group for group in modules.groups(owners, areas)}
    assert found["8 x Lane"].area == 80
    assert len(set(found["8 x Lane"].shades.values())) == 8
    assert found["u: Unit, own cells"].area == 30
    assert found["v: Unit, own cells"].area == 30  # as u is taken apart, so is v
    assert found["others"].area == 2
    assert {cell for group in found.values() for cell in group.shades} == owners.keys()
    assert sum(group.area for group in found.values()) == len(owners)


@pytest.mark.quick
def test_a_group_without_cells_of_its_own_has_no_class():
    owners = {f"u.half_{i}.g{g}": (f"u.half_{i}", f"Half{i}") for i in (0, 1) for g in range(9)}
    owners["a"] = ("", "Top")
    names = [group.name for group in modules.groups(owners, dict.fromkeys(owners, 1.0))]
    assert sorted(names) == ["Top, own cells", "half_0: Half0", "half_1: Half1"]
    for cell, (path, module) in list(owners.items()):
        owners[f"{cell}x"] = (path.replace("half", "w.half"), f"Small{module}")
    parts = modules.groups(owners, dict.fromkeys(owners, 0.1))
    assert not [group.name for group in parts if group.name.endswith(": ")]


def test_every_cell_has_a_colour(placed, folders):
    owners = json.loads((folders["synthesis"] / "cells.json").read_text())
    parts, legend = plot.colouring(placed, owners)
    assert {part.name for part in parts.values()} == {name for name, _, _ in legend}
    assert parts.keys() == {cell.name for cell in placed.cells}
    shown = [colour for _, _, colour in legend]
    assert len(set(shown)) == len(shown)


def test_the_slowest_path_goes_from_cell_to_cell(placed, cells, folders):
    report = (folders["layout"] / "layout.rpt").read_text()
    path = opensta.path_cells(report, technology())
    ways = plot.places(placed, [*path, "no cell"])
    assert len(ways) == len(path) > 2
    wide, high = plot.site_um(placed)
    width, height = placed.sites * wide, placed.rows * high
    assert all(0 <= x <= width and 0 <= y <= height for x, y in ways)
    one = next(cell for cell in placed.cells if cell.name == path[0])
    end = one.site + cells[one.master].sites
    assert one.site * wide < ways[0][0] < end * wide
    assert "slowest path" in (folders["layout"] / "amoeba.svg").read_text()


def test_a_net_of_many_sinks_gets_buffers(cells):
    driver, nets = [Cell("driver", "INV_X1")], {"n": [(0, "ZN")]}
    design = Design("Wide", 200, 20, {}, driver, nets, cells)
    for number in range(50):
        design.cells.append(Cell(f"i{number}", "INV_X1", 4 * (number % 40), number // 40))
        design.nets["n"].append((number + 1, "A"))
    counts = buffering.add_buffers(design, None)
    assert counts.fanout_buffers == 3
    assert max(len(pins) for pins in design.nets.values()) <= buffering.MOST_SINKS + 1
    legalise(design)
    assert illegal(design) == []


@pytest.mark.usefixtures("strapless")
def test_room_is_kept_for_pins(cells):
    """Two cells joined pin by pin: as many sites a pin as the core has."""
    pins = ("A1", "A2", "B1", "B2", "ZN")
    pair = [Cell("one", "AOI22_X1"), Cell("other", "AOI22_X1")]
    nets = {pin: [(0, pin), (1, pin)] for pin in pins}
    width = cells["AOI22_X1"].sites

    def sites_each(sites, utilisation=0.5):
        design = Design("Two", sites, 1, {}, pair, nets, cells)
        return [width + free for free in room(design, utilisation)]

    assert sites_each(1000) == sites_each(1000, 0.8) == [12, 12]  # 2.5 a pin
    assert sites_each(1000, 0.25) == [25, 25]
    assert sites_each(2 * width) == [width, width]
    for sites in (16, 20, 24):
        assert 0.7 * sites <= sum(sites_each(sites)) <= 0.8 * sites
