"""The study of document 001's systems: what it measures, how it is shown, how the flow takes it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from eval.catalog.processor import Processor
from eval.documents.d001.figures import SYSTEMS as PRINTED
from eval.documents.d001.reasons import products, system_reasons
from eval.documents.d001.systems import CALLS, TABLE_1
from eval.documents.d001.systems_chart import TITLE, systems_chart
from eval.documents.systems import printed
from eval.report.page import html as page_of
from eval.report.page import report_json
from eval.report.report import Report
from eval.study.results import StudyResult
from eval.study.studies import STUDIES
from eval.tasks.execution import Execution
from eval.tasks.flow_run.processors import AREAS
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.systems import ALL_SYSTEMS, OF_TABLE_1, PROCESSORS, SYSTEMS
from eval.tasks.unit import translation
from proc.run.systems import DIVIDERS
from sim.errors import RunError
from tests.command_line import assert_refused, run, run_json
from tests.eval.chart.drawn import check_names
from tests.eval.made_up import flow_row, module, path, row
from tests.places import ROOT

STUDY = STUDIES["systems"]


@pytest.mark.quick
def test_the_systems_are_those_whose_design_the_catalog_has() -> None:
    titles = [s.title for s in SYSTEMS]
    assert titles == [s.title for s in PRINTED]
    assert [printed(s).title for s in OF_TABLE_1] == titles
    assert {p.attached for p in PROCESSORS} == {"", *(s.attached for s in SYSTEMS)}
    assert all(Processor(s.attached).accelerator() for s in SYSTEMS)


@pytest.mark.quick
def test_the_study_runs_every_system_with_either_divider() -> None:
    tasks = STUDY.tasks
    assert len(tasks) == len(set(tasks)) == 2 * len(ALL_SYSTEMS) + len(PROCESSORS)
    for divider in DIVIDERS:
        assert Execution(Processor(divider=divider), "naive") in tasks
    others = {Execution(s.on(d), s.variant) for s in OF_TABLE_1 for d in DIVIDERS}
    assert set(tasks) - set(STUDIES["full"].tasks) < others
    ours = {Execution(s.on(d), s.variant) for s in SYSTEMS for d in DIVIDERS}
    assert ours < set(STUDIES["default"].tasks)


# Document 001's figures, or better ones that were reached before.
MOST = {
    ("naive C", "seed"): (3523 * 1.15, 8148 * 1.15),
    ("naive C", "fast"): (2050, 4600),
    ("Montgomery C", "seed"): (700, 1250),
    ("Montgomery C", "fast"): (700, 1250),
    ("naive accelerator", "seed"): (1062, 1840),
    ("naive accelerator", "fast"): (1062, 1840),
    ("Montgomery accelerator", "seed"): (169, 234),
    ("Montgomery accelerator", "fast"): (169, 234),
    ("Montgomery C, as printed", "seed"): (3581, 5135),
    ("naive accelerator, as printed", "seed"): (1062, 1840),
}


@pytest.mark.parametrize(("title", "divider"), MOST)
def test_the_systems_are_as_fast_as_they_must_be(title: str, divider: str) -> None:
    [measured] = [system for system in ALL_SYSTEMS if system.title == title]
    task = Execution(measured.on(divider), measured.variant)
    found = task.compute(lambda step: None)
    for workload, most in zip("ed", MOST[title, divider], strict=True):
        call = found.normalised[workload]
        assert 0 < call.cycles <= most
        assert found.metrics[f"system_cycles_{workload}"] == call.cycles
        divisions = {"naive C": 4 * products(workload), "Montgomery C": 1}
        if title != "Montgomery C, as printed":  # as many as Euclid's algorithm takes steps
            assert call.divisions == divisions.get(title, 0)


def test_the_command_beside_a_row_prints_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for measured in SYSTEMS:
        task = Execution(measured.on("fast"), measured.variant)
        metrics = task.compute(lambda step: None).metrics
        result = run(task.command.removeprefix("modexplorer "))
        assert result.exit_code == 0, result.output
        printed = dict(re.findall(r"(encryption|decryption) (\d+)", result.stdout))
        assert [int(n) for n in printed.values()] == list(metrics.values())


def test_a_wrong_answer_is_no_result() -> None:
    with pytest.raises(RunError, match=r"processor-seed\+null xcel: failed at line \d+"):
        Execution(Processor(), "xcel").compute(lambda step: None)


def test_a_row_is_known_by_program_hardware_and_tools() -> None:
    key = Execution(Processor(), "naive").key
    others = [
        Execution(Processor(), "mont").key,
        Execution(Processor(divider="fast"), "naive").key,
        Execution(Processor("mul-rem"), "naive").key,
    ]
    assert (key.kind, key.design, key.nbits) == ("run", "processor+null", 32)
    assert key == Execution(Processor(), "naive").key
    assert len({key.workload, *(k.workload for k in others)}) == 2
    assert len({key.verilog, *(k.verilog for k in others)}) == 3
    assert key.code


def test_every_processor_has_verilog_of_its_own_without_trace_ports() -> None:
    digests = set()
    for processor in (*PROCESSORS, Processor("", divider="fast")):
        key = FlowRun(processor, "system", 3.0).key
        digests.add(key.verilog)
        ports = translation(processor, "system").ports
        assert "retire" not in {port.name.split("__")[0] for port in ports}
    assert len(digests) == len(PROCESSORS) + 1


def made_up(with_flow: bool = True) -> StudyResult:
    """The study's results with round numbers, no tool needed."""
    rows = []
    for task in STUDY.tasks:
        if isinstance(task, Execution):
            rows.append(row(task, **_execution(task)))
        elif with_flow:
            area = {"": 20000.0, "null": 21000.0}.get(task.point.attached, 38000.0)
            rows.append(flow_row(task, **_flow_run(area)))
    return StudyResult(STUDY, rows)


def _execution(task: Execution) -> dict[str, Any]:
    cycles = {"naive": 4000, "mont": 400, "mont_printed": 2000, "xcel": 500}[task.variant]
    cycles //= 2 if task.point.divider == "fast" else 1
    divisions = 76 if task.variant == "naive" else 1
    call = {"cycles": cycles, "instructions": cycles // 4, "divisions": divisions}
    return {
        "metrics": {"system_cycles_e": cycles, "system_cycles_d": 2 * cycles},
        "call": {"cycles": 16, "instructions": 11, "divisions": 0},
        "normalised": {"e": call, "d": call | {"cycles": 2 * cycles}},
        "tools": {"riscv gcc": "1"},
    }


def _flow_run(area: float) -> dict[str, Any]:
    metrics = {"area_um2": area, "cells": 9, "setup_slack_ns": 0.5, "period_ns": 2.5}
    return {
        "metrics": metrics,
        "modules": [module("ProcessorRTL_noparam", 1, area, 1.0, {})],
        "critical_path": path(("Multiplier_noparam", 2.5)),
        "tools": {"yosys": "1"},
    }


@pytest.mark.quick
def test_the_systems_stand_beside_the_document() -> None:
    lines = {line.cells[:3]: line for line in CALLS.of(made_up().of(Execution)).lines}
    assert len(lines) == 4 * len(ALL_SYSTEMS)
    first = lines["naive C", "seed", "e"]
    assert first.cells[3:] == ("1000", "4000", "1.0", "3523", "1.0", "1.14")
    assert first.commands == ("modexplorer run proc/app/benchmark.c --define NAIVE --divider seed",)
    fast = lines["naive accelerator", "fast", "d"]
    assert fast.cells[3:] == ("62", "500", "8.0", "1840", "4.4", "0.27")
    assert fast.commands[0].endswith("--define XCEL --divider fast --xcel mul-rem --nbits 32")


@pytest.mark.quick
def test_table_1_of_the_document_is_shown_row_by_row() -> None:
    found = made_up().of(Execution)
    lines = {line.cells[:2]: line for line in TABLE_1.of(found).lines}
    assert len(lines) == 2 * len(OF_TABLE_1)
    accelerator = lines["naive accelerator, as printed", "e"]
    # Cycles of the whole call and normalised, speed-ups from naive and Montgomery C: 001's, ours.
    assert accelerator.cells[2:6] == ("1071", "516", "1062", "500")
    assert accelerator.cells[6:] == ("3.32", "8.00", "3.37", "4.00")
    assert accelerator.commands[0].endswith("--divider seed --xcel mul-rem-001 --nbits 32")
    program = lines["Montgomery C, as printed", "d"]
    assert program.cells[2:] == ("5144", "4016", "5135", "4000", "1.59", "2.00", "1.00", "1.00")
    printed = {task for task in found if task.variant == "mont_printed"}
    assert TABLE_1.of({t: r for t, r in found.items() if t not in printed}) is None
    lines = CALLS.of({t: r for t, r in found.items() if t not in printed}).lines
    assert not [line for line in lines if line.cells[0].startswith("Montgomery C,")]


@pytest.mark.quick
def test_figure_17_has_every_measured_system() -> None:
    [chart] = systems_chart(made_up())
    assert chart.title == TITLE
    for text in ("naive C", "Montgomery C", "001: naive accelerator", "Montgomery accelerator"):
        assert f">{text}<" in chart.svg
    for workload, panel in zip("ed", chart.panels, strict=True):
        check_names(panel)
        assert (panel.x.kind, panel.y.kind) == ("log", "log")
        spots = {p.name: (p.x, p.y) for p in panel.points}
        theirs = printed(next(s for s in SYSTEMS if s.title == "naive C"))
        assert spots["001: naive C"] == (theirs.calls[workload].cycles, theirs.area_um2)
        assert spots["naive C"] == ({"e": 4000, "d": 8000}[workload], 21000.0)
    assert list(systems_chart(made_up(with_flow=False))) == []


@pytest.mark.quick
def test_the_processors_stand_beside_the_document() -> None:
    lines = AREAS.of(made_up().of(FlowRun)).lines
    assert lines[0].cells == ("alone", "seed", "20000.0", "9", "0.500", "2.500", "-", "-")
    assert lines[1].cells[-2:] == ("21434.8", "0.98")
    assert lines[2].cells[0] == "with mul-rem-32"
    assert lines[2].commands == (
        "modexplorer flow processor+mul-rem --nbits 32 --divider seed --clock 3",
    )


@pytest.mark.quick
def test_the_reasons_count_instructions() -> None:
    text = "\n".join(system_reasons(made_up()))
    assert "is 19 products, 1000 instructions, 76 of them divisions" in text
    assert "2432 of the 4000 cycles" in text
    assert "the document's takes 62 cycles per product" in text
    assert "21000.0 um2, 2.0 % smaller than the printed 21434.8" in text
    assert "mul-rem adds 17000.0 um2 to it, 1.3 % smaller than the 17223.2" in text


@pytest.mark.quick
def test_what_was_not_measured_is_a_dash_and_gives_no_reason() -> None:
    found = StudyResult(STUDY, [])
    systems, processors = CALLS.of(found.of(Execution)), AREAS.of(found.of(FlowRun))
    assert all(line.cells[3:6] == ("-", "-", "-") for line in systems.lines)
    assert all(line.cells[2] == "-" for line in processors.lines)
    assert system_reasons(found) == []
    assert "<td>4000</td>" in page_of(Report(made_up(with_flow=False)))


@pytest.mark.quick
def test_a_study_without_points_has_a_page_and_no_chart_of_designs() -> None:
    found = Report(made_up())
    page = page_of(found)
    assert page.count("<svg") == 2  # figure 17, by rows of panels
    assert len([*found["designs"], *found["results"]]) == 3
    assert "Area by module, processor-seed+null system" in page
    titles = [grid.title for grid in (*found["details"], *found["making"])]
    assert titles[1:] == [
        *("Hierarchy kept, and mapped as one module", "Critical path", "The documents"),
        *("How this was made", "Tools"),
    ]
    shown = report_json(found)
    assert [s["variant"] for s in shown["systems"][:3]] == ["naive", "naive", "mont"]
    assert len(shown["processors"]) == len(PROCESSORS)
    json.dumps(shown)


BAD_INPUT = {
    "flow processor --nbits 8": "--nbits: processor has no accelerator with a width",
    "flow processor+null --nbits 8": "--nbits: processor+null has no accelerator with a width",
    "flow processor --divider slow": "--divider: no divider 'slow'; choose from seed, fast",
    "flow ssmm-best --nbits 8 --unit multiplier": "--unit: ssmm-best has no multiplier of its own",
    "flow processor --unit multiplier": "--unit: the processor has no units; leave it out",
    "flow processor --clock 0": "--clock: 0 ns is not from",
    "flow processor+nothing --nbits 8": "design: no design named 'nothing'",
    "flow processor+mul-rem": "--nbits: not given; give the width of mul-rem in bits",
    "flow processor+mul-rem --nbits 7": "--nbits: 7 is not a width of mul-rem",
    "flow mul-rem": "--nbits: not given; give the width of mul-rem in bits",
    "flow mul-rem --nbits 8 --divider fast": "--divider: only the processor has a choice",
}


@pytest.mark.quick
@pytest.mark.parametrize("line", BAD_INPUT)
def test_bad_input_is_one_line_that_says_what_to_do(line: str) -> None:
    assert_refused(line, BAD_INPUT[line])


def test_the_flow_takes_a_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def compute(task: FlowRun, on_step: Any) -> Any:
        asked.append((str(task.point), task.clock_ns, task.unit))
        return flow_row(task, **_flow_run(21000.0)).result

    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    monkeypatch.setattr(FlowRun, "compute", compute)
    line = "flow processor+mul-rem --nbits 8 --divider fast --clock 4"
    text = run(line)
    assert text.exit_code == 0, text.output
    assert asked == [("processor-fast+mul-rem-8", 4.0, "system")]
    assert "21000.0" in text.stdout
    found = run_json(line)
    assert found["reused"]
    assert (found["design"], found["nbits"], found["divider"]) == ("processor+mul-rem", 8, "fast")


@pytest.mark.long
def test_the_processor_is_as_small_as_the_documents(tmp_path: Path) -> None:
    found = run_json("flow processor+null")
    assert found["metrics"]["area_um2"] < 1.05 * 21434.8
    assert found["metrics"]["setup_slack_ns"] > 0
