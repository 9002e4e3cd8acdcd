"""Rankings in two technologies, of made-up curves, by hand."""

from dataclasses import replace

import pytest

from eval.catalog.point import Point
from eval.report.technologies import (
    DESIGNS,
    FRONTS,
    PAIRS,
    SECTION,
    correlation,
    in_technologies,
    ranks,
)
from eval.study.results import StudyResult
from eval.tasks.clocks import Curve
from eval.tasks.clocks_section import CLOCKS
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.task import Row
from eval.tasks.unit import ACCELERATOR
from flow.technologies.technology import technology
from tests.eval.made_up import flow_row, found_of, row, simulated

pytestmark = pytest.mark.quick
DESIGNS_OF = {"ssmm-small": 400, "mont-best": 110, "mul-rem": 300}  # with their cycles
# By technology the small and the fast netlist of each: area and period.
CURVES = {
    "nangate45": {
        "ssmm-small": ((1000.0, 1.0), (1500.0, 0.5)),
        "mont-best": ((3000.0, 1.0), (4000.0, 0.8)),
        "mul-rem": ((2000.0, 4.0), (2500.0, 3.0)),
    },
    "sky130": {
        "ssmm-small": ((9000.0, 8.0), (12000.0, 4.0)),
        "mont-best": ((24000.0, 7.0), (30000.0, 6.4)),
        "mul-rem": ((25000.0, 30.0), (26000.0, 24.0)),
    },
}


def curve(design: str, tech: str) -> Row:
    """A row of a curve of two netlists."""
    runs = [
        {"area_um2": area, "setup_slack_ns": 0.0, "period_reached_ns": period, "clock_ns": period}
        for area, period in CURVES[tech][design]
    ]
    task = Curve(Point(design, 32), technology(tech).clock_ns, tech=tech)
    return row(task, metrics={"shortest_period_ns": runs[1]["period_reached_ns"]}, runs=runs)


def found(*techs: str) -> StudyResult:
    """A study of the curves in technologies."""
    cycles = [
        simulated(Point(design, 32), "d", {"xcel_cycles_d": count})
        for design, count in DESIGNS_OF.items()
    ]
    return found_of(*cycles, *(curve(design, tech) for tech in techs for design in DESIGNS_OF))


def test_ranks_and_their_correlation() -> None:
    assert ranks([3.0, 1.0, 3.0, 7.0]) == [2.5, 1.0, 2.5, 4.0]
    assert correlation([1, 2, 3, 4], [10, 30, 20, 40]) == pytest.approx(1 - 6 * 2 / (4 * 15))
    assert correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert correlation([1, 1, 1], [1, 2, 3]) is None


def test_one_technology_is_compared_with_nothing() -> None:
    assert not SECTION.results(found("nangate45"))
    assert not in_technologies(found("sky130"))
    assert len(SECTION.results(found("nangate45", "sky130"))) == 3


def test_a_design_that_one_technology_lacks_is_left_out() -> None:
    whole = found("nangate45", "sky130")
    some = found_of(*(r for r in whole.rows if r.task != curve("mul-rem", "sky130").task))
    assert [str(p) for p in in_technologies(some)["nangate45"]] == ["ssmm-small-32", "mont-best-32"]


def test_fronts_stand_side_by_side() -> None:
    """By area and cycles x period: mul-rem is larger and slower than ssmm-small."""
    grid = FRONTS.of(in_technologies(found("nangate45", "sky130")))
    front = "ssmm-small-32, mont-best-32"
    assert [line.cells for line in grid.lines] == [("nangate45", front), ("sky130", front)]


def test_places_and_scales() -> None:
    """In SKY130 mul-rem is larger than mont-best, which it is not in NanGate 45."""
    grid = PAIRS.of(in_technologies(found("nangate45", "sky130")))
    area, period, product = (line.cells for line in grid.lines)
    assert area[:3] == ("nangate45 - sky130", "area", "0.500")
    scales = [9.0, 8.0, 12.5]
    assert area[3:6] == (f"{(9 * 8 * 12.5) ** (1 / 3):.2f}", "8.00", "12.50")
    assert min(scales) == 8
    assert area[6] == f"{(130 / 45) ** 2:.2f}"
    assert area[7] == "mont-best-32 and mul-rem-32"
    assert period[2:7] == ("1.000", "8.00", "8.00", "8.00", f"{130 / 45:.2f}")
    assert period[7] == "none"
    # 400 x 1500 x 0.5 and 110 x 3000 x 1; then 400 x 12000 x 4 and 110 x 24000 x 7.
    assert (product[2], product[7]) == ("0.500", "ssmm-small-32 and mont-best-32")


def test_areas_are_counted_in_gates_and_periods_in_inverters() -> None:
    grid = DESIGNS.of(in_technologies(found("nangate45", "sky130")))
    first, second = grid.lines[0].cells, grid.lines[1].cells
    assert first[0] == "ssmm-small-32 *"
    assert first[3] == f"{1000 / 0.798:.0f}" or first[3] == f"{1000 / 0.798:,.0f}"
    assert second[3].replace(",", "") == f"{9000 / 3.7536:.0f}"
    assert float(first[5]) == pytest.approx(0.5 / 0.02198, abs=0.06)
    assert float(second[5]) == pytest.approx(4.0 / (6.26 * 0.02198), abs=0.06)
    assert first[7] == "0.20"  # 400 cycles of 0.5 ns


def test_a_study_shows_the_points_of_its_technology_only() -> None:
    """What was mapped to another one is in tables that name it."""
    point = Point("mont-best", 32)
    metrics = {"area_um2": 1.0, "setup_slack_ns": 1.0, "period_reached_ns": 2.0}
    cycles = simulated(point, "d", {"xcel_cycles_d": 7})
    ours = flow_row(FlowRun(point, ACCELERATOR, 3.0), metrics)
    theirs = flow_row(FlowRun(point, ACCELERATOR, 3.0, tech="sky130"), metrics | {"area_um2": 9.0})
    study = found_of(cycles, ours, theirs)
    [shown] = study.points
    assert (shown.get("area_um2"), shown.get("xcel_cycles_d")) == (1.0, 7)
    [other] = replace(study, study=replace(study.study, tech="sky130")).points
    assert (other.get("area_um2"), other.get("xcel_cycles_d")) == (9.0, 7)
    assert str(theirs.task) == "mont-best-32 accelerator flow, sky130"
    assert theirs.task.command == "modexplorer flow mont-best --nbits 32 --clock 3 --tech sky130"
    corner = FlowRun(point, ACCELERATOR, 3.0, tech="sky130@ff")
    assert corner.command.endswith("--tech sky130 --corner ff")
    assert len({task.folder for task in (ours.task, theirs.task, corner)}) == 3
    assert len({task.asked for task in (ours.task, theirs.task, corner)}) == 3


def test_tables_of_curves_name_an_unusual_technology() -> None:
    rows = {
        one.task: one.result for one in (curve("mul-rem", "nangate45"), curve("mul-rem", "sky130"))
    }
    names = [line.cells[0] for line in CLOCKS.of(rows).lines]
    assert names == ["mul-rem", "mul-rem", "mul-rem sky130", "mul-rem sky130"]
