"""Gated clocks beside plain ones: rows of their own, the table, the command."""

import json
from dataclasses import replace

import msgspec
import pytest
from click.testing import CliRunner

from eval.catalog.processor import Processor
from eval.cli import cli
from eval.report.report import Report
from eval.study.results import StudyResult, as_json
from eval.study.studies import STUDIES
from eval.tasks.flow_run.energy import accelerators_grid, system_energies
from eval.tasks.flow_run.gating import GATED_AREAS, GATED_ENERGIES, gating_text
from eval.tasks.flow_run.grids import PROOFS
from eval.tasks.flow_run.task import FlowRun, GatedClocks
from tests.eval.made_up import energy_of, flow_row, found_of, metrics_of
from tests.eval.tasks.test_energy import POINT

GATING = {
    **{"least_registers": 3, "clock_gates": 2, "gated_registers": 16, "registers": 18},
    "enable_slack_ns": 1.5,
}
ACCELERATOR = FlowRun(POINT, "accelerator", 3.0)
SYSTEM = FlowRun(Processor("mul-rem"), "system", 3.0)


def gates(**changes) -> GatedClocks:
    """The record of GATING."""
    return msgspec.convert(GATING | changes, GatedClocks)


def scaled(energy, factor):
    """Energies as if everything took `factor` times as much, and the clock nothing."""
    energy = json.loads(json.dumps(energy))
    for row in (*energy["windows"].values(), *energy["operations"].values()):
        for key in row:
            if key.startswith("energy_"):
                row[key] *= factor
    for row in energy["windows"].values():
        row["power_mw"]["clock"] = 0.0
    return energy


def found(proofs=()) -> StudyResult:
    """A study of an accelerator and a system, plain and gated, of made-up figures; `proofs` are
    the outcomes for tasks that were proved."""
    rows = []
    for plain, prefix in ((ACCELERATOR, ""), (SYSTEM, "xcel_")):
        for task, factor in ((plain, 1.0), (replace(plain, gated=True), 0.75)):
            energy = energy_of(prefix) if factor == 1 else scaled(energy_of(prefix), factor)
            metrics = {"area_um2": 1000.0 * factor, "setup_slack_ns": factor}
            metrics["period_ns"] = 3.0 - factor
            if not prefix:
                metrics |= metrics_of(energy)
            more = {"energy": energy}
            if task.gated:
                more |= {"gating": GATING, "clocked": {f"{prefix}e": 0.4, f"{prefix}d": 0.5}}
            if outcome := dict(proofs).get(task):
                more["equivalence"] = {"outcome": outcome, "trusted": [], "seconds": 1.0}
            rows.append(flow_row(task, metrics, **more))
    return found_of(*rows)


@pytest.mark.quick
def test_the_tables_have_both_beside_the_document():
    runs = found().of(FlowRun)
    areas, energies = GATED_AREAS.of(runs), GATED_ENERGIES.of(runs)
    figures = ("1000", "750", "1.00", "0.75", "1.50", "2", "16", "18")
    assert [line.cells for line in areas.lines] == [
        ("mul-rem-8", *figures),
        ("processor-seed+mul-rem-32", *figures),
    ]
    command = "modexplorer flow mul-rem --nbits 8 --clock 3 --to power"
    assert areas.lines[0].commands == (command, f"{command} --gated")
    assert energies.lines[1].commands == areas.lines[0].commands

    assert [line.cells[:5] for line in energies.lines] == [
        ("mul-rem-8", "e", "25", "0", "40"),
        ("mul-rem-8", "d", "25", "0", "50"),
        ("naive accelerator", "e", "25", "0", "40"),
        ("naive accelerator", "d", "25", "0", "50"),
    ]
    plain = [1.5 * (power * cycles - 2 * 5) * 3e-3 for power, cycles in ((3, 105), (4, 205))] * 2
    for line, energy in zip(energies.lines, plain, strict=True):
        assert line.cells[5:8] == (f"{energy:.2f}", f"{0.75 * energy:.2f}", "0.75")
    assert [line.cells[8:] for line in energies.lines] == [
        *(("-", "-", "-"),) * 2,
        *(
            (f"{printed:.2f}", f"{energy / printed:.2f}", f"{0.75 * energy / printed:.2f}")
            for energy, printed in zip(plain, (11.53, 19.82), strict=False)
        ),
    ]


@pytest.mark.quick
def test_gated_rows_change_nothing_of_the_plain_ones():
    study = found()
    runs = study.of(FlowRun)
    [line] = accelerators_grid(runs).lines
    assert line.cells[1] == "1000.0"
    assert [system.area_um2 for system in system_energies(runs)] == [1000.0] * 2
    assert any("Gated clocks" in grid.title for grid in Report(study)["results"])
    tasks = [row["task"] for row in as_json(study)["others"]]
    assert tasks == [
        "mul-rem-8 accelerator flow, gated clocks",
        "processor-seed+mul-rem-32 system flow, gated clocks",
    ]
    assert GATED_AREAS.of({}) is GATED_ENERGIES.of({}) is None


@pytest.mark.quick
def test_what_is_said_of_gates():
    assert gating_text(gates()) == (
        "Gated clocks: 2 gates clock 16 of 18 registers, 3 each at least; slack of their enables "
        "1.500 ns"
    )
    none = gates(clock_gates=0, gated_registers=0, enable_slack_ns=None)
    assert gating_text(none) == "Gated clocks: none, no enable has 3 registers or more"


@pytest.mark.quick
def test_a_gated_row_has_a_key_of_its_own():
    plain, gated = ACCELERATOR, replace(ACCELERATOR, gated=True)
    assert json.loads(plain.key.parameters) == {"clock_ns": 3.0, "unit": "accelerator"}
    assert json.loads(gated.key.parameters) == json.loads(plain.key.parameters) | {"gated": True}
    assert gated != plain
    assert gated.command == f"{plain.command} --gated"


@pytest.mark.quick
def test_two_studies_measure_all_they_do_with_gates_too():
    tasks = [task for task in STUDIES["energy"].tasks if isinstance(task, FlowRun)]
    whole = {task for task in tasks if task.unit != "multiplier"}
    assert {t for t in whole if t.gated} == {replace(t, gated=True) for t in whole if not t.gated}
    laid_out = STUDIES["layout-gated"].tasks
    assert {t for t in laid_out if t.gated} == {
        replace(t, gated=True) for t in laid_out if not t.gated
    }
    others = (study for name, study in STUDIES.items() if name not in ("energy", "layout-gated"))
    assert not any(getattr(task, "gated", False) for study in others for task in study.tasks)


def test_the_command_shows_gated_clocks():
    arguments = ["flow", "ssmm-small", "--nbits", "8", "--gated"]
    shown = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert shown.exit_code == 0
    assert "ssmm-small-8 accelerator flow, gated clocks at 3 ns" in shown.output
    result = CliRunner().invoke(cli, [*arguments, "--json"], catch_exceptions=False)
    data = json.loads(result.output)
    assert data["gating"]["clock_gates"] > 2
    assert data["gating"]["gated_registers"] > data["gating"]["registers"] / 2
    assert gating_text(gates(**data["gating"])) in shown.output


@pytest.mark.quick
def test_the_report_says_what_was_proved():
    assert PROOFS.of(found().of(FlowRun)) is None
    proofs = {SYSTEM: "proven", replace(ACCELERATOR, gated=True): "not finished in 60 s"}
    lines = PROOFS.of(found(proofs).of(FlowRun)).lines
    assert [line.cells[1:] for line in lines] == [
        ("plain", "proven"),
        ("gated", "not finished in 60 s"),
    ]
    assert lines[1].commands[0].endswith(" --clock 3 --to equivalence --gated")


@pytest.mark.quick
@pytest.mark.parametrize("slacks", [(-0.5, 0.5), (0.5, -0.5)], ids=["plain", "gated"])
def test_a_unit_is_marked_where_either_netlist_misses_the_clock(slacks):
    """In both tables."""
    rows = []
    for gated, slack in zip((False, True), slacks, strict=True):
        energy = energy_of()
        metrics = {"area_um2": 1000.0, "setup_slack_ns": slack, "period_ns": 3.0 - slack}
        more = {"energy": energy}
        if gated:
            more |= {"gating": GATING, "clocked": {"e": 0.4, "d": 0.5}}
        task = replace(ACCELERATOR, gated=gated)
        rows.append(flow_row(task, metrics | metrics_of(energy), **more))
    runs = found_of(*rows).of(FlowRun)
    for table in (GATED_AREAS, GATED_ENERGIES):
        assert {line.cells[0] for line in table.of(runs).lines} == {"mul-rem-8!"}
