"""Figures a second time: what plain scripts and OpenSTA make of the flow's netlist and toggles."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import eval.tasks.crosscheck.parts
import eval.tasks.crosscheck.saif
from eval.catalog.point import Point
from eval.tasks.crosscheck.parts import Parts
from eval.tasks.crosscheck.scripts import FLOW, VERILOG, ByHand, write_scripts
from eval.tasks.crosscheck.section import NETLISTS, POWERS, edges_once
from eval.tasks.crosscheck.task import (
    GLITCHES,
    PLAIN,
    Crosscheck,
    CrosscheckResult,
    Netlists,
    Power,
)
from eval.tasks.task import measure
from eval.tasks.unit import ACCELERATOR, translation
from flow.gates.power import Nets
from flow.netlist import Instance, Netlist, Port, read_netlist
from flow.step import OUT, POWER_LIBERTY
from flow.technologies.kit import view
from sim.errors import RunError
from tests.faults import faults, plant
from tests.places import ROOT

SKY = "sky130_fd_sc_hd__"
POINT = Point("ssmm-small", 8)
TASK = Crosscheck(POINT, 3.0)
SWITCHING, SINGLE, REGISTERS = (
    *("switching, behind registers", "internal, inverters and buffers", "internal, registers"),
)
LEAKAGE, CLOCK = "leakage", "net of the clock"
NET = re.compile(r"\((\S+) \(T0 (\d+)\) \(T1 (\d+)\) \(TX 0\) \(TC (\d+)\) \(IG 0\)\)")


@pytest.fixture(scope="module")
def found() -> CrosscheckResult:
    """The figures of a small design."""
    return TASK.compute(lambda step: None)


@pytest.fixture(scope="module")
def netlist(found: CrosscheckResult) -> Netlist:
    """Its netlist."""
    [path] = (
        Path(found.folder)
        .parents[1]
        .glob(f"flow/{TASK.flow_run.folder}/mflowgen/*-synthesis/{OUT}/flat.json")
    )
    return read_netlist(path)


@pytest.fixture
def again(found: CrosscheckResult, tmp_path: Path) -> ByHand:
    """The scripts, in a copy of the files that it left."""
    folder = shutil.copytree(found.folder, tmp_path / "files")
    return ByHand(Path(folder), translation(POINT, ACCELERATOR).top, 3.0)


def by_part(powers: list[Power]) -> dict[str, Power]:
    """The parts by name."""
    return {power.part: power for power in powers}


def nets_of(saif: Path, netlist: Netlist) -> Nets:
    """What a SAIF file says of each net."""
    rows = {
        name.replace("\\", ""): tuple(map(int, rest))
        for name, *rest in NET.findall(saif.read_text())
    }
    duration = int(re.search(r"\(DURATION (\d+)\)", saif.read_text())[1])
    assert {sum(row[:2]) for row in rows.values()} == {duration}
    assert rows.keys() == set(netlist.name_of.values())
    toggles, high = np.zeros((2, 1 + max(netlist.names.values())))
    for net, name in netlist.name_of.items():
        _, high[net], toggles[net] = rows[name]
    return Nets(duration / 3000, toggles, high / duration)


def test_the_flow_says_what_plain_scripts_find(found: CrosscheckResult) -> None:
    area, period = found.netlists.flow
    assert found.netlists.counted == pytest.approx((area, period), abs=1e-3)
    plain_area, plain_period = found.netlists.mapped
    assert 0.8 < plain_area / area < 1.4
    assert 0.5 < plain_period / period < 2
    assert plain_area != area
    assert len(NETLISTS.of({TASK: found}).lines) == 3


@pytest.mark.parametrize(
    ("tech", "cell", "load", "high"),
    [
        ("nangate45", "INV_X2", "7", "LOGIC1_X1 Z"),
        ("sky130", f"{SKY}inv_2", "0.0092", f"{SKY}conb_1 HI"),
    ],
)
def test_scripts_put_around_the_design_what_the_flow_does(
    tech: str, cell: str, load: str, high: str, tmp_path: Path
) -> None:
    write_scripts(tmp_path, view(tech) / "stdcells.lib")
    for script in ("time.tcl", "power.tcl"):
        text = (tmp_path / script).read_text()
        assert f"set_driving_cell -lib_cell {cell} " in text
        assert f"set_load {load} " in text
    assert f"hilomap -hicell {high} -locell " in (tmp_path / "map.ys").read_text()


@pytest.mark.parametrize("cycles", [PLAIN, GLITCHES])
def test_opensta_has_the_same_power_where_it_reckons_the_same(
    found: CrosscheckResult, netlist: Netlist, cycles: str
) -> None:
    powers = by_part(found.powers[cycles])
    assert powers[SWITCHING].again == pytest.approx(powers[SWITCHING].flow, rel=0.005)
    assert powers[SWITCHING].flow > 0.02
    # Each edge's energy counts twice; slews differ a little.
    assert powers[SINGLE].again == pytest.approx(2 * powers[SINGLE].flow, rel=0.08)
    timing = Parts(netlist, Path(found.folder) / POWER_LIBERTY.name, 3.0).timing
    library = timing.library
    mean = sum(library[cell.master].mean_leakage for cell in netlist.instances)
    assert powers[LEAKAGE].again == pytest.approx(1e-6 * mean, rel=1e-3)
    assert powers[CLOCK].again is None
    charged = timing.load[timing.clock] * library.voltage**2  # fJ, once in a cycle
    assert powers[CLOCK].flow == pytest.approx(1e-3 * charged / 3.0)
    flow = sum(power.flow for power in powers.values())
    assert edges_once(found.powers[cycles]) == pytest.approx(flow, rel=0.15)


def test_the_parts_are_all_that_the_flow_says(found: CrosscheckResult) -> None:
    window = measure(TASK.flow_run).result.energy.windows["d"]
    plain, glitches = (sum(p.flow for p in found.powers[cycles]) for cycles in (PLAIN, GLITCHES))
    assert plain == pytest.approx(window.power_mw.total, rel=0.01)  # less what inputs' nets take
    assert glitches == pytest.approx(window.sampled.power_with_glitches_mw, rel=0.01)


def test_why_opensta_has_more_inside_gates(
    found: CrosscheckResult, netlist: Netlist, again: ByHand
) -> None:
    """It puts each edge down to every input whose condition holds, by the whole energy of both."""
    saif = again.folder / "without-delays.saif"
    nets, cells = nets_of(saif, netlist), again.power(saif.name)
    parts = Parts(netlist, again.folder / POWER_LIBERTY.name, 3.0)
    ours = theirs = 0.0
    for kind in parts.timing.netlist.kinds.values():
        pins = kind.cell.pins.values()
        of_output = [energy for pin in pins if pin.output for energy in pin.energies]
        if kind.cell.next_state or not all(energy.when for energy in of_output):
            continue
        high = {pin.name: nets.high[kind.nets[pin.name]] for pin in pins}
        for pin in pins:
            for energy, edges in parts.model.cells.edges(kind, pin.name):
                toggles = nets.toggles[kind.nets[pin.name]]
                ours += (toggles * energy.share(high) * edges.sum(axis=0)).sum()
        theirs += sum(cells[netlist.instances[cell].name][0] for cell in kind.cells)
    ours *= 1e-3 / (nets.cycles * 3.0)
    assert theirs > 0.01
    assert theirs == pytest.approx(ours, rel=0.05)


def test_opensta_reads_the_toggles_of_the_file(again: ByHand) -> None:
    """Twice the toggles of every net that no register drives directly: twice the switching."""
    saif = again.folder / "without-delays.saif"
    before = sum(row[1] for row in again.power(saif.name).values())
    text = re.sub(r"\(TC (\d+)\)", lambda found: f"(TC {2 * int(found[1])})", saif.read_text())
    saif.write_text(text)
    after = sum(row[1] for row in again.power(saif.name).values())
    assert after == pytest.approx(2 * before, rel=0.01)


def test_a_script_that_fails_is_named(again: ByHand) -> None:
    (again.folder / FLOW).write_text("module other (); endmodule\n")
    with pytest.raises(RunError, match="time.tcl failed"):
        again.period(FLOW)
    with pytest.raises(RunError, match="failed"):
        again.area("none.ys")


def check_saif(module: ModuleType, folder: Path) -> None:
    """A file says of each net what it did, under an escaped name."""
    made = Netlist("top", {"a": Port(False, (2, 3))}, [], {"a[0]": 2, "a[1]": 3, "b.c": 4})
    nets = Nets(8, np.array([0, 0, 6, 0, 2]), np.array([0, 0, 0.25, 1.0, 0.5]))
    module.write_saif(folder / "a.saif", made, nets, 2.5)
    text = (folder / "a.saif").read_text()
    assert "(DURATION 20000)" in text
    assert "(TIMESCALE 1 ps)" in text
    assert NET.findall(text) == [
        ("b\\.c", "10000", "10000", "2"),
        ("a\\[1\\]", "0", "20000", "0"),
        ("a\\[0\\]", "15000", "5000", "6"),
    ]
    assert text.count("(") == text.count(")")


def test_a_saif_file_says_what_nets_did(tmp_path: Path) -> None:
    check_saif(eval.tasks.crosscheck.saif, tmp_path)


@faults(
    {
        "high is low": ("(T0 {duration - at_1}) (T1 {at_1})", "(T0 {at_1}) (T1 {duration - at_1})"),
        "another duration": ("nets.cycles * period", "nets.cycles"),
        "names as they are": ('else f"\\\\{c}"', "else c"),
        "each toggle twice": ("round(nets.toggles[net])", "round(2 * nets.toggles[net])"),
    }
)
def test_a_wrong_file_is_seen(tmp_path: Path, sound: str, faulty: str) -> None:
    wrong = plant(tmp_path, eval.tasks.crosscheck.saif, sound, faulty)
    with pytest.raises(AssertionError):
        check_saif(wrong, tmp_path)


def check_fed(module: ModuleType, library: Path) -> None:
    """Gates behind a port or a constant are, up to the next register; those behind it are not."""
    cells = [
        Instance("near", "INV_X1", {"A": 2, "ZN": 4}),
        Instance("next", "NAND2_X1", {"A1": 4, "A2": 5, "ZN": 6}),
        Instance("held", "DFF_X1", {"CK": 3, "D": 6, "Q": 5}),
        Instance("behind", "INV_X1", {"A": 5, "ZN": 7}),
        Instance("one", "LOGIC1_X1", {"Z": 8}),
        Instance("of_one", "NOR2_X1", {"A1": 8, "A2": 5, "ZN": 9}),
    ]
    ports = {"a": Port(False, (2,)), "clk": Port(False, (3,)), "z": Port(True, (7,))}
    names = {"a": 2, "clk": 3, "z": 7} | {f"n{net}": net for net in (4, 5, 6, 8, 9)}
    parts = module.Parts(Netlist("top", ports, cells, names), library, 3.0)
    assert [cell.name for cell, fed in zip(cells, parts.fed, strict=True) if fed] == [
        *("near", "next", "one", "of_one"),
    ]
    assert [cells[i].name for i in np.flatnonzero(parts.single)] == ["near", "behind"]
    assert [cells[i].name for i in np.flatnonzero(parts.registers)] == ["held"]


def test_what_is_behind_inputs(found: CrosscheckResult) -> None:
    check_fed(eval.tasks.crosscheck.parts, Path(found.folder) / POWER_LIBERTY.name)


@faults(
    {
        "through registers": ("if not self.registers[number]", "if True"),
        "constants are none": ("not inputs or reached", "reached"),
        "of registers too": ("len(kind.cell.inputs) == ONE_INPUT", "len(kind.cell.inputs) >= 1"),
        "the first gate alone": ("reached |= ", "_ = "),
    }
)
def test_other_cells_are_seen(
    found: CrosscheckResult, tmp_path: Path, sound: str, faulty: str
) -> None:
    wrong = plant(tmp_path, eval.tasks.crosscheck.parts, sound, faulty)
    with pytest.raises(AssertionError):
        check_fed(wrong, Path(found.folder) / POWER_LIBERTY.name)


def test_tables_say_what_is_left_out_and_how_far_all_is_apart() -> None:
    powers = [
        Power("switching, a", 1.0, 1.1),
        Power("internal, b", 2.0, 5.0),
        Power(CLOCK, 0.5, None),
    ]
    pair = (100.0, 2.0)
    made = CrosscheckResult(
        tools={},
        netlists=Netlists(pair, pair, (110.0, 2.5)),
        powers={PLAIN: powers},
        folder="",
    )
    assert edges_once(powers) == pytest.approx(1.1 + 2.5 + 0.5)
    rows = [each.cells[2:] for each in POWERS.of({TASK: made}).lines]
    assert rows[-3:] == [
        (CLOCK, "0.5000", "-", "-"),
        ("all", "3.5000", "6.1000", "74.3"),
        ("all, edges once", "3.5000", "4.1000", "17.1"),
    ]


def test_what_the_page_types_by_hand_tells_the_same(found: CrosscheckResult, again: ByHand) -> None:
    page = (ROOT / "docs/error-bars.md").read_text()
    [block] = re.findall(r"^cd build/crosscheck/\S+\n(.*?)^```", page, re.M | re.S)
    typed = block.replace("ssmm_small_32", "ssmm_small_8").replace("python", sys.executable)
    said = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", typed],
        **{"cwd": again.folder, "capture_output": True, "text": True, "check": True},
    ).stdout
    assert float(re.search(r"Chip area .*: ([\d.]+)", said)[1]) == found.netlists.mapped[0]
    periods = [float(period) for period in re.findall(r"^period (\S+)", said, re.M)]
    assert periods == [found.netlists.mapped[1], found.netlists.counted[1]]
    again_all = sum(power.again or 0.0 for power in found.powers[GLITCHES])
    [total] = re.findall(r"^Total +\S+ +\S+ +\S+ +(\S+)", said, re.M)
    assert 1000 * float(total) == pytest.approx(again_all, rel=1e-4)


def test_the_scripts_map_what_the_command_writes(found: CrosscheckResult) -> None:
    assert (Path(found.folder) / VERILOG).read_text() == translation(POINT, ACCELERATOR).text


@pytest.mark.long
def test_a_long_operation_is_reckoned_by_its_pieces() -> None:
    task = Crosscheck(Point("serial-p-8", 64), 3.0)
    found, window = (
        task.compute(lambda step: None),
        measure(task.flow_run).result.energy.windows["d"],
    )
    assert window.pieces.count > 1
    plain = sum(power.flow for power in found.powers[PLAIN])
    assert plain == pytest.approx(window.power_mw.total, rel=0.01)
    for powers in found.powers.values():
        switching = by_part(powers)[SWITCHING]
        assert switching.again == pytest.approx(switching.flow, rel=0.01)
