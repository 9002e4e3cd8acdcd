"""What steps make of what their parts say, without these: which placement is taken, what is said of
a layout, of a simulation and of a proof, and by which library hold is told."""

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from msgspec.structs import replace

from flow.gates.liberty import Library
from flow.layout.antenna import Antenna
from flow.layout.clock_tree import clock_tree
from flow.layout.design import Cell
from flow.layout.jumps import Mended
from flow.layout.repair import Repaired
from flow.netlist import read_netlist
from flow.opensta import Summary
from flow.recording import RecordedPort, Recording
from flow.results.clock_tree import ClockTree
from flow.results.energy import SimulatedWindow
from flow.results.netlist import Attempt, InCorner
from flow.step import HOLD_LIBERTY, KIT, LIBERTY, POWER_LIBERTY
from flow.technologies.files import in_corner
from flow.technologies.technology import Signoff, technology
from sim.errors import RunError
from tests.flow.scripts import step_module
from tests.flow.test_layout_by_hand import TREE

pytestmark = pytest.mark.quick
Left = dict[str, tuple]
SLOW = Summary(0.5, 0.4, 2.5, True, "s", "e", 9, 0, 0)
FAST = Summary(1.5, -0.25, 1.5, True, "t", "f", 9, 0, 0)


def replaced(monkeypatch: pytest.MonkeyPatch, module: Any, **by: Any) -> None:
    """Put other things in the place of what a step uses."""
    for name, one in by.items():
        monkeypatch.setattr(module, name, one)


def left_by(monkeypatch: pytest.MonkeyPatch, module: Any) -> Left:
    """What a step leaves: the record, its metrics and tools."""
    found: Left = {}
    monkeypatch.setattr(module, "leave", lambda name, *what, **more: found.update({name: what}))
    return found


@pytest.mark.parametrize(
    ("worst", "count", "taken"),
    [
        # At 3 ns a slack of 0.24 ns is enough.
        ([-0.3, 0.1, -0.1, 0.0, 0.2], 4, 1),
        ([0.1, 0.2, 0.24, 0.3], 3, 2),
        ([0.1, 0.2, 0.23, 0.22], 4, 2),
        ([0.3, 0.4], 1, 0),
        ([None, 0.4], 1, 0),
    ],
)
def test_of_four_placements_that_with_the_most_slack_is_taken(
    monkeypatch: pytest.MonkeyPatch, worst: list[float | None], count: int, taken: int
) -> None:
    """Nets get heavier from time to time, until there is enough. Without slow paths there is."""
    step = step_module("place")
    weighed: list[dict] = []

    def placed(self: Any, weights: dict, wider: dict) -> tuple[int, str]:
        assert wider == {7: 1.5}
        weighed.append(weights)
        return len(weighed) - 1, f"buffers {len(weighed) - 1}"

    weighed.append({})  # of the placement that is given

    def slacks(design: int, timed: object) -> dict[str, float]:
        told = worst[design]
        return {} if told is None else {"slow": told, "other": told + 1}

    def heavier(weights: dict, found: dict, enough: float) -> dict:
        assert enough == pytest.approx(0.24)
        return {**weights, f"{len(weighed)}": found["slow"]}

    replaced(monkeypatch, step, slacks=slacks, heavier=heavier)
    replaced(monkeypatch, step.Placer, placed=placed, timed=lambda self, design: (None, None))
    placer = step.Placer(None, {}, None, 0.5, 3.0, "clk", None, [])
    assert placer.best((0, "buffers 0"), {7: 1.5}) == (taken, f"buffers {taken}", weighed[taken])
    assert [len(weights) for weights in weighed] == [*range(len(weighed))]
    assert len(weighed) == count


@pytest.mark.parametrize(
    ("excess", "count", "taken"),
    [
        ([0.0], 1, 0),
        ([2.0, 1.0, 0.0, 0.0], 3, 2),
        ([2.0, 0.25, 0.0], 2, 1),
        ([3, 2, 4, 1, 2, 0], 5, 3),
        ([1, 2, 3, 4, 5], 5, 0),
    ],
)
def test_of_five_placements_the_least_crowded_says_how_wide_cells_are(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    excess: list[float],
    count: int,
    taken: int,
) -> None:
    """Cells get wider from time to time, until little is too crowded."""
    step = step_module("place")
    tried: list[dict] = []

    def placed(self: Any, weights: dict, wider: dict) -> tuple[int, str]:
        assert weights == {}
        tried.append(wider)
        return len(tried) - 1, "buffers"

    def crowding(number: int) -> SimpleNamespace:
        return SimpleNamespace(
            excess=excess[number],
            has_room=excess[number] < 0.5,
            wanted=np.array([[0.5, 0.81 + number]]),
            roomier=lambda wider: {**wider, number: 1.5},
        )

    replaced(monkeypatch, step, Crowding=crowding)
    replaced(monkeypatch, step.Placer, placed=placed)
    placer = step.Placer(None, {}, None, 0.5, 3.0, "clk", None, [])
    assert placer.roomy() == ((taken, "buffers"), tried[taken])
    assert [len(wider) for wider in tried] == [*range(count)]
    assert "want 0.81 of the tracks" in capsys.readouterr().out


@pytest.mark.parametrize("complete", [True, False])
def test_a_router_that_left_something_says_so(
    monkeypatch: pytest.MonkeyPatch, complete: bool
) -> None:
    step, counts = step_module("route"), Repaired(conflicts_of_router=7, conflicts=2, rounds=3)
    left = left_by(monkeypatch, step)
    replaced(monkeypatch, step, run_katana=lambda *files: 4.5, save_routes=lambda *what: None)
    replaced(monkeypatch, step.Design, load=lambda file: SimpleNamespace(stack=None))
    replaced(monkeypatch, step, load_routes=lambda *what: ({"a": 1, "b": 2}, complete))
    replaced(monkeypatch, step, repair=lambda *what: counts)
    step.main()
    [found] = left["route"]
    assert (found.nets, found.complete_by_katana, found.seconds["katana"]) == (2, complete, 4.5)
    assert (found.conflicts_of_router, found.conflicts, found.rounds) == (7, 2, 3)


OPERATORS = {"add": 2, "dff": 3}


@pytest.mark.parametrize(
    ("most", "repeated", "kept", "hierarchy"),
    [
        (5, ["Part"], [], "flattened"),  # as many as may be
        (4, ["Part"], ["Part"], "repeated"),
        (4, [], [], "flattened"),
        (4, None, None, "kept"),
    ],
)
def test_how_a_design_is_mapped_to_an_fpga(
    monkeypatch: pytest.MonkeyPatch, most: int, repeated: list | None, kept: list, hierarchy: str
) -> None:
    step, asked = step_module("fpga_map"), []
    left = left_by(monkeypatch, step)

    def map_design(source: Path, top: str, family: object, kept: list, netlist: Path) -> dict:
        asked.append(kept)
        return {"LUT4": 3, "FDRE": 2}

    replaced(monkeypatch, step, taken=lambda *what: SimpleNamespace(operators=OPERATORS))
    replaced(monkeypatch, step, modules_in=lambda *what: {}, map_design=map_design)
    replaced(monkeypatch, step, repeated=lambda modules, top, most: repeated)
    step.main("artix7", "Top", most)
    found, metrics, _ = left["fpga_map"]
    assert asked == [kept]
    assert (found.hierarchy, found.mapped_once, found.operators) == (hierarchy, kept or [], 5)
    assert found.cells == {"FDRE": 2, "LUT4": 3}
    assert metrics == {"luts": 3, "ffs": 2, "dsp": 0, "bram": 0}


def test_a_cell_that_no_resource_is_known_for_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    step = step_module("fpga_map")
    left = left_by(monkeypatch, step)
    replaced(monkeypatch, step, taken=lambda *what: SimpleNamespace(operators={}))
    replaced(monkeypatch, step, map_design=lambda *what: {"LUT4": 3, "BOX": 1, "PLL": 1})
    with pytest.raises(RunError, match="^no resource is known for cells BOX, PLL$"):
        step.main("artix7", "Top", 9)
    assert not left


@pytest.mark.parametrize(("gated", "least"), [(False, 0), (True, 7)])
def test_a_netlist_is_reported_or_why_there_is_none(
    monkeypatch: pytest.MonkeyPatch, gated: bool, least: int
) -> None:
    """Each reason once; registers of clock gates only if these are asked for."""
    step, asked = step_module("synthesis"), []
    left = left_by(monkeypatch, step)
    tried = [Attempt("a", error="no room"), Attempt("b", error="late"), Attempt("c", error="late")]
    best: list[str] = []
    front = SimpleNamespace(best=lambda: best, tried=tried)
    of_design = ("Top", 3.0, "clk", ("Step",), 60.0)

    def said(*given: object) -> tuple[str, str]:
        asked.append(given)
        return "portfolio", "goal"

    replaced(monkeypatch, step, asked=said, search=lambda portfolio, goal: front)
    replaced(monkeypatch, step, report=lambda *what: ("record", {"area_um2": 1.0}))
    replaced(monkeypatch, step, tools=lambda: {"yosys": "1"})
    given = (*of_design[:4], ("area",), 60.0, True, gated, 7, 5)
    with pytest.raises(RunError, match="^no recipe succeeded: no room\nno recipe succeeded: late$"):
        step.main(*given)
    assert not left
    best.append("a netlist")
    step.main(*given)
    assert left["synthesis"] == ("record", {"area_um2": 1.0}, {"yosys": "1"})
    assert asked == [(*of_design, ("area",), True, 5, least)] * 2


@pytest.mark.parametrize("kit", [True, False])
def test_a_summary_has_all_that_steps_have_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kit: bool
) -> None:
    """And on cells the clock and the library in which setup is told."""
    monkeypatch.chdir(tmp_path)
    step, (inputs, outputs) = step_module("summary"), (tmp_path / "inputs", tmp_path / "outputs")
    inputs.mkdir()
    outputs.mkdir()
    for name, number in (("rtl", 1), ("timing", 2)):
        said = {"metrics": {f"{name}_m": number}, "tools": {name: f"{number}"}, "more": number}
        (inputs / f"{name}.json").write_text(json.dumps(said))
    (inputs / ".stamp.json").write_text("no step's")
    if kit:
        library = tmp_path / LIBERTY
        library.parent.mkdir()
        library.write_text("a library")
        replaced(monkeypatch, step, beside=lambda liberty: technology("sky130"))
    step.main("Top", 2.5)
    found = json.loads((outputs / "results.json").read_text())
    assert (found["top"], found["metrics"]) == ("Top", {"rtl_m": 1, "timing_m": 2})
    assert found["steps"] == {"rtl": {"more": 1}, "timing": {"more": 2}}
    assert found["tools"].items() >= {"rtl": "1", "timing": "2"}.items()
    digest = hashlib.sha256(b"a library").hexdigest()
    expected = {"name": technology("sky130").called, "liberty_sha256": digest}
    assert found.get("kit") == (expected if kit else None)
    assert found.get("clock_period_ns") == (2.5 if kit else None)


def signed_off(monkeypatch: pytest.MonkeyPatch, step: Any, hold: str) -> list[Path]:
    """Sign off setup where it is slow, and hold in a corner; by which libraries sta was asked. It
    answers each with its own slacks."""
    asked: list[Path] = []
    found = replace(technology("sky130"), signoff=Signoff("ss", hold, "tt"))

    def run_sta(netlist: Path, top: str, liberty: Path, *more: Any, **how: Any) -> str:
        asked.append(liberty)
        return "fast" if liberty.name == in_corner("ff") else "slow"

    def summary(text: str, period: float) -> Summary:
        return FAST if text == "fast" else SLOW

    replaced(monkeypatch, step, beside=lambda liberty: found)
    replaced(
        monkeypatch,
        step.opensta,
        beside=lambda liberty: found,
        run_sta=run_sta,
        summary=summary,
        path_report=lambda text: text,
        path_cells=lambda report, technology: ["cell"],
        clock_tree=lambda text: {"skew of": text},
        version=lambda: "1",
    )
    return asked


@pytest.mark.parametrize(("hold", "slack"), [("ff", -0.25), ("ss", 0.4)])
def test_hold_is_told_in_its_corner_and_all_else_in_that_of_setup(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, hold: str, slack: float
) -> None:
    monkeypatch.chdir(tmp_path)
    step, cells = step_module("layout"), [KIT / in_corner(name) for name in ("ss", "tt", "ff")]
    (tmp_path / "outputs").mkdir()
    asked = signed_off(monkeypatch, step, hold)
    assert step.hold_library() == (HOLD_LIBERTY if hold == "ff" else None)
    corners, summary, clock, path = step.timing(3.0, "clk", "Top")
    assert [one.corner for one in corners] == ["ss", "tt", "ff"]
    assert [one.setup_slack_ns for one in corners] == [0.5, 0.5, 1.5]
    assert [one.hold_slack_ns for one in corners] == [0.4, 0.4, -0.25]
    assert (summary, clock, path, asked) == (SLOW, {"skew of": "slow"}, ["cell"], cells)

    step = step_module("timing")
    asked, left = signed_off(monkeypatch, step, hold), left_by(monkeypatch, step)
    library = tmp_path / LIBERTY
    library.parent.mkdir(parents=True)
    library.write_text('default_wire_load : "assumed";')
    replaced(monkeypatch, step, taken=lambda *what: {}, critical_path=lambda *what: None)
    step.main("Top", 3.0, "clk")
    found, metrics, _ = left["timing"]
    assert metrics == {
        **{"setup_slack_ns": 0.5, "hold_slack_ns": slack},
        **{"period_ns": 2.5, "period_typical_ns": 2.5, "clock_met": True},
    }
    assert [one.corner for one in found.corners] == ["ss", "tt", "ff"]
    outside = technology("sky130").outside
    assert found.constraints == {
        **{"driving_cell": outside.driving_cell, "load_ff": outside.load_ff},
        **{"input_delay_ns": 0.0, "output_delay_ns": 0.0, "wire_load": "assumed"},
    }
    assert asked == cells


def port(name: str, output: bool, nbits: int) -> RecordedPort:
    return RecordedPort(name, output, nbits, [0] * 8)


@pytest.mark.parametrize(
    ("asked", "nets", "samples"),
    # As many cycles as are asked for, or as take a minute or so if these are more; 0 is none.
    [(64, 1000, 1_000_000), (64, 10**8, 64), (0, 1000, 0)],
)
def test_what_is_said_of_a_simulation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, asked: int, nets: int, samples: int
) -> None:
    """Outputs that the netlist does not have are not compared; inputs never are."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "outputs").mkdir()
    ports = port("a", False, 4), port("y", True, 5), port("z", True, 2), port("gone", True, 9)
    recording = Recording(ports, {"busy": (2, 8)})
    file = tmp_path / "recording.json"
    file.write_text(recording.to_json())
    step, used = step_module("simulation"), []
    left = left_by(monkeypatch, step)
    netlist = SimpleNamespace(nets=nets, ports={"a": 0, "y": 0, "z": 0})

    def simulate(timing: object, recorded: Recording, cycles: int, seed: int, states: dict) -> Any:
        used.append((recorded, cycles, seed, states))
        return SimpleNamespace(windows={"busy": []}, strays=3, latest=1.23456)

    def row(cycles: int, pieces: list, *known: object) -> SimulatedWindow:
        return SimulatedWindow(cycles, pieces, 0, 0, 0, 0, 1.0)

    replaced(monkeypatch, step, given_file=lambda name: file, read_netlist=lambda file: None)
    replaced(monkeypatch, step, Library=lambda file: None, layout_wires=lambda netlist: None)
    replaced(monkeypatch, step, MappedNetlist=lambda given, library: netlist, simulate=simulate)
    replaced(monkeypatch, step, Timing=lambda *known: SimpleNamespace(clocks=None), window_row=row)
    replaced(monkeypatch, step, taken=lambda name, kind: {"state": {0: 1}})
    replaced(monkeypatch, step, compiler=lambda: SimpleNamespace(version="g++ 12 for us"))
    step.main("clk", asked, 5, "digest")
    assert used == [(recording, samples, 5, {"state": {0: 1}})]
    [found] = left["simulation"]
    assert (found.outputs_compared, found.cycles, found.nets) == (5 + 2, 8, nets)
    assert (found.stray_bits, found.latest_ns, found.workload_sha256) == (3, 1.2346, "digest")
    assert found.windows["busy"].cycles == 6
    assert (tmp_path / "outputs/recording.json").read_text() == file.read_text()


@pytest.mark.parametrize(
    ("options", "gates", "counts", "trusted"),
    [
        ([], 0, {}, 1),
        (["--booth"], 0, {}, 2),
        ([], 2, {}, 2),
        ([], 0, {"registers_always_0": 1, "registers_twins": 0}, 2),
        ([], 0, {"registers_always_0": 0, "registers_twins": 1}, 2),
        (["--booth"], 1, {"registers_always_0": 1, "registers_twins": 1}, 4),
    ],
)
def test_a_proof_says_what_it_trusts(
    monkeypatch: pytest.MonkeyPatch, options: list, gates: int, counts: dict, trusted: int
) -> None:
    step = step_module("equivalence")
    left = left_by(monkeypatch, step)
    kinds = [SimpleNamespace(cells=[0])] * gates
    replaced(monkeypatch, step, taken=lambda *what: None, options_for=lambda said: options)
    replaced(monkeypatch, step, read_netlist=lambda file: None, Library=lambda file: None)
    mapped = SimpleNamespace(clock_gates=lambda: kinds)
    replaced(monkeypatch, step, MappedNetlist=lambda *known: mapped, of_netlist=lambda *what: None)
    replaced(monkeypatch, step, read_rtl=lambda *what: None, prove=lambda *what: ("proven", counts))
    step.main("Top", "clk", 9.0)
    [found] = left["equivalence"]
    assert (found.outcome, len({*found.trusted})) == ("proven", trusted)
    begins = {text.split(":")[0] for text in found.trusted}
    said = {
        "fsm": True,
        "booth": bool(options),
        "gated clocks": gates,
        "start": any(counts.values()),
    }
    assert begins == {name for name, is_said in said.items() if is_said}


def test_what_simulation_and_power_take_of_a_layout(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, made_up: Library
) -> None:
    """The netlist without its tree, of three AND gates with an input of 1 fF each: these and their
    wires are on the clock's net. What the gates take inside is told apart, with the port."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "outputs").mkdir()
    step = step_module("layout")
    replaced(monkeypatch, step, Library=lambda path: {POWER_LIBERTY: made_up}[path])
    roles = SimpleNamespace(clock_leaf="AND2", clock_trunk="AND2", input="A1", output="Z")
    wires = {"clk": 0.5, "n": 2.5, "m": 5.0, "y": 0.25}
    tree = step.write_simulated(cast(Any, SimpleNamespace(cells=roles)), TREE, wires, "clk")
    assert tree == clock_tree(TREE, wires, made_up, "clk")
    assert tree.always_fj > 0
    left = json.loads((tmp_path / "outputs/clock_tree.json").read_text())
    assert (left["port"], left["always_fj"]) == ("clk", tree.always_fj)
    shown = json.loads((tmp_path / "outputs/wires.json").read_text())
    assert shown == {"clk": 0.5 + 2.5 + 5.0 + 3 * 1.0, "y": 0.25}
    ideal = read_netlist(tmp_path / "outputs/flat.json")
    assert [cell.name for cell in ideal.instances] == ["one", "two", "three", "four"]
    assert {ideal.name_of[cell.pins["CK"]] for cell in ideal.instances} == {"clk"}


class Made:
    """A layout whose parts say what is given: opens, shorts, counts of what breaks rules, and the
    ratios of antennas, on a metal that allows 400."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        folder: Path,
        opens: int = 0,
        shorts: int = 0,
        rules: dict[str, int] | None = None,
        in_cells: dict[str, int] | None = None,
        ratios: tuple[float, ...] = (),
        enable: float | None = None,
        mended: tuple[Mended, Mended] = (Mended(0, 0), Mended(0, 0)),
        overloads: int = 0,
        slow: int = 0,
    ) -> None:
        monkeypatch.chdir(folder)
        step, self.said = step_module("layout"), dict[str, Any]()
        left = left_by(monkeypatch, step)
        stack = SimpleNamespace(tech="nangate45", metals=("m1", "m2", "m3"))
        self.design = self._design(stack)
        routed = SimpleNamespace(design=self.design, nets=self._nets())
        routed.wires, anew = (SimpleNamespace(nets={}, of=which) for which in ("closed", "anew"))
        before = SimpleNamespace(setup=-0.5, hold=-0.125)
        closed = SimpleNamespace(routed=routed, before=before, rounds=2, resized=5)
        left_to_mend = list(mended)
        corners = [InCorner("typical", "typical", 0.25, 0.0625, 2.75, "a")]
        timed = Summary(0.25, 0.0625, 2.75, True, "s", "e", 9, 0, 0, enable)
        of_clock = {"clock_latency_ns": 0.1, "clock_skew_ns": 0.02}
        found = [Antenna("n", "m2", ratio, ()) for ratio in ratios]
        nothing = dict.fromkeys(
            ("read_tables", "save_routes", "write_def", "write_abstract", "write_sdf", "layers")
            + ("families", "kinds", "hold_library"),
            lambda *what: None,
        )
        replaced(monkeypatch, step, **nothing)
        replaced(
            monkeypatch,
            step,
            Jumper=lambda *what: SimpleNamespace(mend_all=lambda: left_to_mend.pop(0)),
            Closer=lambda *what: SimpleNamespace(close=lambda *what: closed, limits=None),
            GdsWriter=lambda *what: SimpleNamespace(write=lambda *what: None),
            cell_files=lambda *what: SimpleNamespace(lef=(), gds=()),
            load_routes=lambda *what: ({}, True),
            extract_wires=lambda *what: anew,
            write_spef=lambda path, design, nets, wires: self.said.update(spef=wires.of),
            differences=lambda *what: ["cell a: other"],
            write_simulated=lambda *what: ClockTree(2.0, {"g": 0.5}, 9.0, 0.03126),
            extract=lambda *what: None,
            asdict=lambda record: {"nets": 2},
            timing=lambda *what: (corners, timed, of_clock, []),
            beside=lambda liberty: technology("nangate45"),
            draw=self._draw,
            illegal=lambda design: ["a overlaps b"],
            write_json=lambda name, data: None,
            taken=lambda *what: {},
            wire_metrics=lambda wires: {},
            supply_shapes=lambda design: {"VDD": design.top},
            area_metrics=lambda design: {},
            overloaded=lambda design, limits, nets: dict.fromkeys(range(overloads), limits),
            slow_pins=lambda timed: dict.fromkeys(range(slow), timed.spef),
        )
        replaced(monkeypatch, step.Design, load=lambda file: self.design)
        replaced(
            monkeypatch,
            step.checks,
            open_nets=lambda *what: [f"o{n}" for n in range(opens)],
            shorted_pairs=lambda stack, nets, supply: (
                [(f"a{n}", f"b{n}") for n in range(shorts if supply == {"VDD": "Top"} else 99)]
            ),
            geometry=lambda *what: dict(rules or {}),
            pin_geometry=lambda *what: dict(in_cells or {}),
        )
        replaced(
            monkeypatch,
            step.antenna,
            read_gate_areas=lambda files: {"INV": {"A": 0.1}},
            antennas=lambda *what: found,
            ratios_of=lambda stack: {"m2": 400.0},
        )
        replaced(monkeypatch, step.opensta, version=lambda: "1")
        step.main("Top", 3.0, "clk")
        self.layout, self.metrics, self.tools = left["layout"]

    @staticmethod
    def _design(stack: object) -> Any:
        netlist = SimpleNamespace(write_verilog=lambda path: None)
        return SimpleNamespace(
            **{"stack": stack, "top": "Top", "width": 40_000, "height": 20_000, "shapes": {}},
            cells=[Cell(f"{name}_buffer_1", "BUF") for name in ["hold", "repeater", "hold", "x"]],
            netlist=lambda: netlist,
            powered=lambda: netlist,
            save=lambda path: None,
            instances=lambda: [SimpleNamespace(master="INV")] * 1234,
        )

    @staticmethod
    def _nets() -> dict[str, Any]:
        """4 um on the second metal, 1 on the third; nothing is counted on the first."""
        units = {"a": {"m1": 900, "m2": 6000, "m3": 0}, "b": {"m1": 0, "m2": 2000, "m3": 2000}}
        return {name: SimpleNamespace(length=of.__getitem__) for name, of in units.items()}

    def _draw(self, design: Any, owners: Any, title: str, *more: Any) -> tuple[dict, list]:
        self.title = title
        return {}, []


def test_what_is_said_of_a_clean_layout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = Made(monkeypatch, tmp_path, ratios=(400.0, 12.5))
    assert (found.layout.label, found.layout.violations) == ("clean", {})
    assert found.title == "Top: 1,234 cells, 20 x 10 um, clean"
    assert found.said["spef"] == "closed"
    assert found.layout.wire_um_by_metal == {"m2": 4.0, "m3": 1.0}
    closing = found.layout.closing
    assert (closing.rounds, closing.setup_slack_before_ns, closing.hold_slack_before_ns) == (
        *(2, -0.5, -0.125),
    )
    assert (closing.illegal, closing.differences) == (["a overlaps b"], ["cell a: other"])
    assert found.metrics == {
        **{"closing_resized": 5, "hold_buffers": 2, "long_net_buffers": 1},
        **{"antenna_ratio": 400.0, "antennas": 0, "antennas_mended": 0},
        **{"wire_um": 5.0, "open_nets": 0, "shorted_pairs": 0, "drc_violations": 0},
        **{"overloaded_cells": 0, "slow_pins": 0},
        **{"layout_setup_slack_ns": 0.25, "layout_hold_slack_ns": 0.0625},
        "layout_period_ns": 2.75,
        **{"layout_clock_latency_ns": 0.1, "layout_clock_skew_ns": 0.02},
        **{"layout_clock_slew_ns": 0.0313, "clock_tree_fj": 2.5},
    }


def test_all_that_is_wrong_with_a_layout_is_counted_and_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Opens, shorts and antennas by themselves, what breaks rules as one number. Wires that jumped
    are extracted anew."""
    found = Made(
        monkeypatch,
        tmp_path,
        opens=2,
        shorts=1,
        rules={"m2 spacing": 3},
        in_cells={"via1 outside pins": 4},
        ratios=(399.0, 500.0, 400.1),
        mended=(Mended(9, 4), Mended(5, 2)),
        enable=-0.25,
        overloads=4,
        slow=6,
    )
    assert found.said["spef"] == "anew"
    assert found.layout.label == (
        "not clean: 2 open nets, 1 shorted pairs, 3 m2 spacing, 4 via1 outside pins, 2 antennas"
    )
    assert found.title.endswith(found.layout.label)
    assert found.layout.violations == {
        **{"m2 spacing": 3, "via1 outside pins": 4, "antennas": 2},
        **{"open nets": 2, "shorted pairs": 1},
    }
    numbers = {"open_nets": 2, "shorted_pairs": 1, "drc_violations": 7}
    numbers |= {"antenna_ratio": 500.0, "antennas": 2, "antennas_mended": 8}
    numbers |= {"layout_enable_slack_ns": -0.25, "overloaded_cells": 4, "slow_pins": 6}
    assert {name: found.metrics[name] for name in numbers} == numbers
