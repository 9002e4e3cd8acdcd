"""Growth with the width: the fit, the table, the chart, and the documents' statements beside it."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.catalog import find
from eval.catalog.point import Point
from eval.documents.published import ByWord, statements
from eval.report.growth import growth
from eval.report.page import report_json
from eval.report.report import Report
from eval.report.scaling import LAWS, SAID
from eval.report.scaling_chart import scaling_chart
from eval.study.results import StudyResult
from eval.table.terminal import print_grids
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.metrics import METRICS
from eval.tasks.simulation import Simulation
from tests.eval.made_up import flow_row, found_of, simulated

WIDTHS = (32, 64, 128, 256, 512, 1024, 2048)


def rows(design, widths, area=float, cycles=float, period=lambda n: 2.0, energy=None):
    """Flow runs and simulations of a design whose figures are such functions of the width."""
    for nbits in widths:
        point = Point(design, nbits)
        yield simulated(point, "d", {"xcel_cycles_d": cycles(nbits)})
        reached = period(nbits)
        metrics = {"area_um2": area(nbits), "period_ns": reached}
        metrics["setup_slack_ns"] = 3 - reached
        if energy:
            metrics["energy_glitches_d_nj"] = energy(nbits)
        yield flow_row(FlowRun(point, "accelerator", 3.0), metrics)


@pytest.mark.quick
@given(
    exponent=st.floats(-2, 4),
    factor=st.floats(1e-3, 1e6),
    widths=st.sets(st.sampled_from(WIDTHS), min_size=3),
)
def test_a_power_of_n_is_found_exactly(exponent, factor, widths):
    law = growth({n: factor * n**exponent for n in widths})
    assert law.exponent == pytest.approx(exponent, abs=1e-6)
    assert law.factor == pytest.approx(factor, rel=1e-5)
    assert law.deviation < 1e-6
    assert law.widths == tuple(sorted(widths))


@pytest.mark.quick
@given(
    values=st.dictionaries(st.sampled_from(WIDTHS), st.floats(0.1, 1e6), min_size=3),
    scale=st.floats(1e-3, 1e3),
)
def test_no_value_is_further_off_than_the_deviation(values, scale):
    law = growth(values)
    misses = [abs(value / law.at(n) - 1) for n, value in values.items()]
    assert max(misses) == pytest.approx(law.deviation)
    other = growth({n: scale * value for n, value in values.items()})
    assert other.exponent == pytest.approx(law.exponent, abs=1e-6)
    assert other.deviation == pytest.approx(law.deviation, abs=1e-6)


@pytest.mark.quick
def test_what_is_no_power_deviates():
    # The slope of n^2 log n in logarithms is 2 + 1 / log n.
    law = growth({n: n * n * log(n) for n in WIDTHS})
    assert 2 + 1 / log(2048) < law.exponent < 2 + 1 / log(32)
    assert 0.01 < law.deviation < 0.1


@pytest.mark.quick
def test_of_three_values_the_middle_one_decides_the_deviation():
    # The line through the outer ones, moved by a third of log 8: 8^(1/3) = 2, 8^(2/3) = 4.
    law = growth({32: 1.0, 64: 8.0, 128: 1.0})
    assert law.exponent == pytest.approx(0, abs=1e-9)
    assert law.factor == pytest.approx(2)
    assert law.deviation == pytest.approx(8 / 2 - 1)


@pytest.mark.quick
@pytest.mark.parametrize("third", [None, 0.0, -1.0])
def test_two_values_are_too_few(third):
    assert growth({32: 1.0, 64: 2.0, 128: third}) is None
    assert growth({32: 1.0, 64: 2.0, 128: third, 256: 8.0}).widths == (32, 64, 256)


def cells_of(*all_rows):
    return [line.cells for line in LAWS.of(found_of(*all_rows)).lines]


@pytest.mark.quick
def test_each_design_has_its_exponents():
    square_log = growth({n: n * n * log(n) for n in WIDTHS})
    [row, naive] = cells_of(
        *rows("array-4", WIDTHS, lambda n: 9 * n, lambda n: n * n / 4, energy=lambda n: n**3),
        *rows("ssmm-small", WIDTHS, lambda n: n * n, lambda n: n * n * log(n), lambda n: n**0.1),
    )
    assert row == (
        *("array-4", "32-2048 (7)", "1.00 0%", "0.00 0%", "-", "2.00 0%", "-", "3.00 0%"),
    )
    shown = f"{square_log.exponent:.2f} {square_log.deviation:.0%}"
    assert naive == ("ssmm-small", "32-2048 (7)", "2.00 0%", "0.10 0%", "-", shown, "-", "-")


@pytest.mark.quick
def test_the_tables_fit_a_terminal(capsys):
    steep = rows("array-8-window-4", WIDTHS, lambda n: n**4 % 997 + 1, period=lambda n: n / 8)
    others = (r for name in ("mul-rem", "mmm-004") for r in rows(name, WIDTHS, energy=float))
    found = found_of(*steep, *others)
    print_grids([LAWS.of(found), SAID.of(found)])
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 100
    assert "array-8-window-4!" in printed


@pytest.mark.quick
def test_quantities_of_other_widths_stand_in_lines_of_their_own():
    few = list(rows("array-4", (32, 64, 128), energy=lambda n: n**3))
    more = list(rows("array-4", (256, 1024, 4096)))
    [short, energy] = cells_of(*more, *few)  # 4096 bits are beyond
    assert short[:3] == ("array-4", "32-1024 (5)", "1.00 0%")
    assert energy == ("array-4", "32-128 (3)", *"-----", "3.00 0%")


@pytest.mark.quick
def test_a_line_is_marked_for_the_widths_that_it_is_fitted_to():
    few = list(rows("array-4", (32, 64, 128), energy=lambda n: n**3))
    late = list(rows("array-4", (256,), period=lambda n: 4.0))
    [area, energy] = cells_of(*few, *late)
    assert (area[0], energy[0]) == ("array-4!", "array-4")


@pytest.mark.quick
def test_rows_that_failed_or_are_missing_are_left_out():
    found = [row for row in rows("array-4", WIDTHS) if row.task.point.nbits != 64]
    study = found_of(*rows("array-4", WIDTHS)).study
    [line] = LAWS.of(StudyResult(study, found)).lines
    assert line.cells[1:3] == ("32-2048 (6)", "1.00 0%")
    cycles = [row for row in found if isinstance(row.task, Simulation)]
    [line] = LAWS.of(StudyResult(study, cycles)).lines
    assert line.cells[2:6] == ("-", "-", "-", "1.00 0%")
    assert LAWS.of(StudyResult(study, cycles[:2])) is None
    assert LAWS.of(StudyResult(study, [])) is None
    assert list(scaling_chart(StudyResult(study, cycles[:2]))) == []


def test_a_design_that_misses_its_clock_somewhere_is_marked():
    late = found_of(*rows("mul-rem", (32, 64, 128), period=lambda n: n / 40))
    [line] = LAWS.of(late).lines
    assert line.cells[0] == "mul-rem!"
    assert "! timing not met" in LAWS.of(late).note
    assert {row.cells[4] for row in SAID.of(late).lines} == {"mul-rem!"}
    # Areas, periods, cycles: of 32 bits, 64 and 128; those of 0.8 and 1.6 ns meet it.
    assert filled(late) == [True, True, False] * 3
    assert filled(found_of(*rows("mul-rem", (32, 64, 128)))) == [True] * 9


def filled(found):
    """Whether the markers of the chart are filled."""
    [chart] = scaling_chart(found)
    return [point.marker.filled for panel in chart.panels for point in panel.points]


def test_the_chart_is_the_same_again_and_has_a_panel_for_what_there_is():
    found = found_of(*rows("array-4", WIDTHS[:3]), *rows("array-8", WIDTHS[:3], energy=float))
    [chart], [again] = scaling_chart(found), scaling_chart(found)
    assert chart == again
    area, period, cycles, energy = chart.panels
    assert (area.y.title, energy.y.title) == ("area, um2", "energy d with glitches, nJ")
    assert [(p.x, p.y) for p in area.points] == 2 * [(n, n) for n in WIDTHS[:3]]
    assert [p.name for p in area.points] == ["", "", "array-4", "", "", "array-8"]
    assert {(panel.x.kind, panel.y.kind) for panel in chart.panels} == {("log", "log")}
    dotted = [[line.spots for line in panel.lines if line.dash] for panel in chart.panels]
    assert dotted[0] == [[(n, pytest.approx(n)) for n in WIDTHS[:3]]]
    assert dotted[1] == []
    assert dotted[3] == [[(n, pytest.approx(n**3 / 128**2)) for n in WIDTHS[:3]]]
    assert len(cycles.lines) == len(energy.lines) + 1 == 3
    assert 'href="#array-4-128-bits"' in chart.svg


def test_the_report_has_them():
    report = Report(found_of(*rows("mul-rem", WIDTHS[:3])))
    titles = [item.title for place in ("chart", "results") for item in report[place]]
    told = {"Growth with the width n, as powers of n", "What the documents say of growth"}
    assert {"Growth with the width", *told} <= set(titles)
    laws = {law["metric"]: law for law in report_json(report)["growth"]}
    assert set(laws) == {"area_um2", "period_ns", "xcel_cycles_d"}
    assert laws["area_um2"]["exponent"] == pytest.approx(1)
    assert laws["area_um2"]["widths"] == (32, 64, 128)


@pytest.mark.quick
def test_statements_hold_or_not():
    found = found_of(
        *rows("mul-rem", (32, 64, 128), lambda n: n**1.7, lambda n: 3 * n**2),
        *rows("mont-001", (32, 64), lambda n: n**2),
        *rows("ssmm-004", WIDTHS, lambda n: n**1.1, lambda n: n**2.16, lambda n: 2 * n**0.01),
    )
    grid = SAID.of(found)
    assert [line.cells for line in grid.lines] == [
        (
            "001, section 5.1",
            "cycles, naive",
            "2.00",
            "-",
            "mul-rem",
            "32-128",
            "2.00",
            "yes",
        ),
        (
            "001, section 5.2",
            "area, naive",
            "1.00",
            "-",
            "mul-rem",
            "32-128",
            "1.70",
            "no",
        ),
        ("004, table 1", "cycles, Algo 6", "2.00", "2.00", "ssmm-004", "64-1024", "2.16", "no"),
        ("004, table 1", "ALMs, Algo 6", "-", "0.98", "ssmm-004", "64-2048", "1.10", "yes"),
        ("004, table 1", "period, Algo 6", "-", "0.55", "ssmm-004", "64-1024", "0.01", "no"),
    ]
    assert SAID.of(found_of()) is None


@pytest.mark.quick
def test_ours_is_held_against_figures_at_their_widths():
    def cycles(n):
        return (2 * n + 2) * (3 * n / 16 + 5)

    def of(*widths):
        [line, *_] = SAID.of(found_of(*rows("systolic-16", widths, cycles=cycles))).lines
        return line.cells[-3:]

    assert of(32, 64, 512, 1024, 2048) == ("512-2048", "1.97", "yes")
    assert of(32, 64, 512, 1024) == ("32-1024", "1.83", "no")


@pytest.mark.quick
def test_document_003_is_held_against_words_of_one_width():
    simulations = [
        simulated(Point(f"serial-pz-{bits}", 1024), "e", {"cycles_e": 2e7 / bits})
        for bits in (32, 64, 128, 256)
    ]
    [line] = SAID.of(found_of(*simulations)).lines
    assert line.cells == (
        *("003, figure 17.4", "cycles, over S", "-", "-0.91"),
        *("serial-pz-S", "32-256", "-1.00", "yes"),
    )


@pytest.mark.quick
def test_every_statement_is_of_a_design_and_a_metric_and_says_something():
    for statement in statements():
        word = max(statement.figures) if isinstance(statement, ByWord) else 0
        assert find(statement.design.format(word))
        assert statement.metric in METRICS
        assert statement.exponent is not None or growth(statement.figures)
