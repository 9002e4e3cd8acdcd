"""Rankings in two technologies, of made-up curves, by hand."""

import re
from dataclasses import dataclass, replace
from itertools import permutations
from math import exp, log
from typing import Any

import pytest
import vl_convert

from eval.catalog.point import Point
from eval.chart.drawing import VEGA_LITE
from eval.report.cards import cards
from eval.report.headline import headline
from eval.report.in_technologies import (
    AREA,
    AREA_TIME,
    ENERGY,
    PERIOD,
    ByTechnology,
    Compared,
    InTechnology,
    by_width,
)
from eval.report.page import report_json
from eval.report.picture import panel, space_of
from eval.report.rank_order import exchanged, kendall, ranks, spearman
from eval.report.report import Report
from eval.report.technologies import (
    CELLS,
    DESIGNS,
    FRONTS,
    ORDERS,
    PLACES,
    PRINTED,
    SCALES,
    SECTION,
    TABLES,
)
from eval.study.netlists import Netlist
from eval.study.results import StudyResult
from eval.tasks.clocks import Curve, Run
from eval.tasks.clocks_section import CLOCKS
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.task import Row
from eval.tasks.unit import ACCELERATOR
from flow.technologies.technology import technology
from tests.eval.made_up import flow_row, found_of, module, path, row, simulated

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


# Periods in the typical corner, where they are known.
TYPICAL: dict[tuple[str, str], float] = {}


def curve(design: str, tech: str) -> Row:
    """A row of a curve of two netlists."""
    runs = [
        {"area_um2": area, "setup_slack_ns": 0.0, "period_ns": period, "clock_ns": period}
        | {"period_typical_ns": TYPICAL.get((tech, design))}
        for area, period in CURVES[tech][design]
    ]
    task = Curve(Point(design, 32), technology(tech).clock_ns, tech=tech)
    return row(task, metrics={"shortest_period_ns": runs[1]["period_ns"]}, runs=runs)


def found(*techs: str) -> StudyResult:
    """A study of the curves in technologies."""
    cycles = [
        simulated(Point(design, 32), "d", {"xcel_cycles_d": count})
        for design, count in DESIGNS_OF.items()
    ]
    return found_of(*cycles, *(curve(design, tech) for tech in techs for design in DESIGNS_OF))


def compared(*techs: str) -> ByTechnology:
    """The designs of that study, all of one width."""
    [by] = by_width(found(*techs))
    return by


def test_ranks_and_their_correlation() -> None:
    assert ranks([3.0, 1.0, 3.0, 7.0]) == [2.5, 1.0, 2.5, 4.0]
    assert spearman([1, 2, 3, 4], [10, 30, 20, 40]) == pytest.approx(1 - 6 * 2 / (4 * 15))
    assert spearman([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert spearman([1, 1, 1], [1, 2, 3]) is None


def test_pairs_in_the_same_order_and_in_the_opposite_one() -> None:
    """Of 6 pairs one is in the opposite order; of 5 pairs that differ in both lists, with one equal
    in the first, one."""
    assert kendall([1, 2, 3, 4], [10, 30, 20, 40]) == pytest.approx((5 - 1) / 6)
    assert kendall([1, 1, 3, 4], [10, 30, 50, 40]) == pytest.approx((4 - 1) / (5 * 6) ** 0.5)
    assert kendall([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert kendall([1, 1], [1, 2]) is None


def test_places_change_for_sure_where_noise_is_less_than_both_differences() -> None:
    """100 and 110 are apart by 2 %, not by 10 %; what is equal in one changes no places."""
    assert exchanged([100, 110], [60, 50], [0.02, 0.02]) == [(0, 1, True)]
    assert exchanged([110, 100], [50, 60], [0.02, 0.02]) == [(1, 0, True)]
    assert exchanged([100, 110], [60, 50], [0.1, 0.1]) == [(0, 1, False)]
    assert exchanged([100, 110], [51, 50], [0.02, 0.02]) == [(0, 1, False)]
    assert exchanged([100, 100], [60, 50], [0.0, 0.0]) == []
    assert exchanged([100, 110], [50, 60], [0.0, 0.0]) == []


def test_a_sentence_names_its_technology_if_there_are_several() -> None:
    for techs, begin in (
        (["nangate45"], "At 32 bits, workload d, of 3 designs"),
        (["nangate45", "sky130"], "At 32 bits in nangate45, workload d, of 3 designs"),
    ):
        sentence = headline(found(*techs), 32)
        assert sentence
        assert sentence.startswith(begin)


def test_one_technology_is_compared_with_nothing() -> None:
    assert not SECTION.results(found("nangate45"))
    assert not by_width(found("sky130"))
    shown = [grid.title for grid in SECTION.results(found("nangate45", "sky130")) if grid]
    assert shown == [table.title for table in TABLES]


def test_a_design_that_one_technology_lacks_is_left_out() -> None:
    whole = found("nangate45", "sky130")
    some = found_of(*(r for r in whole.rows if r.task != curve("mul-rem", "sky130").task))
    [by] = by_width(some)
    assert [str(p) for p in by.points] == ["ssmm-small-32", "mont-best-32"]


def test_fronts_stand_side_by_side() -> None:
    """By area and cycles x period: mul-rem is larger and slower than ssmm-small. The times of
    mont-best are 88 and ssmm-small's 200 us x 1000, far more apart than noise is."""
    grid = FRONTS.of([compared("nangate45", "sky130")])
    front = "ssmm-small, mont-best"
    assert [line.cells for line in grid.lines] == [
        ("32", "nangate45", "3", front, "-"),
        ("32", "sky130", "3", front, "-"),
    ]


def test_a_front_of_the_typical_corner_stands_below_that_of_the_slow_one(monkeypatch) -> None:
    """In the typical corner, by these periods, mul-rem has the least time."""
    monkeypatch.setitem(TYPICAL, ("sky130", "mul-rem"), 0.1)
    monkeypatch.setitem(TYPICAL, ("sky130", "ssmm-small"), 3.0)
    grid = FRONTS.of([compared("nangate45", "sky130")])
    usual = "ssmm-small, mont-best"
    assert [line.cells for line in grid.lines] == [
        ("32", "nangate45", "3", usual, "-"),
        ("32", "sky130, ss", "3", usual, "-"),
        ("32", "sky130, typical", "3", "ssmm-small, mul-rem", "-"),
    ]


def test_places_and_scales() -> None:
    """In SKY130 mul-rem is larger than mont-best, which it is not in NanGate 45."""
    by = [compared("nangate45", "sky130")]
    pair = ("32", "nangate45 - sky130")
    # Area x time: 400 x 1500 x 0.5 and 110 x 3000 x 1; then 400 x 12000 x 4 and 110 x 24000 x 7:
    # 300 and 330 are within 12 % of each other.
    assert [line.cells for line in ORDERS.of(by).lines] == [
        (*pair, "area", "3", "0.500", "0.333", "3", "1", "1"),
        (*pair, "period", "3", "1.000", "1.000", "3", "0", "0"),
        (*pair, "area x time", "3", "0.500", "0.333", "3", "1", "0"),
    ]
    [changed] = PLACES.of(by).lines
    assert changed.cells[2:6] == ("area", "mul-rem : mont-best", f"{2 / 3:.2f}", "1.04")
    area, period, _ = (line.cells for line in SCALES.of(by).lines)
    mean = (9 * 8 * 12.5) ** (1 / 3)
    spread = exp((sum(log(r / mean) ** 2 for r in (9, 8, 12.5)) / 2) ** 0.5)
    assert area[3:8] == (f"{mean:.2f}", f"{spread:.2f}", "8.00", "12.50", f"{(130 / 45) ** 2:.2f}")
    assert period[3:8] == ("8.00", "1.00", "8.00", "8.00", f"{130 / 45:.2f}")
    assert period[8:] == (f"{log(8) / log(130 / 45):.2f}",) * 2


def test_the_textbook_scales_area_x_time_by_the_third_power_of_lengths() -> None:
    [_, _, product] = SCALES.of([compared("nangate45", "sky130")]).lines
    assert product.cells[2] == "area x time"
    assert product.cells[7] == f"{(130 / 45) ** 3:.2f}"


@pytest.mark.parametrize(("area", "sure"), [(23_000.0, False), (19_000.0, True)])
def test_noise_moves_area_and_time_together(
    monkeypatch: pytest.MonkeyPatch, area: float, sure: bool
) -> None:
    """By 2 % and 4 %. In NanGate 45 ssmm-small has 400 x 1500 x 0.5 = 300 thousand and mont-best
    110 x 4200 x 0.8 = 370; in SKY130 19.2 million and 110 x 7 x the area: 17.7 million are less by
    8 %, 14.6 by 24 %."""
    made = {
        "nangate45": {"mont-best": ((4200.0, 1.0), (4200.0, 0.8))},
        "sky130": {"mont-best": ((area, 7.0), (30_000.0, 6.4))},
    }
    for tech, curves in made.items():
        monkeypatch.setitem(CURVES, tech, CURVES[tech] | curves)
    [product] = [
        one for one in compared("nangate45", "sky130").compared() if one.figure == "area x time"
    ]
    changed = {(one.first, one.second): one.is_sure for one in product.exchanged}
    assert changed[0, 1] == sure


def test_two_designs_are_too_few_to_compare() -> None:
    rows = [r for r in found("nangate45", "sky130").rows if r.task.point.design != "mul-rem"]
    [by] = by_width(found_of(*rows))
    assert len(by.points) == 2
    assert by.compared() == []


def test_technologies_of_one_node_have_no_power_of_lengths() -> None:
    by = compared("nangate45", "sky130")
    alike = Compared(by, "sky130", "sky130", "area", by.points)
    assert (alike.nodes, alike.textbook, alike.ratios) == (1, 1, [1, 1, 1])
    assert alike.powers == alike.typical_powers == []


def netlist(area: float, period: float) -> Netlist:
    run = Run(area, 0.0, period, 30.0)
    return Netlist(FlowRun(Point("mul-rem", 32), ACCELERATOR, 30.0), run, {})


def test_of_equal_netlists_the_one_that_is_less_in_the_other_figure_is_named() -> None:
    """Whichever comes first: of one area the faster one, of one period the smaller one."""
    point = compared("nangate45", "sky130").techs["sky130"][Point("mul-rem", 32)]
    large, small, fast = netlist(950.0, 2.0), netlist(900.0, 2.0), netlist(900.0, 1.5)
    for netlists in permutations((large, small, fast)):
        assert replace(point, netlists=netlists).smallest is fast
    for netlists in permutations((large, small)):
        assert replace(point, netlists=netlists).fastest is small


def test_areas_are_counted_in_gates_and_periods_in_inverters() -> None:
    grid = DESIGNS.of([compared("nangate45", "sky130")])
    first, second = grid.lines[0].cells, grid.lines[1].cells
    assert first[0] == "ssmm-small *"
    assert first[3:5] == ("1000", f"{1000 / 0.798:.0f}")
    assert second[3:5] == ("9000", f"{9000 / 3.7536:.0f}")
    assert float(first[6]) == pytest.approx(0.5 / 0.02198, abs=0.06)
    assert float(second[6]) == pytest.approx(4.0 / (6.26 * 0.02198), abs=0.06)
    assert first[7] == "0.20"  # 400 cycles of 0.5 ns
    assert grid.lines[0].commands == ("modexplorer clocks ssmm-small --nbits 32 --clock 3",)
    assert grid.lines[2].cells[0] == "mont-best *"
    assert grid.lines[4].cells[0] == "mul-rem"


def with_energy(design: str, tech: str, energy: float) -> Row:
    """A row of a flow run: a quarter of the area is registers, and of the slowest path's 8 ns 6 are
    in full adders."""
    said = technology(tech)
    adder = said.cells.full_adder.cell
    points = [
        {"pin": "x", "cell": cell, "delay_ns": ns, "at_ns": ns, "instance": "i", "module": "M"}
        for cell, ns in ((said.cells.flop.cell, 2.0), (adder, 5.0), (adder, 1.0))
    ]
    metrics = {"area_um2": 1e5, "setup_slack_ns": 0.0, "period_ns": said.clock_ns}
    return flow_row(
        FlowRun(Point(design, 32), ACCELERATOR, said.clock_ns, "power", tech=tech),
        metrics | {"energy_glitches_d_nj": energy},
        modules=[module("A", 2, 100.0, 10.0, {}), module("B", 1, 200.0, 80.0, {})],
        critical_path=path() | {"points": points},
    )


def study_with_energies() -> StudyResult:
    """That study with flow runs at the usual clocks."""
    techs = {"nangate45": (3.0, 5.0, 4.0), "sky130": (30.0, 40.0, 70.0)}
    rows = [
        with_energy(design, tech, energy)
        for tech, energies in techs.items()
        for design, energy in zip(DESIGNS_OF, energies, strict=True)
    ]
    return found_of(*found(*techs).rows, *rows)


def test_energies_and_why_places_change() -> None:
    """mul-rem takes less energy than mont-best in NanGate 45 only: 4 and 5, then 70 and 40 nJ."""
    by = by_width(study_with_energies())
    grid = DESIGNS.of(by)
    assert [line.cells[8:] for line in grid.lines[:2]] == [
        ("3.00", "25 : 75"),
        ("30.00", "25 : 75"),
    ]
    assert grid.lines[1].commands[1].endswith("--clock 18.8 --to power --tech sky130")
    # From 1.1 V to 1.8 V.
    assert SCALES.of(by).lines[3].cells[7] == f"{130 / 45 * (1.8 / 1.1) ** 2:.2f}"
    assert [line.cells[2:] for line in PLACES.of(by).lines] == [
        ("area", "mul-rem : mont-best", "0.67", "1.04", "25 : 25", "75 : 75"),
        ("energy", "mul-rem : mont-best", "0.80", "1.75", "25 : 25", "75 : 75"),
    ]


def test_json_has_what_two_technologies_say_of_each_figure() -> None:
    said = report_json(Report(study_with_energies()))["technologies"]
    assert [one["by"] for one in said] == ["area", "period", "area x time", "energy"]
    area = said[0]
    assert (area["pair"], area["nbits"], area["sure"]) == ("nangate45 - sky130", 32, 1)
    assert (area["kendall"], area["most"]) == (pytest.approx(1 / 3), 12.5)
    assert report_json(Report(found("sky130")))["technologies"] == []


def test_printed_times_are_scaled_as_periods_were_seen_to_grow() -> None:
    """All periods grew eightfold from 45 to 130 nm, of which 6.26 / 3.65 is the slow corner. A
    Virtex-E is of 180 nm."""
    rows = {
        line.values[1]: line.values for line in PRINTED.of([compared("nangate45", "sky130")]).lines
    }
    node, time, textbook, least, most = rows["Virtex-E"][4:]
    power = log(8 * 3.65 / 6.26) / log(130 / 45)
    assert (node, textbook) == (180, pytest.approx(time / 4))
    assert least == most == pytest.approx(time * (45 / 180) ** power)


def test_cells_cost_what_libraries_say() -> None:
    """The README of SKY130's figures has 20.019 um2 for dfxtp_1 and fa_1, 3.754 for nand2_1."""
    rows = [line.cells for line in CELLS.of([compared("nangate45", "sky130")]).lines]
    assert rows[1][:6] == ("sky130", "130", "3.754", "5.33", "5.33", "0.138")
    assert rows[1][6:8] == ("ss", f"{3.65 * 0.02198:.3f}")
    assert rows[0][3] == f"{4.522 / 0.798:.2f}"


def test_a_card_shows_its_technologies_side_by_side() -> None:
    first, *_ = cards(study_with_energies())
    assert [line.cells[0] for line in first.technologies.lines] == ["nangate45", "sky130"]
    assert first.technologies.lines[1].values[1] == 9000.0
    alone, *_ = cards(found("sky130", "sky130"))
    assert alone.technologies is None


def drawn_in(chart: dict, tech: str) -> set[str]:
    """What is told of the points that are drawn when a technology is chosen."""
    chosen = [one | ({"value": tech} if one["name"] == "tech" else {}) for one in chart["params"]]
    drawn = vl_convert.vegalite_to_svg(chart | {"params": chosen}, vl_version=VEGA_LITE)
    points = r'aria-label="([^"]+)" role="[^"]+" aria-roledescription="point"'
    return set(re.findall(points, drawn))


def test_the_picture_has_a_choice_of_technology() -> None:
    space = space_of(found("nangate45", "sky130"))
    assert space.choices["tech"] == ["nangate45", "sky130"]
    assert space.first["tech"] == "nangate45"
    areas = {(p["tech"], p["values"]["area"]) for p in space.places if p["design"] == "mul-rem"}
    assert areas == {(t, a) for t, of in CURVES.items() for a, _ in of["mul-rem"]}
    assert max(point.x for point in panel(space).points) == 4000.0
    rows = space.drawn["data"]["values"]
    for tech in CURVES:
        asked = {row["description"] for row in rows if row["tech"] == tech}
        assert len(asked) == 6
        assert drawn_in(space.drawn, tech) == asked


def test_a_study_shows_the_points_of_its_technology_only() -> None:
    """What was mapped to another one is in tables that name it."""
    point = Point("mont-best", 32)
    metrics = {"area_um2": 1.0, "setup_slack_ns": 1.0, "period_ns": 2.0}
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


@dataclass(frozen=True)
class MadeUp:
    """A netlist of so much area and energy, at its shortest period; workload d takes 50 cycles."""

    area_um2: float
    period_ns: float
    nj: float | None = None

    def energy_nj(self, workload: str) -> float | None:
        return self.nj

    def time_us(self, workload: str) -> float | None:
        return 50 * self.period_ns / 1000


@pytest.mark.parametrize("has_curve", [True, False])
def test_figures_of_a_design_are_each_of_one_of_its_netlists(has_curve: bool) -> None:
    """The longest clock first: of those whose energy was measured, it is told by the first. Of
    equal areas or periods the better in the other counts; no curve, no shortest period."""
    made = [
        *(MadeUp(100.0, 5.0), MadeUp(100.0, 4.0), MadeUp(110.0, 2.5, 8.0)),
        *(MadeUp(160.0, 1.2, 6.0), MadeUp(260.0, 1.0, 5.0), MadeUp(250.0, 1.0, 9.0)),
    ]
    netlists: Any = made
    task: Any = object() if has_curve else None
    point: Any = None
    one = InTechnology(point, technology("nangate45"), netlists, None, task)
    assert (one.smallest, one.fastest) == (made[1], made[5])
    assert (one.densest, one.weighed) == (made[3], made[2])
    found = {AREA: 100.0, ENERGY: 8.0}
    if has_curve:
        found |= {PERIOD: 1.0, AREA_TIME: 160.0 * 0.06}
    assert one.figures == pytest.approx(found)
