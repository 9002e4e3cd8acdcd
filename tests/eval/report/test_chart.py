"""The chart of designs: what it draws, what it names, and where its points lead."""

import re
import subprocess
import sys
from functools import cache

import pytest

from eval.catalog.point import Point
from eval.chart.panel import GREY, Panel
from eval.report.chart import designs_chart, panels
from eval.report.overview import AREAS, overview_grid
from eval.report.pareto import TIME_VIEW, Spot, compared_widths, front, pareto
from eval.study.results import StudyResult
from eval.study.studies import STUDIES
from eval.tasks.flow_run.task import FlowRun
from tests.eval.chart.drawn import check_names
from tests.eval.made_up import flow_row, found_of, simulated
from tests.places import ROOT


@cache
def made_up(name: str, slack: float = 0.25, energy: bool = True) -> StudyResult:
    """A study's results without any tool: areas that crowd, cycles that follow the width."""
    study, rows = STUDIES[name], []
    points = dict.fromkeys(task.about for task in study.tasks if task.about and task.kind == "flow")
    for number, point in enumerate(points):
        area = (5000.0 + 120 * number) * (point.nbits / 32) ** 2
        metrics = {"area_um2": area, "setup_slack_ns": slack, "period_ns": 2.75}
        if energy:
            metrics |= {f"energy_glitches_{w}_nj": area / by for w, by in (("e", 900), ("d", 400))}
        rows.append(flow_row(FlowRun(point, "accelerator", 3.0), metrics))
        for workload, cycles in (("e", 300), ("d", 700)):
            metrics = {f"xcel_cycles_{workload}": cycles * point.nbits + 900 * (number % 4)}
            rows.append(simulated(point, workload, metrics))
    return StudyResult(study, rows)


@cache
def drawn(name: str) -> list[Panel]:
    """The panels of a study's chart."""
    return panels(made_up(name))


def names(panel: Panel) -> list[str]:
    """The names in a panel."""
    return [point.name for point in panel.points if point.name]


def test_designs_of_one_width_are_named_and_widths_have_a_panel() -> None:
    found = made_up("default")
    above, times, energies, below = drawn("default")
    marked = [p.marked() for p in found.points if p.point.nbits == 32]
    assert "near-power-4#" in marked
    assert len(marked) == len(set(marked)) > 10
    for panel in (above, times, energies):
        assert sorted(names(panel)) == sorted(marked)
    long = {f"{design}, 1024 bits" for design in ("array-4", "array-8")}
    assert {*names(below)} == {"mul-rem, 32 bits"} | long
    assert above.x.title == "accelerator area, um2"
    assert above.y.title == "cycles of one exponentiation"
    assert times.y.title == energies.y.title
    assert times.y.title == "time of one exponentiation (cycles x the clock period asked for), us"
    assert energies.x.title == "energy of one exponentiation, with glitches, nJ"
    assert energies.title == "Time and energy at one clock, 32 bits"
    assert list(above.keys) == [
        "naive",
        "shift-sub",
        "Montgomery",
        "pseudo-modulus",
        "workload e",
        "workload d",
    ]


def test_a_panel_has_the_points_of_the_rows_their_lines_and_the_front() -> None:
    found = made_up("default")
    above, times, *_ = drawn("default")
    at_32 = [p for p in found.points if p.point.nbits == 32]
    for p in at_32:
        own = [point for point in above.points if point.card == p.card]
        area, cycles = p.get("area_um2"), [p.get(f"xcel_cycles_{w}") for w in "ed"]
        assert [(point.x, point.y) for point in own] == [(area, count) for count in cycles]
        assert [point.marker.filled for point in own] == [False, True]
        assert {point.marker.colour == GREY for point in own} == {p.point.entry.moduli.some}
        [line] = [line for line in above.lines if (area, cycles[0]) in line.spots]
        assert (line.colour, bool(line.dash)) == (GREY, p.point.entry.moduli.some)
    shapes = {point.marker.shape for point in above.points}
    assert shapes == {"circle", "square", "triangle-up", "cross"}
    spots = {p: TIME_VIEW.spots(found, p, "d") for p in at_32}
    assert times.lines[-1].spots == pareto(spots).corners


@pytest.mark.parametrize("study", ["default", "mont-split"])
def test_no_name_covers_another_or_leaves_the_panel(study: str) -> None:
    for panel in drawn(study):
        check_names(panel)


@pytest.mark.quick
def test_a_study_with_names_of_its_own_shows_them_and_the_slack() -> None:
    panel, _ = panels(made_up("mont-split", energy=False))
    assert "4 x 8, slack 0.25 ns" in names(panel)
    assert len(names(panel)) == 4


def test_a_design_that_misses_the_clock_shows_its_slack() -> None:
    above, *_ = panels(made_up("default", slack=-1.5))
    assert "mont-best!, slack -1.50 ns" in names(above)


@pytest.mark.quick
def test_one_point_and_none_have_a_chart() -> None:
    [panel] = drawn("quick")
    assert names(panel) == ["mul-rem, 8 bits"]
    [empty] = panels(StudyResult(STUDIES["quick"], []))
    assert not empty.points
    assert designs_chart(StudyResult(STUDIES["quick"], [])).svg.startswith("<svg")


def test_every_point_and_its_row_lead_to_its_card() -> None:
    found = made_up("default")
    rows = {line.card: line for line in AREAS.of(found).lines}
    chart = designs_chart(found)
    points = set(re.findall(r'<a xlink:href="#([^"]*)"', chart.svg))
    assert points == {point.card for point in found.points if point.metrics}
    assert points < set(rows)
    assert chart.svg.count('role="img"') == len(chart.panels) > 1  # each whole in print
    assert chart.svg == designs_chart(found).svg
    row = rows["ssmm-best-32-bits"]
    assert row.commands[0] == "modexplorer flow ssmm-best --nbits 32 --clock 3"
    assert row.logs == "build/flow/ssmm_best_32-3ns/logs"


@pytest.mark.quick
def test_the_front_holds_what_nothing_beats() -> None:
    spots = [Spot(*at) for at in ((3, 3), (1, 9), (2, 9), (4, 1), (5, 2), (3, 4))]
    assert front(spots) == [(1, 9), (3, 3), (4, 1)]


@pytest.mark.quick
def test_the_overview_has_a_line_a_design() -> None:
    grid = overview_grid(made_up("default"), 32)
    assert grid.title == "Designs at 32 bits"
    lines = {line.cells[0]: line for line in grid.lines}
    assert lines["mont-ct"].cells[1:4] == ("Montgomery", "-", "odd")
    assert lines["mul-rem"].cells[1:4] == ("naive", "all", "any")
    area, noise, slack, time = lines["mul-rem"].cells[6:10]
    assert (area, noise, slack) == ("5240.0", "(2.0)", "0.250")
    assert time == f"{int(lines['mul-rem'].cells[5]) * 3.0 / 1000:.3f}"
    assert lines["mul-rem"].commands[0] == "modexplorer flow mul-rem --nbits 32 --clock 3"
    split = overview_grid(made_up("mont-split"), 32)
    assert [line.cells[0] for line in split.lines] == ["1 x 32", "2 x 16", "4 x 8", "8 x 4"]
    assert compared_widths(made_up("default")) == [32]  # at 1024 bits each has its own clock
    assert compared_widths(found_of(simulated(Point("mul-rem", 8), "e", {}))) == []


def test_a_run_in_a_terminal_draws_no_chart() -> None:
    """What it prints comes without the code of charts."""
    code = """
import sys
from eval.report.page import report_json
from eval.report.report import Report
from eval.tasks.section import Section
from tests.eval.made_up import flow_row, found_of, simulated
from eval.catalog.point import Point
from eval.tasks.flow_run.task import FlowRun
point = Point("mul-rem", 8)
metrics = {"area_um2": 100.0, "setup_slack_ns": 1.0, "period_ns": 2.0}
flow = flow_row(FlowRun(point, "accelerator", 3.0), metrics)
report = Report(found_of(simulated(point, "d", {"xcel_cycles_d": 9}), flow))
report_json(report)
for place in vars(Section()):
    if place not in ("chart", "charts", "alone"):
        report[place]
print([m for m in sys.modules if m.startswith(("eval.chart.drawing", "vl_convert", "matplotlib"))])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
