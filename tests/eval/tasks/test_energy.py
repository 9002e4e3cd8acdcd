"""Energies: what is recorded to measure them, and how they stand beside document 001's."""

import msgspec
import pytest

from eval.catalog.point import Point
from eval.catalog.processor import ALONE, Processor
from eval.catalog.workloads import WORKLOADS
from eval.documents.d001.energy import CALLS, TABLE_3
from eval.documents.d001.figures import SYSTEMS as PRINTED
from eval.documents.systems import printed as printed_of
from eval.study.results import StudyResult
from eval.study.studies import STUDIES
from eval.tasks.execution import Execution
from eval.tasks.exponentiation import simulate_xcel
from eval.tasks.flow_run.bus_recording import record as record_peripheral
from eval.tasks.flow_run.energy import PARTS, accelerators_grid, operations_grid, system_energies
from eval.tasks.flow_run.energy_chart import energy_chart
from eval.tasks.flow_run.grids import RESULT
from eval.tasks.flow_run.ports import IDLE_CYCLES
from eval.tasks.flow_run.recording import record
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.systems import SYSTEMS, variants_of
from fl.peripheral_map import START, STATUS
from flow.results.energy import Energy
from tests.eval.chart.drawn import check_names
from tests.eval.made_up import energy_of, flow_row, found_of, metrics_of

POINT = Point("mul-rem", 8)


def found() -> StudyResult:
    """A study with an accelerator and two systems, of made-up figures."""
    area = {"area_um2": 1000.0}
    own = energy_of()
    return found_of(
        flow_row(FlowRun(POINT, "accelerator", 3.0), area | metrics_of(own), energy=own),
        flow_row(FlowRun(Processor("mul-rem"), "system", 3.0), area, energy=energy_of("xcel_")),
        flow_row(FlowRun(Processor(), "system", 3.0), area, energy=energy_of("naive_")),
    )


@pytest.mark.quick
def test_metrics_stand_in_one_order_whatever_that_of_a_stored_row():
    energy = energy_of()
    metrics = {"area_um2": 1000.0, "cells": 10} | metrics_of(energy)
    rows = (metrics, dict(reversed(metrics.items())))
    fresh, stored = (
        RESULT.of(flow_row(FlowRun(POINT, "accelerator", 3.0), row, energy=energy).result)
        for row in rows
    )
    assert fresh == stored
    assert [line.cells[0] for line in fresh.lines[:3]] == ["area", "cells", "idle power"]


@pytest.mark.quick
def test_metrics_are_those_of_the_operations_less_the_dummy():
    metrics = metrics_of(energy_of())
    assert metrics["power_idle_mw"] == 1.0
    assert (metrics["power_e_mw"], metrics["power_d_mw"]) == (3.0, 4.0)
    assert metrics["energy_e_nj"] == pytest.approx((3 * 105 - 2 * 5) * 3e-3)
    assert metrics["energy_glitches_d_nj"] == pytest.approx(1.5 * (4 * 205 - 2 * 5) * 3e-3)
    assert metrics["toggle_factor_e"] == 2.5


def test_tables_and_chart_show_ours_beside_the_document():
    runs = found().of(FlowRun)
    [line] = accelerators_grid(runs).lines
    assert line.cells[:3] == ("mul-rem-8", "1000.0", "1.00")
    assert line.commands == ("modexplorer flow mul-rem --nbits 8 --clock 3 --to power",)
    titles = [(e.title, e.workload, e.row.cycles) for e in system_energies(runs)]
    assert titles == [
        *(("naive C", "e", 100), ("naive C", "d", 200)),
        *(("naive accelerator", "e", 100), ("naive accelerator", "d", 200)),
    ]
    grid = CALLS.of(runs)
    assert [line.cells[7:9] for line in grid.lines] == [
        *(("3.46", "35.50"), ("3.38", "81.37"), ("4.55", "11.53"), ("4.20", "19.82")),
    ]
    assert grid.lines[0].cells[9] == f"{1.5 * 305 * 3e-3 / 35.5:.2f}"
    assert grid.lines[2].commands == (
        "modexplorer flow processor+mul-rem --nbits 32 --divider seed --clock 3 --to power",
    )
    whole = TABLE_3.of(runs).lines
    assert [line.cells[2:7:2] for line in whole] == [
        *(("40.28", "4.78", "35.50"), ("86.18", "4.81", "81.37")),
        *(("19.31", "7.78", "11.53"), ("27.62", "7.80", "19.82")),
    ]
    for line, energy in zip(whole, system_energies(runs), strict=True):
        ours, dummy, normalised = (float(cell) for cell in line.cells[3:8:2])
        assert ours == pytest.approx(dummy + normalised, abs=0.011)
        assert normalised == pytest.approx(energy.row.energy_with_glitches_nj, abs=0.006)
    chart = energy_chart(runs)
    assert chart == energy_chart(found().of(FlowRun))
    bars, scatter = chart.panels
    window = msgspec.convert(energy_of(), Energy).windows["d"]
    assert bars.bars[0].start == 0
    assert [bar.end for bar in bars.bars] == [
        *(pytest.approx(window.energy_nj * part / 4) for part in (1, 2, 3, 4)),
        pytest.approx(window.energy_with_glitches_nj),
    ]
    hatched = [x for line in bars.lines for x, _ in line.spots]
    assert window.energy_nj <= min(hatched) < max(hatched) <= window.energy_with_glitches_nj
    assert (bars.y.words, list(bars.keys)) == (["mul-rem-8"], [*PARTS, "glitches"])
    systems = system_energies(runs)
    assert {(p.x, p.y) for p in scatter.points} == {
        spot
        for e in systems
        for spot in (
            (e.row.cycles, e.row.energy_with_glitches_nj),
            (e.printed.cycles, e.printed.energy_nj),
        )
    }
    up = [line.spots for line in scatter.lines if not line.dash]
    assert up == [
        [(e.row.cycles, e.row.energy_nj), (e.row.cycles, e.row.energy_with_glitches_nj)]
        for e in systems
    ]
    check_names(scatter)
    assert "naive accelerator" in chart.svg


def of_pieces(cycles: int, error: float) -> dict:
    """Energies of which d, 205 cycles, has twelve pieces of so many in all, 64 with delays."""
    energy = energy_of()
    energy["windows"]["d"]["sampled"]["cycles"] = 64
    energy["windows"]["d"]["pieces"] = {
        **{"count": 12, "cycles": cycles, "energy_error_nj": 0.0},
        "energy_with_glitches_error_nj": error,
    }
    energy["operations"]["d"]["energy_error_nj"] = error
    return energy


@pytest.mark.quick
@pytest.mark.parametrize(
    ("cycles", "said"),
    [
        (205, "with delays: 64 of 205 cycles, in stretches at random places in 12 equal parts"),
        (192, "Simulated: 12 pieces of 16 cycles, one at a random place in each of as many"),
    ],
)
def test_an_energy_that_is_not_of_all_cycles_with_delays_has_its_error(cycles: int, said: str):
    grid = operations_grid(msgspec.convert(of_pieces(cycles, 0.25), Energy))
    assert said in grid.note
    assert grid.note.endswith(
        "Error: twice the standard error of a mean, of the energy with glitches."
    )
    e, d = grid.lines
    assert (e.cells[0], e.cells[4], d.cells[0], d.cells[4]) == ("e", "-", "d", "0.250")


@pytest.mark.quick
def test_an_energy_of_all_cycles_has_no_error():
    grid = operations_grid(msgspec.convert(energy_of(), Energy))
    assert grid.note == ""
    assert [len(line.cells) for line in grid.lines] == [5, 5]


@pytest.mark.quick
def test_accelerators_have_a_column_of_errors_for_each_operation_that_has_some():
    def line_of(energy: dict) -> tuple[str, ...]:
        task = FlowRun(POINT, "accelerator", 3.0)
        rows = found_of(flow_row(task, {"area_um2": 1000.0} | metrics_of(energy), energy=energy))
        [line] = accelerators_grid(rows.of(FlowRun)).lines
        return line.cells

    plain = line_of(energy_of())
    assert line_of(of_pieces(205, 0.25)) == (*plain, "0.25")
    both = of_pieces(205, 0.25)
    both["operations"]["e"]["energy_error_nj"] = 0.5
    assert line_of(both) == (*plain, "0.50", "0.25")


@pytest.mark.quick
def test_without_energies_there_is_no_table_and_no_chart():
    assert accelerators_grid({}) is None
    assert CALLS.of({}) is None
    assert TABLE_3.of({}) is None
    assert energy_chart({}) is None


@pytest.mark.quick
def test_every_system_of_the_document_has_printed_energies():
    assert [printed_of(system) for system in SYSTEMS] == list(PRINTED)
    # Table 3's own arithmetic: energy = power x time; less the dummy's, within its roundings.
    for printed in PRINTED:
        assert set(printed.calls) == set(WORKLOADS)
        for call in printed.calls.values():
            assert call.energy_nj == pytest.approx(call.power_mw * call.cycles * 3e-3, rel=0.25)


@pytest.mark.quick
def test_the_energy_study_measures_what_document_001_does():
    runs = [task for task in STUDIES["energy"].tasks if isinstance(task, FlowRun)]
    systems = {run.point for run in runs if run.unit == "system"}
    assert {Processor(s.attached) for s in SYSTEMS} <= systems
    assert all(run.energy == run.has_workload for run in runs)
    assert not FlowRun(Processor(ALONE), "system", 3.0).has_workload


@pytest.mark.quick
def test_variants():
    assert variants_of(Processor()) == ("naive", "mont")
    assert variants_of(Processor("mul-rem")) == variants_of(Processor("ssmm-best")) == ("xcel",)


@pytest.mark.parametrize("design", ["near-power-4", "cm-pseudo-2"])
def test_designs_of_some_moduli_are_recorded_under_their_own_keys(design):
    windows = record(Point(design, 8)).windows
    assert windows["d"][1] > windows["d"][0] >= windows["e"][1]


def test_a_peripherals_workload_is_what_its_bus_does():
    workload = record_peripheral(Point("ssmm-best", 32))
    ports = {port.name: port for port in workload.ports}
    assert ports["s_axi_rdata"].valid == "s_axi_rvalid"
    wires = [ports[f"s_axi_{name}"].values for name in ("awvalid", "awaddr", "wdata")]
    written = list(zip(*wires, strict=True))
    starts = {
        name: any(valid and to == STATUS and data & START for valid, to, data in written[slice(*w)])
        for name, w in workload.windows.items()
    }
    assert starts == {"idle": False, "dummy": False, "e": True, "d": True}


@pytest.mark.long
def test_a_peripherals_netlist_does_what_its_rtl_does():
    """The simulation of gates compares every output in every cycle."""
    result = FlowRun(Point("ssmm-best", 32), "peripheral", 3.0, "power").compute(lambda step: None)
    assert 0 < result.metrics["energy_e_nj"] < result.metrics["energy_d_nj"]


def test_an_accelerators_workload_is_what_its_port_does():
    workload = record(POINT)
    windows = workload.windows
    assert list(windows) == ["idle", "dummy", "e", "d"]
    assert windows["idle"][1] - windows["idle"][0] == IDLE_CYCLES
    assert workload.operations == {"e": "dummy", "d": "dummy"}
    ports = {port.name: port for port in workload.ports}
    assert "clk" not in ports
    begin, end = windows["idle"]
    assert not any(ports["xcel__req__val"].values[begin:end])
    for name, one in WORKLOADS.items():
        begin, end = windows[name]
        answers = [
            data & 0xFFFFFFFF
            for data, valid in zip(
                ports["xcel__resp__msg"].values[begin:end],
                ports["xcel__resp__val"].values[begin:end],
                strict=True,
            )
            if valid
        ]
        assert answers[-2:] == [one.request(8).result, 0]
        # From the first push to the last pop; the window goes on to the status, a cycle later.
        [answer] = simulate_xcel(POINT, [one.request(8)], "batch")
        assert end - begin == answer.cycles + 2


@pytest.mark.long
def test_a_systems_workload_is_the_benchmark_on_it():
    workload = record(Processor())
    lengths = {name: end - begin for name, (begin, end) in workload.windows.items()}
    for variant in variants_of(Processor()):
        normalised = Execution(Processor(), variant).compute(lambda step: None).normalised
        for name in WORKLOADS:
            dummy = workload.operations[f"{variant}_{name}"]
            taken = lengths[f"{variant}_{name}"] - lengths[dummy]
            assert taken == normalised[name].cycles


@pytest.mark.quick
def test_a_line_of_accelerators_has_the_figures_of_either_operation():
    energy = energy_of()
    energy["windows"]["d"]["sampled"]["toggle_factor"] = 3.5
    energy["operations"]["d"]["energy_error_nj"] = 0.25
    metrics = {"area_um2": 1000.0} | metrics_of(energy)
    row = flow_row(FlowRun(POINT, "accelerator", 3.0), metrics, energy=energy)
    grid = accelerators_grid(found_of(row).of(FlowRun))
    assert [*map(" ".join, map(str.split, grid.headings))] == [
        *("design", "area um2", "idle mW", "e mW", "d mW", "e nJ", "d nJ"),
        *("e with glitches nJ", "d with glitches nJ", "toggle ratio", "error of d nJ"),
    ]
    [line] = grid.lines
    e, d = (3 * 105 - 2 * 5) * 3e-3, (4 * 205 - 2 * 5) * 3e-3
    assert line.values[1:] == pytest.approx(
        (1000.0, 1.0, 3.0, 4.0, e, d, 1.5 * e, 1.5 * d, 3.5, 0.25)
    )
