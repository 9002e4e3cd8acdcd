"""Document 000's tables 2 and 7 to 18: what our tables set beside them."""

import pytest

from eval.catalog.point import Point
from eval.chart.panel import GREY
from eval.documents.d000.figures import BY_UNITS, KEY_BITS, ONE, TWO
from eval.documents.d000.silicon import SILICON
from eval.documents.d000.tables import COLUMNS, misprinted, table_grids
from eval.documents.d000.tables_chart import tables_chart
from eval.study.results import StudyResult
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.fpga.task import OnFpga
from tests.eval.chart.drawn import check_names
from tests.eval.made_up import flow_row, found_of, row, simulated


def flows(*names: str, nbits: int = 8, period: float = 2.0) -> StudyResult:
    """A study of such accelerators, all alike."""
    metrics = {"area_um2": 500.0, "period_ns": period, "setup_slack_ns": -1.0}
    rows = [flow_row(FlowRun(Point(n, nbits), "accelerator", 0.5), metrics) for n in names]
    rows += [
        simulated(Point(name, nbits), workload, {f"cycles_{workload}": cycles})
        for name in names
        for workload, cycles in (("e", 17), ("d", 30))
    ]
    fpga = {"metrics": {"alms": 77}, "cells": {}, "hierarchy": "flat", "routed": None}
    return found_of(*rows, row(OnFpga(Point(names[0], nbits), "cyclonev"), **fpga), clock_ns=0.5)


@pytest.mark.quick
def test_each_table_has_its_figures_and_ours() -> None:
    found = flows("cm-modulus-2", "cm-pseudo-2", "mm-printed-2", "mm-000")
    grids = list(table_grids(found))
    assert [grid.title.split("table ")[1] for grid in grids] == [f"{n})" for n in range(7, 13)]
    ours = {grid.title.split(",")[0]: grid.lines[len(KEY_BITS) :] for grid in grids}
    assert [line.cells for line in ours["Logic"]] == [
        ("ours, um2", "8", "-", "-", "500.0", "500.0", "500.0", "-"),
        ("ours, ALM", "8", "-", "-", "77", "-", "-", "-"),
    ]
    # A period each; of MM, n + 3 of them.
    assert ours["Delay of an iteration"][0].cells[4:7] == ("2.000", "2.000", "22.000")
    assert ours["Time of an encryption"][0].cells[4] == "0.034"
    assert ours["Time of a decryption"][0].cells[4] == "0.060"
    assert ours["Highest frequency"][0].cells[4] == "500.000"
    assert grids[0].lines[0].cells == (
        *("000, LE", "32", "7019", "7914", "12040", "6816", "400", "403"),
    )
    assert grids[4].lines[3].cells[-1] == "162800"
    assert "misprint: 128 iterations" not in grids[4].note
    assert "162800 us of MM PSEUDO at 256 bits is a misprint" in grids[4].note
    assert "256 iterations of 318000 ns are 81408" in grids[4].note


@pytest.mark.quick
def test_the_tables_of_one_multiplier() -> None:
    found = flows("cm-modulus-1", "cm-pseudo-1")
    assert [grid.title.split("table ")[1] for grid in table_grids(found)] == [
        f"{n})" for n in range(13, 19)
    ]
    assert not list(table_grids(flows("cm-pseudo-1", "mm-000")))


@pytest.mark.quick
def test_one_time_is_a_misprint() -> None:
    """All others follow from the delays beside them, as they are rounded."""
    for printed in (ONE, TWO):
        assert [found[:3] for found in misprinted(printed)] == [("mm-pseudo", 256, 162800)]


@pytest.mark.quick
def test_what_is_printed_is_whole() -> None:
    for printed in BY_UNITS.values():
        for table in (printed.elements, printed.delay_ns, printed.products):
            assert [*table] == list(COLUMNS)
        for table in (printed.encryption_us, printed.decryption_us, printed.mhz):
            assert [*table] == [c for c in COLUMNS if c[:2] != "dm"]
        for table in vars(printed).values():
            if isinstance(table, dict):
                assert all(len(values) == len(KEY_BITS) for values in table.values())
        cycles = 17 if printed.units == 2 else 19
        for column, times in printed.encryption_us.items():
            for time, delay in zip(times, printed.delay_ns[column], strict=True):
                of = 17 if column.startswith("mm") else cycles
                assert time == pytest.approx(of * delay / 1000, rel=0.25)


def test_the_chart() -> None:
    (chart,) = tables_chart(flows("cm-modulus-2", "cm-pseudo-2"))
    assert chart.svg.startswith("<svg")
    logic, delay = chart.panels
    for panel, table in ((logic, TWO.elements), (delay, TWO.delay_ns)):
        printed = [(p.x, p.y) for p in panel.points if p.marker.shape == "square"]
        assert printed == [
            (nbits, value)
            for column in COLUMNS
            for nbits, value in zip(KEY_BITS, table[column], strict=True)
        ]
        check_names(panel)
        assert sum(bool(line.dash) for line in panel.lines if line.colour == GREY) == 3
    ours = [[(p.x, p.y, p.name) for p in panel.points if p.x == 8] for panel in chart.panels]
    assert ours == [[(8, 77, "CM")], [(8, 2.0, "CM")] * 2]
    assert [*tables_chart(flows("mm-000"))] == []


@pytest.mark.quick
def test_silicon() -> None:
    grid = SILICON.of(flows("array-8", nbits=1024))
    assert [line.cells[0] for line in grid.lines] == [
        "Yeh",
        "Hisakado",
        "Chen",
        "Zheng",
        "array-8!",
    ]
    assert grid.lines[0].cells == (
        "Yeh",
        "2006",
        "UMC 0.18 um",
        "1024",
        "5.76",
        "-",
        "460",
        "830.0",
    )
    assert grid.lines[-1].cells[3:] == ("1024", "0.00", "627", "500", "-")
    assert SILICON.of(flows("array-8", nbits=512)) is None
