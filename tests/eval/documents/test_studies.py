"""The studies of documents hold what their items' tables and figures are reproduced by."""

import pytest

from eval.catalog import find
from eval.catalog.point import Point
from eval.documents.d001.add_red import AS_ORDERED, FASTEST_NS, ORDERS
from eval.documents.document import numbers, written
from eval.documents.on_fpga import tasks_to
from eval.study.studies import STUDIES
from eval.tasks.execution import Execution
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.fpga.task import OnFpga
from eval.tasks.simulation import Simulation
from eval.tasks.systems import OF_TABLE_1
from tests.eval.made_up import flow_row, path

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("number", [n for n in numbers() if n != "000"])
def test_a_study_of_a_document_is_of_designs_of_it(number):
    study = STUDIES[written(number, "studies")["studies"][0]["name"]]
    assert study.name == f"document-{number}"
    sources = {
        find(task.point.design).source for task in study.tasks if isinstance(task.point, Point)
    }
    assert any(number in source for source in sources)
    assert number in study.title


def test_document_001_has_its_table_1_and_figure_8():
    tasks = STUDIES["document-001"].tasks
    assert {Execution(s.on("seed"), s.variant) for s in OF_TABLE_1} <= set(tasks)
    orders = {FlowRun(Point(d, 32), "multiplier", FASTEST_NS) for d in ORDERS.values()}
    assert orders <= set(tasks)
    assert {find(design).multiplier.at(32).order for design in ORDERS.values()} == {
        "add_then_reduce",
        "koc",
    }


def test_documents_have_their_fpga_figures_up_to_1024_bits():
    for number, device in (("002", "artix7"), ("003", "virtexe")):
        asked = {t for t in tasks_to(1024) if t.device == device}
        assert asked == {t for t in STUDIES[f"document-{number}"].tasks if isinstance(t, OnFpga)}
    asked = {t for t in tasks_to(1024) if t.point.design in ("ssmm-004", "mmm-004-printed")}
    assert asked <= set(STUDIES["document-004"].tasks)
    cycles = {Simulation(Point(f"serial-pz-{bits}", 1024), "e") for bits in (32, 64, 128, 256)}
    assert cycles <= set(STUDIES["document-003"].tasks)


def test_both_orders_of_add_red_stand_side_by_side():
    rows = {}
    for design, period in zip(ORDERS.values(), (3.05, 2.1), strict=True):
        task = FlowRun(Point(design, 32), "multiplier", FASTEST_NS)
        metrics = {"area_um2": 1000.0, "cells": 9, "period_ns": period}
        rows[task] = flow_row(
            task,
            metrics=metrics,
            modules=[],
            critical_path=path(("MontMulRTL_noparam", period)),
            tools={"yosys": "1"},
        ).result
    first, second = AS_ORDERED.of(rows).lines
    assert first.cells == (
        *("8a: first add, then reduce", "mont(unit=add-then-reduce)", "32", "3.050", "1000.0"),
    )
    assert second.cells[1:4] == ("mont-best", "32", "2.100")
    assert second.commands == ("modexplorer flow mont-best --nbits 32 --clock 1 --unit multiplier",)
    assert AS_ORDERED.of(dict([*rows.items()][:1])) is None
