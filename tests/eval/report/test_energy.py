"""Energies: what is recorded to measure them, and how they stand beside document 001's."""

import pytest

from eval.catalog.point import Point
from eval.catalog.processor import ALONE, TABLE_1, Processor
from eval.catalog.workloads import WORKLOADS
from eval.report.energy_chart import energy_svg
from eval.report.energy_tables import (
    PRINTED,
    accelerators_grid,
    energy_task,
    system_energies,
    systems_grid,
)
from eval.study.results import gather
from eval.study.studies import STUDIES, Study
from eval.study.sweep import tasks_of
from eval.tasks.energy_workload import IDLE_CYCLES, variants_of, workload_for
from eval.tasks.execution import Execution
from eval.tasks.harden import energy_metrics
from eval.tasks.measure import Hardening, Row
from eval.tasks.run import simulate_xcel

POINT = Point("mul-rem", 8)


def window(power, cycles):
    parts = {"internal": power / 4, "switching": power / 4, "clock": power / 4}
    energy = power * cycles * 3e-3
    return {
        "cycles": cycles,
        "power_mw": parts | {"leakage": power / 4, "total": power},
        "energy_nj": energy,
        "energy_with_glitches_nj": 1.5 * energy,
        "sampled": {"cycles": cycles, "toggle_factor": 2.5},
        "modules": [],
    }


def operation(windows, name, dummy):
    row = {"cycles": windows[name]["cycles"] - windows[dummy]["cycles"]}
    row["power_mw"] = windows[name]["power_mw"]["total"]
    for key in ("energy_nj", "energy_with_glitches_nj"):
        row[key] = windows[name][key] - windows[dummy][key]
        row[f"dummy_{key}"] = windows[dummy][key]
    return row


def energy_of(prefix=""):
    windows = {"idle": window(1.0, 200), f"{prefix}dummy": window(2.0, 5)}
    windows |= {f"{prefix}e": window(3.0, 105), f"{prefix}d": window(4.0, 205)}
    operations = {n: operation(windows, n, f"{prefix}dummy") for n in (f"{prefix}e", f"{prefix}d")}
    return {"windows": windows, "operations": operations}


def found():
    """A study with an accelerator and two systems, of made-up figures."""
    study = Study("made-up", "", (POINT,), processors=(Processor(), Processor("mul-rem")))
    hardened = {"modules": [], "recipe": "area", "critical_path": None, "tools": {}}
    area = {"area_um2": 1000.0}
    rows = [
        Row(
            Hardening(POINT, "accelerator", 3.0),
            hardened | {"metrics": area | energy_metrics(energy_of()), "energy": energy_of()},
            False,
        ),
        Row(
            Hardening(Processor(), "system", 3.0),
            hardened | {"metrics": area, "energy": energy_of("naive_")},
            False,
        ),
        Row(
            Hardening(Processor("mul-rem"), "system", 3.0),
            hardened | {"metrics": area, "energy": energy_of("xcel_")},
            False,
        ),
    ]
    return gather(study, rows)


@pytest.mark.quick
def test_metrics_are_those_of_the_operations_less_the_dummy():
    metrics = energy_metrics(energy_of())
    assert metrics["power_idle_mw"] == 1.0
    assert (metrics["power_e_mw"], metrics["power_d_mw"]) == (3.0, 4.0)
    assert metrics["energy_e_nj"] == pytest.approx((3 * 105 - 2 * 5) * 3e-3)
    assert metrics["energy_glitches_d_nj"] == pytest.approx(1.5 * (4 * 205 - 2 * 5) * 3e-3)
    assert metrics["toggle_factor_e"] == 2.5


@pytest.mark.quick
def test_tables_and_chart_show_ours_beside_the_document():
    [line] = accelerators_grid(found()).lines
    assert line.cells[:3] == ("mul-rem-8", "1000.0", "1.00")
    assert line.commands == ("modexplorer flow mul-rem --nbits 8 --clock 3 --to power",)
    titles = [(e.title, e.workload, e.cycles) for e in system_energies(found())]
    assert titles == [
        *(("naive C", "e", 100), ("naive C", "d", 200)),
        *(("naive accelerator", "e", 100), ("naive accelerator", "d", 200)),
    ]
    grid = systems_grid(found())
    assert [line.cells[7:9] for line in grid.lines] == [
        *(("3.46", "35.50"), ("3.38", "81.37"), ("4.55", "11.53"), ("4.20", "19.82")),
    ]
    assert grid.lines[0].cells[9] == f"{1.5 * 305 * 3e-3 / 35.5:.2f}"
    assert grid.lines[2].commands == (
        "modexplorer flow processor+mul-rem --nbits 32 --divider seed --clock 3 --to power",
    )
    chart = energy_svg(found())
    assert chart.startswith("<svg")
    assert chart == energy_svg(found())
    assert "http" not in chart


@pytest.mark.quick
def test_without_energies_there_is_no_table_and_no_chart():
    nothing = gather(Study("nothing", ""), [])
    assert accelerators_grid(nothing) is None
    assert systems_grid(nothing) is None
    assert energy_svg(nothing) == ""


@pytest.mark.quick
def test_every_system_of_the_document_has_printed_energies():
    assert set(PRINTED) == {(s.title, w) for s in TABLE_1 for w in "ed"}
    # Table 3's own arithmetic: energy = power x time; less the dummy's, within its roundings.
    for (title, workload), printed in PRINTED.items():
        system = next(s for s in TABLE_1 if s.title == title)
        cycles = getattr(system, f"cycles_{workload}")
        assert printed.energy_nj == pytest.approx(printed.power_mw * cycles * 3e-3, rel=0.25)


@pytest.mark.quick
def test_the_energy_study_measures_what_document_001_does():
    tasks = tasks_of(STUDIES["energy"])
    systems = {t.point for t in tasks if isinstance(t, Hardening) and t.unit == "system"}
    assert {Processor(s.attached) for s in TABLE_1} <= systems
    assert all(t.energy == energy_task(t) for t in tasks if isinstance(t, Hardening))
    alone = Hardening(Processor(ALONE), "system", 3.0)
    assert not energy_task(alone)


@pytest.mark.quick
def test_variants():
    assert variants_of(Processor()) == ("naive", "mont")
    assert variants_of(Processor("mul-rem")) == variants_of(Processor("ssmm-best")) == ("xcel",)


@pytest.mark.parametrize("design", ["near-power-4", "cm-pseudo-2"])
def test_designs_of_some_moduli_are_recorded_under_their_own_keys(design):
    windows = workload_for(Point(design, 8)).windows
    assert windows["d"][1] > windows["d"][0] >= windows["e"][1]


def test_an_accelerators_workload_is_what_its_port_does():
    workload = workload_for(POINT)
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
    workload = workload_for(Processor())
    lengths = {name: end - begin for name, (begin, end) in workload.windows.items()}
    for variant in variants_of(Processor()):
        normalised = Execution(Processor(), variant).compute(lambda step: None)["normalised"]
        for name in WORKLOADS:
            dummy = workload.operations[f"{variant}_{name}"]
            taken = lengths[f"{variant}_{name}"] - lengths[dummy]
            assert taken == normalised[name]["cycles"]
