"""Layouts on the command line and in the report."""

import base64
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

from eval.catalog.point import Point
from eval.cli import cli
from eval.report.page import SMALL, report_json, write
from eval.report.report import Report
from eval.study.plan import Plan
from eval.tasks.layout.section import FILES, LAYOUT, LAYOUTS, SECTION, pictures
from eval.tasks.layout.task import DRAWN, LaidOut
from eval.tasks.store import Store
from flow.layout.layers import packed
from sim.errors import UserError
from tests.eval.made_up import KIT, found_of, result_of, row


def png(width: int, height: int) -> bytes:
    """A black picture."""
    out = io.BytesIO()
    Image.new("RGBA", (width, height), "black").save(out, "png")
    return out.getvalue()


TASK = LaidOut(Point("mul-rem", 8), "accelerator", 2.5)
PNG = base64.b64encode(png(840, 600)).decode()
LAYERS = {  # two cells and a path, in 10 rows of 100 sites
    **{"core_um": [20.0, 14.0], "site_um": [0.2, 1.4], "bin_um": 10.0},
    **{"parts": [["clock tree", "#ff0000"], ["unit", "#00ff00"], ["unit", "#00dd00"]]},
    **{"cells": packed([0, 0, 50, 1, 9, 50, 50, 0]), "nw": packed([1500, 250])},
    **{"path_um": [[5.0, 0.7], [15.0, 13.3]], "wires": [[1.5, 3.0], [0.0, 6.0]]},
    "straps": [["VSS", 2.0, 2.0], ["VDD", 14.0, 2.0]],
}
OPERATION = {
    **{"cycles": 9, "power_mw": 1.0, "energy_nj": 1.0, "dummy_energy_nj": 0.0},
    "dummy_energy_with_glitches_nj": 0.0,
}
RESULT = {
    "metrics": {
        **{"area_um2": 100.0, "cells": 50, "setup_slack_ns": 0.5, "hold_slack_ns": 0.1},
        **{"period_ns": 2.0, "layout_area_um2": 110.0, "layout_cells": 55},
        **{"layout_setup_slack_ns": -0.25, "layout_hold_slack_ns": None},
        **{"layout_period_ns": 2.75, "core_area_um2": 200.0, "core_utilisation": 0.55},
        **{"wire_um": 1234.0, "wire_capacitance_pf": 0.5, "open_nets": 0, "shorted_pairs": 1},
        **{"layout_resized": 4, "closing_resized": 3, "hold_buffers": 2, "antenna_ratio": 120.4},
        **{"antennas_mended": 6, "long_net_buffers": 8, "overloaded_cells": 0, "slow_pins": 0},
        "supply_drop_mv": 7.25,
        **{"drc_violations": 62, "wire_coupling_share": 0.25, "wire_ff_per_um_metal3": 0.0891},
    },
    "label": "not clean: 1 shorted pairs, 62 via4 spacing",
    "core_um": [20.0, 10.0],
    "buffers": {"clock_buffers": 3, "clock_levels": 1, "fanout_buffers": 1, "port_buffers": 1},
    "violations": {},
    "router": {
        **{"nets": 9, "complete_by_katana": True, "conflicts_of_router": 0, "conflicts": 0},
        **{"rounds": 1, "seconds": {}},
    },
    "modules": [],
    "wire_um_by_metal": {"metal3": 1234.0},
    "seconds": {},
    "operations": {"d": OPERATION | {"energy_with_glitches_nj": 2.5}},
    "operations_before": {"d": OPERATION | {"energy_with_glitches_nj": 2.0}},
    "kit": KIT,
    "corners": [],
    "files": {"layout.gds": __file__, "layout.def": "nowhere"},
    "tools": {"klayout": "0"},
    "amoeba_png": PNG,
    "layers": LAYERS,
}


def test_one_layout_beside_its_synthesis():
    grid = LAYOUT.of(result_of(TASK, **RESULT))
    lines = {line.cells[0]: line.cells[1:] for line in grid.lines}
    assert grid.title == "Layout: not clean: 1 shorted pairs, 62 via4 spacing"
    assert lines["setup slack"] == ("ns", "0.500", "-0.250")
    assert lines["hold slack"] == ("ns", "0.100", "-")
    assert lines["utilisation"] == ("%", "-", "55.0")
    assert lines["buffers: clock / other"] == ("", "-", "3 / 2")
    assert lines["energy of workload d"] == ("nJ", "2.00", "2.50")
    assert lines["cells in other sizes"] == ("", "-", "4")
    assert lines["those after routing"] == ("", "-", "3")
    assert lines["hold buffers"] == ("", "-", "2")
    assert lines["buffers on long nets"] == ("", "-", "8")
    assert lines["cells that drive too much"] == ("", "-", "0")
    assert lines["pins with too slow edges"] == ("", "-", "0")
    assert lines["largest antenna ratio"] == ("", "-", "120")
    assert lines["antennas mended by jumps"] == ("", "-", "6")
    assert lines["lost on supply"] == ("mV", "-", "7.2")
    assert lines["of it to other wires"] == ("%", "-", "25.0")
    assert lines["metal3: wire length"] == ("mm", "-", "1.23")
    assert lines["metal3: capacitance of a um"] == ("fF", "-", "0.089")
    assert lines["shorted pairs of nets"][-1] == "1"
    assert lines["spacing and width violations"][-1] == "62"
    assert [line.cells for line in FILES.of(result_of(TASK, **RESULT)).lines] == [
        ("layout.gds", __file__)
    ]


def test_antennas_are_told_where_they_were_checked():
    checked = LAYOUT.of(result_of(TASK, **RESULT))
    assert "no antenna too large" in checked.note
    assert "antennas, as" not in checked.note
    metrics = {name: one for name, one in RESULT["metrics"].items() if name != "antenna_ratio"}
    grid = LAYOUT.of(result_of(TASK, **RESULT | {"metrics": metrics}))
    assert not [line for line in grid.lines if "antenna" in line.cells[0]]
    assert "no antenna too large" not in grid.note
    assert "Not checked: rules of wide metal, area and density, and antennas, as" in grid.note


@pytest.mark.parametrize(
    ("tech", "lost", "percent"),
    [("nangate45", 110.0, None), ("nangate45", 121.0, 11), ("sky130", 170.0, None)],
)
def test_a_supply_that_loses_more_than_a_tenth_is_named(tech, lost, percent):
    task = replace(TASK, tech=tech)
    result = result_of(task, **RESULT | {"metrics": RESULT["metrics"] | {"supply_drop_mv": lost}})
    said = [f"{task}: {percent} % of 1.1 V are lost on the way to a cell: slack"] if percent else []
    found = SECTION.findings({task: result})
    assert [sentence[: len(said[0])] for sentence in found] == said
    [layout, _] = SECTION.alone({task: result})
    assert ("Straps of supply" in layout.note) == bool(percent)


@pytest.mark.parametrize(("cells", "pins"), [(0, 0), (3, 0), (0, 12), (941, 1410)])
def test_a_layout_whose_cells_drive_too_much_says_so(cells, pins):
    more = {"overloaded_cells": cells, "slow_pins": pins}
    fields = RESULT | {"metrics": RESULT["metrics"] | more}
    result = result_of(TASK, **fields)
    said = f"Cells that drive more than the library lets them: {cells}; pins whose edges are slower"
    found = SECTION.findings({TASK: result})
    assert [f"allows: {pins}." in one and said in one for one in found] == [True] * bool(
        cells + pins
    )
    [layout, _] = SECTION.alone({TASK: result})
    assert (said in layout.note) == bool(cells + pins)
    [line] = LAYOUTS.of(found_of(row(TASK, **fields), clock_ns=2.5).of(LaidOut)).lines
    assert line.cells[-2:] == (f"{cells + pins}", RESULT["label"])


def test_a_layout_with_gated_clocks_says_so():
    gating = {"least_registers": 3, "clock_gates": 7, "gated_registers": 84, "registers": 97}
    metrics = RESULT["metrics"] | {"layout_enable_slack_ns": 1.75}
    more = {"metrics": metrics, "gating": gating | {"enable_slack_ns": 2.0}}
    task = replace(TASK, gated=True)
    result = result_of(task, **RESULT | more)
    lines = {line.cells[0]: line.cells[1:] for line in LAYOUT.of(result).lines}
    assert lines["clock gates"] == ("", "7", "7")
    assert lines["slack of their enables"] == ("ns", "2.000", "1.750")
    assert task.key != TASK.key
    assert task.folder == f"{TASK.folder}-gated" != TASK.folder
    assert task.command.endswith(" --clock 2.5 --to layout --gated")
    both = found_of(row(TASK, **RESULT), row(task, **RESULT | more), clock_ns=2.5).of(LaidOut)
    names = [line.cells[0] for line in LAYOUTS.of(both).lines]
    assert names == ["mul-rem-8!", "mul-rem-8!, gated clocks"]
    assert len({picture.file for picture in pictures(both)}) == 2


def test_a_core_that_is_filled_otherwise_says_so():
    task = replace(TASK, fill=36)
    assert task.key != TASK.key
    assert task.folder == f"{TASK.folder}-fill36" != TASK.folder
    assert task.command.endswith(" --clock 2.5 --to layout --fill 36")
    assert f"{task}" == f"{TASK}, 36 % filled"
    both = found_of(row(TASK, **RESULT), row(task, **RESULT), clock_ns=2.5).of(LaidOut)
    names = [line.cells[0] for line in LAYOUTS.of(both).lines]
    assert names == ["mul-rem-8!", "mul-rem-8!, 36 % filled"]
    assert len({picture.file for picture in pictures(both)}) == 2


def test_a_study_lays_its_points_out(tmp_path):
    assert Plan(2.5).layouts([TASK.point]) == [TASK]
    assert LAYOUTS.of({}) is None
    found = found_of(row(TASK, **RESULT), clock_ns=2.5)
    [line] = LAYOUTS.of(found.of(LaidOut)).lines
    assert line.cells[-1] == RESULT["label"]
    assert line.commands == ("modexplorer flow mul-rem --nbits 8 --clock 2.5 --to layout",)
    write(Report(found), tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    [picture] = re.findall('src="data:image/png;base64,([^"]*)"', page)
    assert Image.open(io.BytesIO(base64.b64decode(picture))).size == (SMALL, SMALL / 840 * 600)
    [file] = re.findall('<a href="([^#"]*)"><img', page)
    assert (tmp_path / file).read_bytes() == base64.b64decode(PNG)
    assert f"{TASK.point} accelerator!: {RESULT['label']}" in page
    assert PNG not in json.dumps(report_json(Report(found)))


@pytest.mark.parametrize("as_json", [False, True])
def test_the_command_shows_a_layout_that_is_in_the_store(tmp_path, monkeypatch, as_json):
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    with Store() as store:
        store.once(TASK.key, lambda: RESULT)
    arguments = ["flow", "mul-rem", "--nbits", "8", "--clock", "2.5", "--to", "layout"]
    done = CliRunner().invoke(cli, [*arguments, *["--json"] * as_json], catch_exceptions=False)
    assert done.exit_code == 0
    if as_json:
        shown = json.loads(done.output)
        assert shown["reused"]
        assert shown["label"] == RESULT["label"]
        assert not {*DRAWN} & {*shown}
    else:
        assert "Layout: not clean: 1 shorted pairs, 62 via4 spacing" in done.output
        assert __file__ in done.output.replace("\n", "")


@pytest.mark.quick
@pytest.mark.parametrize(
    ("fill", "taken"), [(4, False), (5, True), (6, True), (84, True), (85, True), (86, False)]
)
def test_from_5_to_85_per_cent_of_a_core_are_cells(fill: int, taken: bool) -> None:
    if taken:
        assert replace(TASK, fill=fill).fill == fill
    else:
        with pytest.raises(UserError, match=f"--fill {fill}: must be from 5 to 85, in %$"):
            replace(TASK, fill=fill)


@pytest.mark.quick
def test_a_result_has_what_each_step_of_the_flow_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Energies with wires and before them, and of two files of a name the later."""
    for step, text in (("place", "{}"), ("layout", json.dumps(LAYERS))):
        outputs = tmp_path / step / "outputs"
        outputs.mkdir(parents=True)
        (outputs / "layers.json").write_text(text)
    (outputs / "amoeba.png").write_bytes(png(8, 6))
    said = result_of(TASK, **RESULT)
    energies = SimpleNamespace(operations=said.operations, before=said.operations_before)
    steps = SimpleNamespace(
        layout=SimpleNamespace(
            label="clean",
            violations={"metal1": 2},
            modules=[],
            wire_um_by_metal={"metal3": 7.0},
            corners=[],
        ),
        place=SimpleNamespace(core_um=(20.0, 10.0), buffers=said.buffers),
        route=said.router,
        layout_energy=energies,
        synthesis=None,
        timing=None,
    )
    run = [
        SimpleNamespace(step=step, folder=str(tmp_path / step), seconds=seconds)
        for step, seconds in (("place", 3.0), ("layout", 4.0))
    ]
    found: Any = SimpleNamespace(
        steps=steps, run=run, metrics={"wire_um": 7.0}, tools={"klayout": "0"}, kit=said.kit
    )
    monkeypatch.setattr(LaidOut, "finished", lambda self, on_step: found)
    result = TASK.compute(lambda step: None)
    assert result.operations["d"].energy_with_glitches_nj == 2.5
    assert result.operations_before["d"].energy_with_glitches_nj == 2.0
    assert result.seconds == {"place": 3.0, "layout": 4.0}
    assert (result.label, result.violations) == ("clean", {"metal1": 2})
    assert (result.core_um, result.wire_um_by_metal) == ((20.0, 10.0), {"metal3": 7.0})
    assert result.layers.core_um == (20.0, 14.0)
    assert base64.b64decode(result.amoeba_png) == png(8, 6)
    steps.layout_energy = None  # of a unit without a workload
    bare = TASK.compute(lambda step: None)
    assert (bare.operations, bare.operations_before) == ({}, {})
