"""Ratios, shares and verdicts of tables, by hand, and where two figures are equal."""

import msgspec
import pytest

from eval.catalog.point import Point
from eval.catalog.processor import SYSTEM, Processor
from eval.documents.d000.multipliers_section import verdict
from eval.documents.d000.over_n import _pseudo_faster
from eval.documents.d000.silicon import SILICON
from eval.documents.d000.units import FixedMultiplier, direct_at, pair_at
from eval.documents.d004.on_fpga import CLOCKS, ROUTED_ON, cycles
from eval.documents.on_fpga import SLICES, in_unit
from eval.documents.systems import printed_areas
from eval.table import Row
from eval.tasks.crosscheck.section import edges_once, more
from eval.tasks.crosscheck.task import Power
from eval.tasks.flow_run.energy import MODULES_SHOWN as POWERS_SHOWN
from eval.tasks.flow_run.energy import energy_grids
from eval.tasks.flow_run.grids import MAPPINGS, MODULES, MODULES_SHOWN, modules_of_path
from eval.tasks.flow_run.processors import AREAS
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.fpga.task import OnFpga
from eval.tasks.layout.section import LAYOUT, LAYOUTS
from eval.tasks.layout.task import LaidOut
from flow.results.energy import Energy
from flow.technologies.technology import technology
from tests.eval.made_up import energy_of, flow_row, found_of, module, path, result_of
from tests.eval.tasks.test_layout import RESULT as LAID_OUT

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("luts", "ffs", "slices"),
    [(10, 4, 5), (4, 10, 5), (11, 4, 6), (4, 11, 6), (0, 1, 1), (0, 0, 0)],
)
def test_two_tables_and_two_registers_make_a_slice(luts: int, ffs: int, slices: int) -> None:
    metrics = {"luts": luts, "ffs": ffs, "dsp": 3}
    assert in_unit(SLICES, metrics) == slices
    assert in_unit("luts", metrics) == luts
    assert in_unit("dsp", metrics) == 3


@pytest.mark.parametrize(
    ("flow", "again", "per_cent"),
    [(4.0, 5.0, 25.0), (5.0, 4.0, -20.0), (4.0, 0.0, -100.0), (4.0, None, None), (0.0, 4.0, None)],
)
def test_by_how_much_a_second_figure_is_more(
    flow: float, again: float | None, per_cent: float | None
) -> None:
    found = more(flow, again)
    assert found == (per_cent if per_cent is None else pytest.approx(per_cent))


def test_internal_power_alone_is_halved() -> None:
    """Of what OpenSTA leaves out, the flow's figure is taken."""
    powers = [
        Power("internal, registers", 1.0, 8.0),
        Power("switching, behind inputs", 2.0, 16.0),
        Power("leakage", 4.0, 32.0),
        Power("net of the clock", 64.0, None),
    ]
    assert edges_once(powers) == 4.0 + 16.0 + 32.0 + 64.0


def fixed(n: int, late: bool = False) -> FixedMultiplier:
    return pair_at(n)[int(late)]


@pytest.mark.parametrize(
    ("ratio", "said"),
    [(0.99, "holds at every width"), (1.0, "refuted at n = 4"), (1.01, "refuted at n = 4")],
)
def test_a_trend_needs_a_gain(ratio: float, said: str) -> None:
    assert f"the document's trees: {said} " in verdict({fixed(4): ratio})
    assert f"late trees: {said} " in verdict({fixed(4, late=True): ratio})


@pytest.mark.parametrize(("ratio", "said"), [(0.99, "at every width"), (1.0, "at no width")])
def test_a_direct_multiplier_gains_below_1(ratio: float, said: str) -> None:
    assert f"gains {said} " in verdict({direct_at(4)[0]: ratio})


def test_a_pseudo_modulus_that_is_as_fast_is_not_faster() -> None:
    ways = {
        "CM": ({4: 2.0, 6: 3.0, 8: 1.0}, {4: 2.0, 6: 2.9}),
        "DM": ({4: 2.0}, {4: 1.0}),
        "MM": ({4: 2.0}, {4: 2.0}),
        "none": ({4: 2.0}, {6: 1.0}),
    }
    assert _pseudo_faster(ways) == (
        "The pseudo-modulus is faster: CM at n = 6; DM everywhere; MM at no n."
    )


def test_processors_stand_beside_the_printed_areas() -> None:
    attached = "mul-rem"
    runs = found_of(
        flow_row(FlowRun(Processor(), SYSTEM, 3.0), {"area_um2": 5000.0}),
        flow_row(FlowRun(Processor(attached), SYSTEM, 3.0), {"area_um2": 7000.0}),
    ).of(FlowRun)
    last, first = AREAS.of(runs).lines  # the largest were measured first
    printed = printed_areas()[attached]
    assert last.cells[2] == "7000.0"
    assert last.cells[-2:] == (f"{printed:.1f}", f"{7000 / printed:.2f}")
    assert first.cells[2] == "5000.0"


def test_accelerators_in_silicon_are_counted_in_gates_and_mhz() -> None:
    metrics = {"area_um2": 798_000.0, "period_ns": 2.5, "power_d_mw": 4.0}
    row = flow_row(FlowRun(Point("array-8", 1024), "accelerator", 3.0), metrics)
    *_, ours = SILICON.of(found_of(row)).lines
    assert technology().gate_um2 == 0.798
    assert ours.cells[3:] == ("1024", "0.80", "1000000", "400", "4.0")
    narrow = flow_row(FlowRun(Point("array-8", 128), "accelerator", 3.0), metrics)
    assert SILICON.of(found_of(narrow)) is None


def test_a_time_on_an_fpga_is_cycles_by_megahertz() -> None:
    """In ms: cycles by 1000 for each MHz."""
    task = OnFpga(Point("ssmm-004", 128), ROUTED_ON)
    fields = {"cells": {}, "hierarchy": "flattened", "routed": None}
    result = result_of(task, metrics={"fmax_mhz": 50.0, "luts": 1, "ffs": 1}, **fields)
    lines = {line.cells[0]: line.values for line in CLOCKS.of({task: result}).lines}
    *_, printed, ours, ratio = lines["Algo 6"]
    assert ours == pytest.approx(cycles("Algo 6", 128) / 50_000)
    assert ratio == pytest.approx(ours / printed)


def test_areas_of_modules_are_shares_of_their_netlist() -> None:
    """The largest are shown, the others together; the shares add up where the areas do."""
    task = FlowRun(Point("mont-ct", 32), "accelerator", 3.0)
    parts = [module(f"M{i}__n_8", i + 1, 10.0 * (i + 1), 0.0, {}) for i in range(MODULES_SHOWN + 2)]
    areas = [part["area_um2"] for part in parts]
    assert areas[:3] == [10.0, 40.0, 90.0]
    result = flow_row(task, {"area_um2": sum(areas)}, modules=parts).result
    shown = MODULES.of(Row(task, result))
    shares = [line.values[-1] for line in shown.lines]
    assert shares == pytest.approx(
        [100 * area / sum(areas) for area in areas[:MODULES_SHOWN]]
        + [100 * sum(areas[MODULES_SHOWN:]) / sum(areas)]
    )
    assert sum(shares) == pytest.approx(100)
    assert shown.lines[1].values[:4] == ("M1 n_8", 2, 20.0, 40.0)
    assert shown.lines[-1].values[:2] == ("2 smaller modules", 2 * MODULES_SHOWN + 3)
    assert "best netlist with hierarchy" not in shown.note


def test_a_path_is_told_by_its_modules_with_their_delays() -> None:
    task = FlowRun(Point("mont-ct", 32), "accelerator", 3.0)
    way = path(("A__n_8", 0.5), ("A__n_9", 0.25), ("B_noparam", 1.0), ("A__n_8", 0.125))
    result = flow_row(task, {"area_um2": 1.0}, critical_path=way).result
    assert modules_of_path(result, delays=True) == "A 0.75 > B 1.00 > A 0.12"
    assert modules_of_path(result) == "A > B > A"


def test_a_layouts_wires_are_in_millimetres_and_its_share_in_per_cent() -> None:
    task = LaidOut(Point("mul-rem", 8), "accelerator", 2.5)
    result = result_of(task, **LAID_OUT)
    [line] = LAYOUTS.of({task: result}).lines
    assert line.cells[1:] == (
        *("100.0", "110.0", "0.500", "-0.250", "2.00", "2.50", "200", "1.2", "7.2", "0"),
        LAID_OUT["label"],
    )
    lines = {line.cells[0]: line.cells[1:] for line in LAYOUT.of(result).lines}
    assert lines["wire length"] == ("mm", "-", "1.23")
    assert lines["wire capacitance"] == ("pF", "-", "0.50")
    assert lines["core"] == ("um", "-", "20.0 x 10.0")


def test_the_power_of_modules_is_that_of_the_last_window() -> None:
    """The largest are shown; shares are of all power of the window, which is 4 mW."""
    energy = energy_of()
    for name, window in energy["windows"].items():
        power = window["power_mw"]["total"] / 16
        parts = dict.fromkeys(("internal", "switching", "clock", "leakage"), power / 4)
        window["modules"] = [
            parts | {"total": power, "module": f"{name.upper()}{i}__n_8"} for i in range(9)
        ]
    windows, modules, operations = energy_grids("x", msgspec.convert(energy, Energy))
    assert windows
    assert modules
    assert operations
    assert modules.title == "Power of x by module, window d, mW"
    assert len(modules.lines) == POWERS_SHOWN
    assert modules.lines[0].cells == ("D0", *["0.062"] * 4, "0.250", "6.2")
    lines = {line.cells[0]: line.cells[1:] for line in windows.lines}
    # 205 cycles of 3 ns at 4 mW, and half as much again with glitches.
    assert lines["d"] == ("205", *["1.00"] * 4, "4.00", "2.46", "3.69", "2.50")
    assert {line.cells[0]: line.cells[2:4] for line in operations.lines}["d"] == ("2.430", "3.645")


@pytest.mark.parametrize(
    ("flat", "recipe", "taken"),
    [("area", "area", "flat"), ("area", "speed", "hierarchy"), (None, "speed", "hierarchy")],
)
def test_the_mapping_that_was_taken_is_named(flat: str | None, recipe: str, taken: str) -> None:
    task = FlowRun(Point("mont-ct", 32), "accelerator", 3.0)
    netlist = {
        **{"recipe": "speed", "area_um2": 90.0, "cells": 9, "setup_slack_ns": 0.25},
        **{"period_ns": 2.75, "clock_met": True, "seconds": 1.0},
    }
    more = {"hierarchical": netlist, "flat": flat and netlist | {"recipe": flat, "area_um2": 80.0}}
    row = flow_row(task, {"area_um2": 80.0}, recipe=recipe, **more)
    [line] = MAPPINGS.of({task: row.result}).lines
    assert line.cells[1:4] == ("speed", "90.0", "0.250")
    assert line.cells[4:7] == ((flat, "80.0", "0.250") if flat else ("-", "-", "-"))
    assert line.cells[-1] == taken


@pytest.mark.parametrize(
    ("hierarchical", "flat", "shares"), [(100.0, 80.0, (30, 70)), (None, 80.0, (37.5, 87.5))]
)
def test_areas_of_modules_are_shares_of_the_netlist_that_has_them(
    hierarchical: float | None, flat: float, shares: tuple[float, float]
) -> None:
    """The one with hierarchy, whichever was taken."""
    task = FlowRun(Point("mont-ct", 32), "accelerator", 3.0)

    def netlist(area_um2: float | None) -> dict[str, object] | None:
        return area_um2 and {
            **{"recipe": "area", "area_um2": area_um2, "cells": 9, "setup_slack_ns": 0.25},
            **{"period_ns": 2.75, "clock_met": True, "seconds": 1.0},
        }

    row = flow_row(
        task,
        {"area_um2": flat},
        modules=[module("A__n_8", 1, 30.0, 0.0, {}), module("B__n_8", 2, 35.0, 0.0, {})],
        hierarchical=netlist(hierarchical),
        flat=netlist(flat),
    )
    shown = MODULES.of(Row(task, row.result))
    assert [line.values[-1] for line in shown.lines] == pytest.approx(shares)
    assert ("best netlist with hierarchy" in shown.note) == (hierarchical is not None)
