"""Explore and report on the quick study: really measured, once for all tests of this file."""

import errno
import html
import json
import os
import re
import subprocess
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

from eval.catalog.inputs import write_whole
from eval.catalog.point import Point
from eval.chart import families
from eval.documents.d001.accelerators import reasons
from eval.documents.d001.parts import PARTS, parts_grid
from eval.documents.document import numbers
from eval.documents.items import items_of
from eval.documents.published import compared, published
from eval.report.chart import designs_chart
from eval.report.comparison import BESIDE, comparisons
from eval.report.page import html as page_of
from eval.report.page import report_json
from eval.report.report import Report
from eval.study.results import StudyResult
from eval.study.study import Study
from eval.tasks.flow_run.grids import PATHS
from eval.tasks.flow_run.task import FlowResult, FlowRun, multiplier_row
from eval.tasks.metrics import METRICS
from eval.tasks.store import Store
from sim.errors import RunError
from tests.command_line import run, run_json
from tests.eval.made_up import flow_row, found_of, module, path, simulated

MODEXPLORER = Path(sysconfig.get_path("scripts")) / "modexplorer"


@dataclass(frozen=True)
class Measured:
    """What `modexplorer report quick` left: its build folder, its output, its page."""

    build: Path
    stdout: str
    stderr: str
    page: str


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """The quick study, measured and reported as people do, in an empty build folder."""
    build = tmp_path_factory.mktemp("build")
    done = subprocess.run(
        [MODEXPLORER, "report", "quick"],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
        env=os.environ | {"MODEXPLORER_BUILD": str(build)},
    )
    return Measured(build, done.stdout, done.stderr, (build / "report.html").read_text())


@pytest.fixture
def build(measured: Measured, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The build folder of `measured`, also for commands in this process."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(measured.build))
    return measured.build


TITLES = ("Cycles of one exponentiation", "Area and timing", "Critical path", "Tools")


def test_the_terminal_gets_what_was_found(measured: Measured) -> None:
    lines = measured.stdout.splitlines()
    assert lines[0] == "What was found"
    assert lines[1].startswith("- At 8 bits, workload d: mul-rem is the only design for any key")
    assert lines[-2:] == [
        f"Report written to {measured.build / 'report.html'}",
        "All tables: modexplorer report quick --tables",
    ]
    assert not [title for title in TITLES if title in measured.stdout]
    assert "\x1b" not in measured.stdout + measured.stderr
    assert re.search(r"study quick \[\d/3, \d+ s\]", measured.stderr)


def test_all_tables_are_printed_if_asked(build: Path) -> None:
    printed = run("report quick --tables").stdout
    for title in TITLES:
        assert title in printed
    assert max(map(len, printed.splitlines())) <= 100
    assert "All tables" not in printed
    assert "What was found" in printed


def test_the_terminal_gets_the_fronts_of_several_designs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And all tables of a study without findings."""
    cycles, areas = [], []
    for design, area, time in (("mul-rem", 4000.0, 900), ("mont-best", 7000.0, 300)):
        point = Point(design, 32)
        figures = {"area_um2": area, "setup_slack_ns": 0.2, "period_ns": 2.8}
        areas.append(flow_row(FlowRun(point, "accelerator", 3.0), figures))
        cycles.append(simulated(point, "d", {"xcel_cycles_d": time}))
    for rows, whole in (([*areas, *cycles], False), (cycles, True)):
        found = found_of(*rows)
        monkeypatch.setattr("eval.cli.studying.run_study", lambda *_, found=found: found)
        printed = run(f"report quick --out {tmp_path / 'page.html'}").stdout
        assert ("Pareto fronts at 32 bits" in printed) == (not whole)
        assert ("What was found" in printed) == ("All tables" in printed) == (not whole)
        assert ("Cycles of one exponentiation" in printed) == whole


def test_the_second_run_computes_nothing_and_writes_the_same(
    measured: Measured, build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEXPLORER_VERILATOR", "")
    commit = re.search(r"the page</td><td[^>]*>([^<]*)</td>", measured.page)[1]
    monkeypatch.setattr("eval.report.making.commit", lambda: commit)  # who works may change it
    before = _rows()
    found = run_json(f"report quick --out {build / 'again.html'}")
    assert (build / "again.html").read_text() == measured.page
    assert found["page"] == str(build / "again.html")
    assert _rows() == before
    assert len(before) == 3


def test_a_need_is_answered_from_the_rows_that_are_there(build: Path) -> None:
    """That the flow has made: the figures are those of its row, and nothing is made anew."""
    before = _rows()
    line = "find --nbits 8 --operation sign --least area --clock 3 --designs mul-rem --jobs 1"
    found = run_json(line)
    assert _rows() == before
    assert found["met"]
    assert found["steps"]["new"] == 0
    [best] = found["rows"]
    [flow] = [result["metrics"] for key, result in before.items() if key.kind == "flow"]
    assert (best["area"], best["period"]) == (flow["area_um2"], flow["period_ns"])
    assert best["time"] == best["cycles"] * 3 / 1000
    assert best["commands"][0] == "modexplorer flow mul-rem --nbits 8 --clock 3"
    far = run(f"{line} --at-most time=1ns")
    assert far.exit_code == 1
    assert "nearest | mul-rem" in far.stdout
    assert "no design meets the need: 8-bit sign, least area, time at most 1.00 ns" in far.stderr


@pytest.fixture
def searched(build: Path, tmp_path: Path) -> Path:
    """A study as `find` writes it: what was measured, and an estimate of another design."""
    file = tmp_path / "found.toml"
    file.write_text(
        'designs = ["mul-rem"]\nnbits = 8\nworkloads = ["d"]\n'
        'looked = [["ssmm-best", 3000.0, 0.1]]\n'
    )
    return file


def test_the_page_of_a_search_has_a_key_for_estimates(searched: Path) -> None:
    page = searched.with_suffix(".html")
    assert run(f"report {searched} --out {page}").exit_code == 0
    key = re.search(r'value="estimate" checked><svg[^>]*><path d="(M[^"]+Z)"', page.read_text())
    assert key, "no glyph of estimates"


@pytest.mark.parametrize("before", ["an older page", None])
def test_a_page_that_cannot_be_made_leaves_the_file_as_it_was(
    searched: Path, before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither an error in the making nor a disk that fills up in the middle empties it."""
    page = searched.parent / "out" / "page.html"
    page.parent.mkdir()
    if before:
        page.write_text(before)
    monkeypatch.delitem(families.GLYPHS, "stroke")
    broken = run(f"report {searched} --out {page}")
    assert "stroke" in str(broken.exception)
    assert f"{page} is as it was" in broken.exception.__notes__
    monkeypatch.undo()
    monkeypatch.setenv("MODEXPLORER_BUILD", str(page.parent))

    def full(new: Path, text: str) -> int:
        new.open("w").write(text[: len(text) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        with pytest.raises(RunError, match="No space left on device.*; it is "):
            write_whole(page, "a page\n" * 100)
    assert [one.read_text() for one in page.parent.iterdir()] == ([before] if before else [])
    write_whole(page, "a page")
    assert page.read_text() == "a page"


def _rows() -> dict:
    with Store() as store:
        return dict(store.rows())


class Links(HTMLParser):
    """Collects what a page would load or lead to, and checks that its tags are closed."""

    VOID = ("meta", "br", "link", "img", "input", "hr")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        names = ("href", "src", "xlink:href", "srcset", "data", "action")
        self.links += [value or "" for name, value in attrs if name in names]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_needs_nothing_else(measured: Measured) -> None:
    parser = Links()
    parser.feed(measured.page)
    assert parser.open == []
    assert "svg" in measured.page
    assert all(link.startswith("#") for link in parser.links)
    shown = re.sub(r"<script.*?</script>", "", measured.page, flags=re.DOTALL)
    assert not re.search(r"https?:|@import|url\((?!#)|<link", shown)
    assert "src=" not in "".join(re.findall(r"<script[^>]*>", measured.page))
    assert str(measured.build) not in measured.page


def test_the_numbers_of_the_page_are_those_of_the_store(measured: Measured, build: Path) -> None:
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", measured.page)
    metrics: dict[str, float] = {}
    for result in _rows().values():
        metrics |= result["metrics"]
    assert len(metrics) == 9
    for name, value in metrics.items():
        assert METRICS[name].format(value) in cells
    for workload in "ed":
        time = metrics[f"xcel_cycles_{workload}"] * 3.0 / 1000
        assert METRICS[f"time_{workload}_us"].format(time) in cells


def test_the_commands_of_the_page_reproduce_its_numbers(measured: Measured, build: Path) -> None:
    commands = [
        html.unescape(c) for c in re.findall(r"<code>(modexplorer .*?)</code>", measured.page)
    ]
    metrics = run_json("explore quick")["points"][0]["metrics"]
    reproduced = set()
    others = {item.command for number in numbers() for item in items_of(number)}  # the documents'
    for command in dict.fromkeys(commands):
        line = command.removeprefix("modexplorer ")
        if line in others:
            continue
        if line.startswith("simulate"):
            cycles = run_json(line)["cycles"]
            workload = re.search(r"--workload (\w)", line)[1]
            prefix = "xcel_cycles" if "--xcel" in line else "cycles"
            assert cycles == metrics[f"{prefix}_{workload}"]
            reproduced.add(f"{prefix}_{workload}")
        elif line.startswith("flow"):
            found = run_json(line)
            assert found["reused"]
            assert found["metrics"].items() <= metrics.items()
            reproduced |= found["metrics"].keys()
    assert reproduced | {"time_e_us", "time_d_us"} == metrics.keys()


def test_the_flow_shows_area_by_module_and_the_slowest_path(build: Path) -> None:
    line = "flow mul-rem --nbits 8 --clock 3"
    found = run_json(line)
    areas = [module["area_um2"] for module in found["modules"]]
    assert sum(areas) == pytest.approx(found["hierarchical"]["area_um2"], abs=0.1)
    assert found["metrics"]["area_um2"] == min(
        found[mapping]["area_um2"] for mapping in ("hierarchical", "flat")
    )
    assert found["metrics"]["multiplier_area_um2"] < found["metrics"]["area_um2"] / 2
    assert found["metrics"]["period_ns"] + found["metrics"]["setup_slack_ns"] == (
        pytest.approx(3.0)
    )
    text = run(line).stdout
    assert "from the store" in text
    assert "MulRemRTL nbits_8" in text
    assert max(map(len, text.splitlines())) <= 100


POINT = Point("mul-rem", 32)
ACCELERATOR = FlowRun(POINT, "accelerator", 3.0)
MODULES = (
    module("mul_rem_32", 1, 1000.0, 200.0, {"ModExpRTL__nbits_32": 1}),
    module("ModExpRTL__nbits_32", 1, 2000.0, 500.0, {"MulRemRTL__nbits_32": 2}),
    module("MulRemRTL__nbits_32", 2, 4000.0, 0.0, {"DivRemRTL__early_zeros": 1}),
    module("DivRemRTL__early_zeros", 2, 2000.0, 600.0, {"DivRemStep__nbits_32": 1}),
    module("DivRemStep__nbits_32", 2, 1000.0, 0.0, {}),
)


def made_up(modules: Sequence[dict] = MODULES) -> StudyResult:
    """A study of the benchmark's point with round numbers, no tool needed."""
    metrics = {"area_um2": 17000.0, "multiplier_area_um2": 7000.0, "cells": 10}
    metrics |= {"setup_slack_ns": -0.5, "period_ns": 3.5}
    stretch = ("MulRemRTL__nbits_32", 1.5)
    run = flow_row(
        ACCELERATOR,
        metrics,
        modules=list(modules),
        recipe="some<recipe>",
        critical_path=path(stretch, stretch),
        tools={"yosys": "1"},
    )
    simulations = (
        simulated(POINT, workload, {f"cycles_{workload}": n - 5, f"xcel_cycles_{workload}": n})
        for workload, n in (("e", 531), ("d", 920))
    )
    return found_of(run, *simulations)


def accelerator(found: StudyResult) -> FlowResult:
    """The flow's result in it."""
    return found.results[ACCELERATOR]


@pytest.mark.quick
def test_published_figures_stand_beside_ours() -> None:
    found = {(c.figure, c.of): c for c in comparisons(made_up())}
    cycles = found["cycles_e", "system"]
    assert (cycles.document, cycles.ours, cycles.nbits) == (1062, 531, 32)
    assert found["cycles_d", "system"].ours == 920
    assert found["area_um2", "accelerator"].ours == 17000.0
    inside = found["area_um2", "MulRem in the accelerator"]
    assert (inside.document, inside.ours) == (7776.4, 7000.0)
    assert found["area_um2", "MulRem by itself"].ours is None
    lines = BESIDE.of(made_up()).lines
    assert [line.cells[5] for line in lines if line.cells[2] == "system"] == ["0.50", "0.50"]


@pytest.mark.quick
def test_the_parts_add_up_to_the_multiplier() -> None:
    grid = parts_grid(POINT, accelerator(made_up()))
    areas = {line.cells[0]: float(line.cells[1]) for line in grid.lines}
    assert areas["full-width multiplier"] == 4000.0
    assert areas["registers of the divider"] == 600.0
    assert areas["shifter that skips zeros, control"] == 1400.0
    assert areas["subtractor of a step"] == 1000.0
    assert sum(areas.values()) == 7000.0
    assert len(areas) == len(PARTS["mul-rem"])


@pytest.mark.quick
def test_area_that_no_part_names_is_shown_as_the_rest() -> None:
    *others, divider, step = MODULES
    unheard = (divider | {"submodules": {"Unheard": 1}}, step | {"module": "Unheard"})
    grid = parts_grid(POINT, accelerator(made_up([*others, *unheard])))
    areas = {line.cells[0]: line.cells[1] for line in grid.lines}
    assert areas["the rest"] == "1000.0"


@pytest.mark.quick
def test_figures_that_nothing_here_measures_are_left_out() -> None:
    point = Point("ssmm-004", 64)
    of_it = {figure.what for figure in published() if figure.design == point.design}
    assert of_it == {"alms", "ffs"}
    assert of_it & METRICS.keys() == set()
    assert compared(point) == []
    assert comparisons(found_of(flow_row(FlowRun(point, "accelerator", 3.0), {}))) == []
    assert [figure.value for figure in compared(Point("mont-001", 32))][:2] == [75283.6, 13846.7]


@pytest.mark.quick
def test_what_is_said_of_a_document_is_said_once() -> None:
    mont_001 = FlowRun(Point("mont-001", 32), "accelerator", 3.0)
    other = flow_row(mont_001, {"setup_slack_ns": 0.5})
    lines = reasons(found_of(*made_up().rows, other))
    assert len([line for line in lines if line.startswith("Timing of ")]) == 2
    assert len([line for line in lines if line.startswith("Tools: ")]) == 1


@pytest.mark.quick
def test_the_reasons_follow_from_the_measurement() -> None:
    text = "\n".join(reasons(made_up()))
    assert "ours is 7000.0 um2, 10.0 % smaller than the printed 7776.4" in text
    assert "full-width multiplier 57 %" in text
    assert "misses 3 ns by 0.500 ns" in text
    assert "goes through MulRemRTL." in text
    assert "0.50 of the printed 1062 (e) and 0.50 of the printed 1840 (d)" in text


@pytest.mark.quick
def test_a_grid_tells_signals_and_modules_from_pins() -> None:
    [line] = PATHS.of({ACCELERATOR: accelerator(made_up())}).lines
    assert line.cells == ("mul-rem-32 accelerator!", "a/b_reg[1]", "c", "MulRemRTL 3.00")
    assert line.commands == ("modexplorer flow mul-rem --nbits 32 --clock 3",)


def test_the_page_escapes_what_it_shows_and_depends_on_nothing_but_results() -> None:
    page = page_of(Report(made_up()))
    assert "some&lt;recipe&gt;" in page
    assert "some<recipe>" not in page
    assert page == page_of(Report(made_up()))
    assert designs_chart(made_up()).svg in page
    json.dumps(report_json(Report(made_up())))


@pytest.mark.quick
def test_a_design_without_a_multiplier_of_its_own_has_no_row_of_it() -> None:
    modules = accelerator(made_up()).modules
    assert multiplier_row(POINT, modules).module == "MulRemRTL__nbits_32"
    assert multiplier_row(POINT, modules[:2]) is None


@pytest.mark.quick
def test_what_was_not_measured_is_a_dash() -> None:
    study = Study("empty", "nothing", lambda plan: plan.designs(plan.points(["mul-rem"], 8)))
    report = Report(StudyResult(study, []))
    [grid] = report["designs"]
    assert grid.lines[0].cells == ("mul-rem", "8", *["-"] * 7)
    assert report["beside"] == report["reasons"] == ()
    assert "<svg" in page_of(report)
