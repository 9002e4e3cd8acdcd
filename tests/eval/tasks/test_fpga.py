"""The documents' FPGA figures beside ours: which are asked for, and in which unit they stand."""

import msgspec
import pytest

from eval.catalog.point import Point
from eval.documents.d004.figures import TABLE_1, cells
from eval.documents.d004.on_fpga import CLOCKS, SAVINGS, cycles
from eval.documents.d004.on_fpga_chart import cost_chart
from eval.documents.d004.table_1 import ALGORITHMS, WIDTHS
from eval.documents.on_fpga import BESIDE, beside, tasks_to
from eval.study.studies import STUDIES
from eval.tasks.fpga.section import ON_DEVICES
from eval.tasks.fpga.task import FpgaResult, OnFpga
from tests.eval.chart.drawn import check_names
from tests.eval.made_up import result_of

pytestmark = pytest.mark.quick

ALGO_6 = OnFpga(Point("ssmm-004", 64), "cyclonev")
SERIAL = OnFpga(Point("serial-pz-64", 1024), "virtexe")
ROUTED = OnFpga(Point("ssmm-best", 32), "ecp5")


def result(routed: dict | None = None, **metrics: float) -> FpgaResult:
    """What some unit takes."""
    metrics = {"dsp": 0, "bram": 0} | metrics
    mapped = {"metrics": metrics, "cells": {}, "hierarchy": "flattened"}
    return result_of(ALGO_6, **mapped, routed=routed)


def test_every_unit_beside_a_figure_exists_at_that_width():
    for row in beside():  # a Point that does not exist is not made
        assert row.ours.point.nbits == row.figure.nbits


def test_the_figures_of_document_004_are_those_of_its_table():
    rows: dict[tuple[str, int], dict[str, float]] = {}
    for figure, ours in beside():
        rows.setdefault((ours.point.design, figure.nbits), {})[figure.what] = figure.value
    for printed in TABLE_1:
        cell = printed.algo_6
        assert rows["ssmm-004", printed.nbits] == {"alms": cell.alms, "ffs": cell.registers}
    assert rows["mmred-004-printed", 256] == {"alms": 71884, "ffs": 2619}


def test_figures_stand_beside_each_other_in_the_documents_unit():
    found = {
        ALGO_6: result(luts=1156, ffs=784, alms=583),
        SERIAL: result(luts=4001, ffs=6001),
    }
    grid = BESIDE.of(found)
    cells = {(line.cells[1], line.cells[3]): line.cells[4:8] for line in grid.lines}
    assert cells["algo 6", "ALM"] == ("564", "ssmm-004", "583", "1.03")
    assert cells["algo 6", "FF"] == ("874", "ssmm-004", "784", "0.90")
    # Two tables and two registers a slice: 6001 registers need 3001.
    assert cells["S = 64", "slices"] == ("1188", "serial-pz-64", "3001", "2.53")
    assert len(grid.lines) == 2 + 1
    [commands] = {line.commands for line in grid.lines if line.cells[1] == "algo 6"}
    assert commands == ("modexplorer fpga ssmm-004 --nbits 64 --device cyclonev",)


def test_an_exponentiator_of_document_002_is_given_what_the_documents_is():
    assert {
        ours.point.design
        for figure, ours in beside()
        if figure.source.startswith("002") and figure.of == "exponentiator"
    } == {"systolic-given"}


def test_a_note_says_how_wide_arrays_were_mapped():
    def note(hierarchy: str) -> str:
        found = result(luts=1, ffs=1)
        return ON_DEVICES.of({SERIAL: msgspec.structs.replace(found, hierarchy=hierarchy)}).note

    assert f"Elements of a wide array mapped once, apart from all else: {SERIAL}" in note(
        "repeated"
    )
    assert f"Each module mapped by itself, as it is a wide array: {SERIAL}" in note("kept")
    assert str(SERIAL) not in note("flattened")


def test_nothing_measured_makes_no_table():
    assert BESIDE.of({}) is None
    assert ON_DEVICES.of({}) is None
    assert BESIDE.of({ROUTED: result(luts=1, ffs=1, fmax_mhz=50.0)}) is None


def test_a_routed_design_has_a_frequency_and_its_shell_is_told():
    shell = {"luts": 35, "ffs": 134}
    routed = {"device": "some", "target_mhz": 200.0, "shell": shell, "runs": []}
    grid = ON_DEVICES.of({ROUTED: result(routed, luts=1260, ffs=229, fmax_mhz=63.14)})
    [line] = grid.lines
    assert line.cells == (
        *("ssmm-best", "32", "exponentiator", "ecp5"),
        *("1260", "229", "-", "0", "0", "63.1"),
    )
    assert "not counted: ssmm-best 35 LUT, 134 FF." in grid.note


def test_studies_ask_for_what_they_say():
    assert max(task.point.nbits for task in tasks_to(1024)) == 1024
    assert ALGO_6 in STUDIES["default"].tasks
    assert set(tasks_to(1024)) <= set(STUDIES["fpga"].tasks) & set(STUDIES["full"].tasks)
    assert max(task.point.nbits for task in STUDIES["fpga-long"].tasks) == 2048


def test_each_device_unit_and_width_has_a_key_of_its_own():
    tasks = [
        OnFpga(Point("ssmm-small", nbits), device, unit)
        for nbits in (8, 9)
        for device in ("cyclonev", "ecp5")
        for unit in ("exponentiator", "accelerator", "multiplier")
    ]
    assert len({task.key.digest for task in tasks}) == len(tasks)
    assert len({task.command for task in tasks}) == len(tasks)


def of_004(algorithm: str, nbits: int, device: str) -> OnFpga:
    """Our unit beside an algorithm of document 004."""
    return OnFpga(Point(ALGORITHMS[algorithm], nbits), device)


def test_clocks_and_times_of_document_004_stand_beside_ours():
    found = {of_004("Algo 6", 128, "ecp5"): result(luts=1, ffs=1, fmax_mhz=87.5)}
    lines = {line.cells[0]: line for line in CLOCKS.of(found).lines}
    assert list(lines) == ["Algo 2", "Algo 4", "Algo 6"]
    # 16752.5 cycles at 87.5 MHz
    assert lines["Algo 6"].cells[3:] == ("81.82", "87.50", "0.205", "0.191", "0.93")
    assert lines["Algo 6"].commands == ("modexplorer fpga ssmm-004 --nbits 128 --device ecp5",)
    assert lines["Algo 2"].cells[3:] == ("27.66", "-", "0.625", "-", "-")
    assert CLOCKS.of({}) is None


def test_what_algo_6_saves_is_as_the_table_has_it_and_as_ours_has():
    found = {
        of_004("Algo 4", nbits, "cyclonev"): result(luts=1, ffs=200, alms=1000) for nbits in WIDTHS
    }
    assert SAVINGS.of(found) is None
    found |= {
        of_004("Algo 6", nbits, "cyclonev"): result(luts=1, ffs=150, alms=480) for nbits in WIDTHS
    }
    lines = SAVINGS.of(found).lines
    printed = [tuple(map(float, line.cells[1:3])) for line in lines]
    alms, ffs = zip(*printed, strict=True)
    assert (min(alms), max(alms)) == (54.6, 60.0)
    assert (min(ffs), max(ffs)) == (74.9, 84.6)
    assert {line.cells[3:] for line in lines} == {("48.0", "75.0")}


def test_figures_6_and_7_are_drawn_of_what_was_mapped():
    assert cost_chart({}) is None
    assert cost_chart({of_004("Algo 6", 64, "cyclonev"): result(alms=5)}) is None
    found = {of_004("Algo 6", nbits, "cyclonev"): result(alms=1000) for nbits in (128, 1024)}
    found[OnFpga(Point("mmm-004", 128), "cyclonev")] = result(alms=2000)
    chart = cost_chart(found)
    six, seven = chart.panels
    assert [panel.title for panel in chart.panels] == [
        "128 bits (figure 6)",
        "1024 bits (figure 7)",
    ]
    ours = {p.name: p for p in six.points if p.marker.shape == "circle"}
    assert {name: p.x for name, p in ours.items()} == {"ssmm-004": 1000, "mmm-004": 2000}
    assert ours["ssmm-004"].y == cycles("Algo 6", 128)
    printed = {p.name: p for p in six.points if p.marker.shape == "square"}
    assert {"004: Algo 2", "004: Algo 4"} < set(printed)
    assert printed["004: Algo 4"].y == cells(128)["Algo 4"].cycles
    assert printed["004: Algo 4"].x == cells(128)["Algo 4"].alms
    for panel in (six, seven):
        check_names(panel, 2)
        assert [(a.kind, a.ends[0]) for a in panel.settled()] == [("linear", 0)] * 2
    assert "004: Algo 2" in chart.svg
