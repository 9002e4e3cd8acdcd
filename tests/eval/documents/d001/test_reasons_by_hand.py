"""Figures of the sentences on document 001, worked out by hand."""

from types import SimpleNamespace

import pytest

from eval.catalog.point import Point
from eval.catalog.processor import NULL, Processor
from eval.documents.d001 import reasons
from eval.documents.d001.parts import LOGIC, REGISTERS, areas_inside
from eval.documents.d001.reasons import _areas, _change, _line, _montgomery, _naive, products
from eval.tasks.execution import Call
from eval.tasks.flow_run.task import FlowRun, multiplier_class
from tests.eval.made_up import flow_row, found_of, module

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("ours", "printed", "said"),
    [
        (110.0, 100.0, "10.0 % larger"),
        (250.0, 200.0, "25.0 % larger"),
        (150.0, 200.0, "25.0 % smaller"),
    ],
)
def test_by_how_much_ours_differs(ours: float, printed: float, said: str) -> None:
    assert _change(ours, printed) == said


def test_a_line_through_two_workloads(monkeypatch: pytest.MonkeyPatch) -> None:
    """10 and 30 products in 500 and 1300 cycles: 40 each, and 100 besides."""
    monkeypatch.setattr(reasons, "products", {"e": 10, "d": 30}.get)
    assert _line(500, 1300) == (40, 100)


def test_products_of_a_workload(monkeypatch: pytest.MonkeyPatch) -> None:
    """11010: five squares and three products."""
    request = SimpleNamespace(exp=0b11010)
    workload = SimpleNamespace(request=lambda nbits: request)
    monkeypatch.setattr(reasons, "WORKLOADS", {"e": workload})
    assert products("e") == 8


def stand_in(monkeypatch: pytest.MonkeyPatch, seed: dict, fast: dict | None = None) -> None:
    """10 and 30 products; of either divider what a call took, if it was measured; and what the
    document prints."""
    monkeypatch.setattr(reasons, "products", {"e": 10, "d": 30}.get)
    measured = {"seed": seed, "fast": fast or {}}
    monkeypatch.setattr(reasons, "_calls", lambda found, system, divider: measured[divider])
    calls = {"e": SimpleNamespace(cycles=8400), "d": SimpleNamespace(cycles=9400)}
    monkeypatch.setattr(reasons, "printed", lambda system: SimpleNamespace(calls=calls))
    monkeypatch.setattr(reasons, "printed_call", lambda system, workload: calls[workload])


SEED = {
    "e": Call(cycles=7000, instructions=900, divisions=100),
    "d": Call(cycles=8000, instructions=990, divisions=200),
}


def test_naive_c_is_its_divisions_and_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 divisions of 32 steps are 3200 of 7000 cycles: 380 of a product are others, and of the
    document's 8400 cycles 520."""
    fast = {name: Call(cycles=c, instructions=0, divisions=0) for name, c in (("e", 1), ("d", 2))}
    stand_in(monkeypatch, SEED, fast)
    first, second = _naive(None)
    for part in (
        "an encryption is 10 products, 900 instructions, 100 of them divisions",
        "remainder of 10 divisions of 32 bits",
        "32 steps each, 3200 of the 7000 cycles",
        "520 cycles per product there and 380 here: 90 instructions",
    ):
        assert part in first
    assert "1 and 2 cycles for the same" in second
    stand_in(monkeypatch, SEED)
    assert [*_naive(None)] == []


def test_montgomery_c_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """1000 cycles more for 20 products: 50 each; 8400 and 7000 less 500."""
    stand_in(monkeypatch, SEED)
    [said] = _montgomery(None)
    assert "takes 50 cycles per product, which leaves 7900 for the way" in said
    assert "ours takes 50 and 6500. Ours is 900 instructions with 100 division" in said


def test_areas_beside_those_of_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processor alone 10 % larger; what is attached adds 300 where the document adds 400."""
    areas = {NULL: 1000.0, "mul-rem": 1400.0}
    monkeypatch.setattr(reasons, "printed_areas", lambda: areas)
    rows = (
        flow_row(FlowRun(Processor(name), "system", 3.0), {"area_um2": area})
        for name, area in (("mul-rem", 1400.0), (NULL, 1100.0), ("mont-001", 1500.0))
    )
    said = [*_areas(found_of(*rows))]
    assert len(said) == 2
    assert "1100.0 um2, 10.0 % larger than the printed 1000.0" in said[0]
    assert said[1].startswith("mul-rem adds 300.0 um2 to it, 25.0 % smaller than the 400.0")


def test_areas_inside_a_multiplier_are_of_all_instances_in_one() -> None:
    """Of two multipliers: a divider each, with three steps; a seventh step is elsewhere. Modules
    of one class and other parameters count together."""
    point = Point("mul-rem", 32)
    own = f"{multiplier_class(point)}__n_32"
    modules = [
        module(own, 2, 100.0, 0.0, {"DivRemRTL__n_32": 1}),
        module("DivRemRTL__n_32", 2, 50.0, 20.0, {"DivRemStep__n_32": 2, "DivRemStep__n_33": 1}),
        module("DivRemStep__n_32", 5, 10.0, 4.0, {}),
        module("DivRemStep__n_33", 2, 11.0, 5.0, {}),
    ]
    row = flow_row(FlowRun(point, "accelerator", 3.0), {"area_um2": 1.0}, modules=modules)
    assert areas_inside(point, row.result) == {
        own.split("__")[0]: {REGISTERS: 0.0, LOGIC: 100.0},
        "DivRemRTL": {REGISTERS: 20.0, LOGIC: 30.0},
        "DivRemStep": {REGISTERS: 2 * 4.0 + 5.0, LOGIC: 2 * 6.0 + 6.0},
    }


def test_what_is_inside_of_what_is_inside_counts_as_often() -> None:
    """A multiplier with two blocks, of three rows each, of two cells and one of another kind; a
    block has two cells of its own."""
    point = Point("mul-rem", 32)
    own = f"{multiplier_class(point)}__n_32"
    modules = [
        module(own, 1, 9.0, 1.0, {"Block": 2}),
        module("Block", 2, 70.0, 3.0, {"Row": 3, "Cell": 2}),
        module("Row", 6, 20.0, 2.0, {"Cell": 2, "Other": 1}),
        module("Cell", 16, 5.0, 4.0, {}),
        module("Other", 6, 4.0, 0.5, {}),
    ]
    row = flow_row(FlowRun(point, "accelerator", 3.0), {"area_um2": 1.0}, modules=modules)
    assert areas_inside(point, row.result) == {
        own.split("__")[0]: {REGISTERS: 1.0, LOGIC: 8.0},
        "Block": {REGISTERS: 2 * 3.0, LOGIC: 2 * 67.0},
        "Row": {REGISTERS: 6 * 2.0, LOGIC: 6 * 18.0},
        "Cell": {REGISTERS: 16 * 4.0, LOGIC: 16 * 1.0},
        "Other": {REGISTERS: 6 * 0.5, LOGIC: 6 * 3.5},
    }
