"""The chart: what it draws, what it names, and that no label covers another."""

import re
from functools import cache
from itertools import combinations

import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from eval.catalog.point import Point
from eval.report.chart import figure, svg
from eval.report.overview import AREAS, overview_grid
from eval.report.pareto import Spot, compared_widths, front
from eval.study.results import StudyResult
from eval.study.studies import STUDIES
from eval.tasks.flow_run.task import FlowRun
from tests.eval.made_up import flow_row, found_of, simulated


@cache
def made_up(name: str, slack: float = 0.25, energy: bool = True) -> StudyResult:
    """A study's results without any tool: areas that crowd, cycles that follow the width."""
    study, rows = STUDIES[name], []
    points = dict.fromkeys(task.about for task in study.tasks if task.about and task.kind == "flow")
    for number, point in enumerate(points):
        area = (5000.0 + 120 * number) * (point.nbits / 32) ** 2
        metrics = {"area_um2": area, "setup_slack_ns": slack, "period_reached_ns": 2.75}
        if energy:
            metrics |= {f"energy_glitches_{w}_nj": area / by for w, by in (("e", 900), ("d", 400))}
        rows.append(flow_row(FlowRun(point, "accelerator", 3.0), metrics))
        for workload, cycles in (("e", 300), ("d", 700)):
            metrics = {f"xcel_cycles_{workload}": cycles * point.nbits + 900 * (number % 4)}
            rows.append(simulated(point, workload, metrics))
    return StudyResult(study, rows)


@cache
def drawn(name: str) -> Figure:
    """The chart of a study."""
    return figure(made_up(name))


@cache
def page(name: str) -> str:
    """The same as the report has it."""
    return svg(made_up(name))


def texts(axes: Axes) -> list[str]:
    """The labels of a panel."""
    return [text.get_text() for text in axes.texts]


def boxes(chart: Figure, axes: Axes) -> list[Bbox]:
    """Where the labels really stand."""
    renderer = chart.canvas.get_renderer()
    return [Text.get_window_extent(text, renderer) for text in axes.texts]  # without its arrow


def test_designs_of_one_width_are_named_and_widths_have_a_panel() -> None:
    found = made_up("default")
    above, times, energies, below = drawn("default").axes
    names = [p.marked() for p in found.points if p.point.nbits == 32]
    assert "near-power-4#" in names
    assert len(names) == len(set(names)) > 10
    for axes in (above, times, energies):
        assert sorted(texts(axes)) == sorted(names)
    long = {f"{design}, 1024 bits" for design in ("array-4", "array-8", "serial-pz-32")}
    assert {*texts(below)} == {"mul-rem, 32 bits"} | long
    assert above.get_xlabel() == "accelerator area, um2"
    assert above.get_ylabel() == "cycles of one exponentiation"
    assert times.get_ylabel() == energies.get_ylabel()
    assert (
        times.get_ylabel() == "time of one exponentiation (cycles x the clock period asked for), us"
    )
    assert energies.get_xlabel() == "energy of one exponentiation, with glitches, nJ"
    assert energies.get_title("left") == "Time and energy at one clock, 32 bits"
    keys = [text.get_text() for text in above.get_legend().get_texts()]
    assert keys == [
        "naive",
        "shift-sub",
        "Montgomery",
        "pseudo-modulus",
        "workload e",
        "workload d",
    ]


@pytest.mark.parametrize("study", ["default", "mont-split"])
def test_no_label_covers_another_or_leaves_the_panel(study: str) -> None:
    chart = drawn(study)
    FigureCanvasAgg(chart).draw()
    for axes in chart.axes:
        found = boxes(chart, axes)
        assert len(found) == len(axes.texts) > 0
        for one, other in combinations(found, 2):
            assert not one.overlaps(other)
        frame = axes.get_window_extent()
        for box in found:
            assert frame.x0 <= box.x0
            assert box.x1 <= frame.x1


@pytest.mark.quick
def test_a_study_with_names_of_its_own_shows_them_and_the_slack() -> None:
    axes, _ = figure(made_up("mont-split", energy=False)).axes
    assert "4 x 8, slack 0.25 ns" in texts(axes)
    assert len(axes.texts) == 4


def test_a_design_that_misses_the_clock_shows_its_slack() -> None:
    above, *_ = figure(made_up("default", slack=-1.5)).axes
    assert "mont-best!, slack -1.50 ns" in texts(above)


@pytest.mark.quick
def test_one_point_and_none_have_a_chart() -> None:
    (axes,) = drawn("quick").axes
    assert texts(axes) == ["mul-rem, 8 bits"]
    (empty,) = figure(StudyResult(STUDIES["quick"], [])).axes
    assert not empty.texts
    assert not empty.lines


def test_the_drawing_is_the_same_every_time() -> None:
    assert page("default") == svg(made_up("default"))


@pytest.mark.quick
def test_every_point_and_its_row_lead_to_its_card() -> None:
    found = made_up("default")
    rows = {line.card: line for line in AREAS.of(found).lines}
    points = set(re.findall(r'<a xlink:href="#([^"]*)"', page("default")))
    assert points == {point.card for point in found.points if point.metrics}
    assert points < set(rows)
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
    assert (area, noise, slack) == ("5240.0", "(1.0)", "0.250")
    assert time == f"{int(lines['mul-rem'].cells[5]) * 3.0 / 1000:.3f}"
    assert lines["mul-rem"].commands[0] == "modexplorer flow mul-rem --nbits 32 --clock 3"
    split = overview_grid(made_up("mont-split"), 32)
    assert [line.cells[0] for line in split.lines] == ["1 x 32", "2 x 16", "4 x 8", "8 x 4"]
    assert compared_widths(made_up("default")) == [32, 1024]
    assert compared_widths(found_of(simulated(Point("mul-rem", 8), "e", {}))) == []
