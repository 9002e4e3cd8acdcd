"""Whole netlists are sized: strengths change and nothing else, and a result that is worse is not
taken."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from flow import opensta
from flow.gates.liberty import Library
from flow.gates.strengths import Cells
from flow.results.netlist import Candidate
from flow.synthesis import front, resize
from flow.synthesis.front import Front, may_be_mended
from flow.synthesis.netlists import WORK, Goal, candidate, modules_of, write_library, write_modules
from flow.synthesis.recipes import parse
from flow.synthesis.resize import better, resized
from flow.technologies.kit import view
from sim.translate import translate
from tests.flow.toys import LIBERTY, FlowToy

STRENGTH = re.compile(r"^(  [A-Z]+\d*)_X\d+ ", re.MULTILINE)
PERIOD = 0.6


@pytest.fixture
def goal(tmp_path, monkeypatch):
    """A design in which a module stands twice, in the folder of a step."""
    monkeypatch.chdir(tmp_path)
    design = Path("design.v")
    design.write_text(translate(FlowToy(8), "FlowToy").text)
    write_library(LIBERTY)
    return Goal(design, LIBERTY, "FlowToy", PERIOD, "clk", (), 60.0)


def at(goal, period):
    return Goal(goal.verilog, LIBERTY, goal.top, period, "clk", (), 60.0)


def texts(recipe):
    return {name: module.text for name, module in modules_of(recipe).items()}


def without_strengths(found):
    return {name: STRENGTH.sub(r"\1 ", text) for name, text in found.items()}


def area_of(recipe):
    """The area of a netlist, counted cell by cell."""
    library, found = Library(LIBERTY), texts(recipe)

    def area(module):
        kinds = re.findall(r"^  (\S+) (?:\\\S+ |\S+) \($", found[module], re.MULTILINE)
        return sum(area(kind) if kind in found else library[kind].area for kind in kinds)

    return area("FlowToy")


def slack(recipe, goal):
    """What OpenSTA says of it, by the whole library."""
    told = opensta.run_sta(WORK / f"{recipe}.v", goal.top, LIBERTY, goal.period, "clk")
    return opensta.summary(told, goal.period).setup_slack_ns


def test_what_misses_the_clock_by_little_is_mended(goal):
    """The smaller netlist meets it then: the same cells and wires, other strengths."""
    missed = candidate(parse("area"), goal)
    goal = at(goal, 0.98 * missed.period_ns)
    slow = replace(missed, setup_slack_ns=goal.period - missed.period_ns, clock_met=False)
    assert slack("area", goal) < 0
    before = texts("area")
    mended = resized(slow, goal, to_meet=True)
    assert mended.clock_met
    assert slack("area", goal) >= 0
    after = texts("area")
    assert after != before
    assert without_strengths(after) == without_strengths(before)
    assert before["ToyAdder__nbits_8"] != after["ToyAdder__nbits_8"]  # in both places
    assert mended.area_um2 == pytest.approx(area_of("area"), abs=0.01)
    assert (mended.resized.area_before_um2, mended.cells) == (missed.area_um2, missed.cells)
    assert mended.area_um2 < 1.1 * missed.area_um2
    wrong = {name: text.replace("  NAND2_X", "  NOR2_X", 1) for name, text in after.items()}
    assert without_strengths(wrong) != without_strengths(before)


def test_strong_gates_with_slack_become_weak(goal):
    row = candidate(parse("area"), goal)
    strong = {
        name: resize.with_cells(
            module,
            dict.fromkeys(re.findall(r"^  XOR2_X1 (\S+) \($", module.text, re.M), "XOR2_X2"),
            resize.cells_of(Path("candidates/latest.lib").absolute()),
        )
        for name, module in modules_of("area").items()
    }
    write_modules("area", strong)
    assert area_of("area") > row.area_um2 + 5
    goal = at(goal, 2.0)
    timing = slack("area", goal)
    large = replace(
        row,
        area_um2=area_of("area"),
        setup_slack_ns=timing,
        period_ns=goal.period - timing,
        clock_met=True,
    )
    smaller = resized(large, goal)
    assert smaller.area_um2 < large.area_um2 - 5
    assert smaller.area_um2 == pytest.approx(area_of("area"), abs=0.01)
    assert slack("area", goal) >= 0
    reached = goal.period - slack("area", goal)
    assert smaller.area_um2 * reached < large.area_um2 * large.period_ns


def test_what_is_not_better_is_not_taken(goal, monkeypatch):
    row = candidate(parse("area"), goal)
    period = 0.5 * row.period_ns
    slow = replace(row, setup_slack_ns=-period, clock_met=False)
    before = (WORK / "area.v").read_bytes(), modules_of("area")
    assert resized(slow, at(goal, period), to_meet=True) is None  # far out of reach
    said = opensta.Summary(-1.0, None, 9.9, False, None, None, 0, 0, 0)
    monkeypatch.setattr(resize, "timed", lambda netlist, goal: said)
    near = 0.95 * row.period_ns
    slow = replace(row, setup_slack_ns=near - row.period_ns, clock_met=False)
    assert resized(slow, at(goal, near)) is None  # OpenSTA says so
    assert before == ((WORK / "area.v").read_bytes(), modules_of("area"))


def row(recipe, area, period, clock=1.0):
    slack = clock - period
    return Candidate(recipe, area, 9, slack, period, slack >= 0, 1.0)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("new", "old", "is_better"),
    [
        (row("a", 110.0, 1.0), row("a", 100.0, 1.02), True),  # meets the clock
        (row("a", 90.0, 1.02), row("a", 100.0, 1.0), False),
        (row("a", 98.0, 0.81), row("a", 100.0, 0.8), True),
        (row("a", 99.0, 0.9), row("a", 100.0, 0.8), False),  # more area x period
        (row("a", 88.97, 0.9), row("a", 100.0, 0.8), True),  # 80.073: by less than a thousandth
        (row("a", 88.99, 0.9), row("a", 100.0, 0.8), False),  # 80.091
        (row("a", 101.0, 0.7), row("a", 100.0, 0.8), False),
        (row("a", 101.0, 1.1), row("a", 100.0, 1.2), True),
        (row("a", 101.0, 1.198), row("a", 100.0, 1.2), True),
        (row("a", 99.0, 1.1995), row("a", 100.0, 1.2), False),  # by less than a thousandth
        (row("a", 100.0, 1.2), row("a", 100.0, 1.2), False),
    ],
)
def test_which_is_better(new, old, is_better):
    assert better(new, old) is is_better


@pytest.mark.quick
def test_the_smallest_that_nearly_meets_the_clock_is_mended(goal_at_1ns, monkeypatch):
    asked = []

    def mend(one, goal, to_meet=False):
        asked.append((one.recipe, to_meet))
        return replace(one, period_ns=1.0, clock_met=True) if one.area_um2 > 60 else None

    monkeypatch.setattr(front, "resized", mend)
    rows = [("area", 50.0, 1.05), ("fast", 70.0, 1.01), ("tight", 80.0, 1.0), ("balanced", 1, 1.5)]
    found = Front(tried=[row(*one) for one in rows])
    found.judge(is_last=False, goal=goal_at_1ns)
    assert found.hierarchical.recipe == "tight"
    found.mend(goal_at_1ns)
    assert asked == [("area", True), ("fast", True)]
    assert found.hierarchical.recipe == "fast"
    found.mend(goal_at_1ns)
    assert len(asked) == 2  # none is tried twice
    assert not may_be_mended(row("area", 1.0, 1.5), 1.0)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("mended", "area", "clocks"),
    [
        (row("composed", 100.5, 0.99), 100.5, [1.05]),
        (row("composed", 104.0, 0.99), 103.0, [1.05, 1.0]),  # too much area is lost
        (None, 103.0, [1.05, 1.0]),
    ],
)
def test_a_netlist_for_a_longer_clock_is_mended(goal_at_1ns, monkeypatch, mended, area, clocks):
    """If that does not pay, one is composed for the clock itself."""
    asked = []

    def compose(front, faster, goal):
        asked.append(goal.period)
        found = row("composed", 100.0, 1.04, 1.05) if goal.period > 1 else row("composed", 103, 1.0)
        return found, {"Top": f"area@{goal.period:g}"}

    monkeypatch.setattr(front, "compose", compose)
    monkeypatch.setattr(front, "at_clock", lambda one, goal: row(one.recipe, one.area_um2, 1.04))
    monkeypatch.setattr(front, "resized", lambda one, goal, to_meet: mended)
    monkeypatch.setattr(front, "relaxed_ns", lambda goal: 3.0)
    found = Front(tried=[row("area", 99.0, 1.3)])
    found.compose([], goal_at_1ns)
    assert asked == clocks
    assert found.hierarchical.area_um2 == area
    assert found.choices == {"composed": {"Top": f"area@{clocks[-1]:g}"}}


@pytest.fixture
def goal_at_1ns(monkeypatch):
    monkeypatch.setattr(front, "may_win", lambda *_: False)  # there are no modules to mix
    return Goal(Path("design.v"), LIBERTY, "Top", 1.0, "clk", (), 0.0)


@pytest.mark.parametrize(
    ("technology", "cell", "others"),
    [
        ("nangate45", "NAND2_X1", "NAND2_X2 NAND2_X4"),
        ("nangate45", "DFF_X1", "DFF_X2"),
        ("nangate45", "FA_X1", ""),
        ("nangate45", "CLKGATE_X1", ""),
        ("sky130", "sky130_fd_sc_hd__nand2_1", "nand2_2 nand2_4 nand2_8"),
        ("sky130", "sky130_fd_sc_hd__dfxtp_1", "dfxtp_2 dfxtp_4"),
        ("sky130", "sky130_fd_sc_hd__fa_1", ""),  # others are not for logic
        ("osu018", "INVX1", "INVX2 INVX4 INVX8"),
        ("osu018", "BUFX2", "BUFX4"),
        ("osu018", "NAND2X1", ""),
        ("osu018", "DFFPOSX1", ""),
    ],
)
def test_the_library_says_which_cells_differ_in_strength_only(technology, cell, others):
    """By pins and functions; whatever they are called."""
    library = Library(view(technology) / "stdcells.lib")
    cells = Cells(library)
    found = {name.removeprefix("sky130_fd_sc_hd__") for name in cells.alike(cell)}
    own = cell.removeprefix("sky130_fd_sc_hd__")
    assert found - {own} == {*others.split()}
    variants = cells.variants(cell)
    assert {v.cell.name for v in variants} <= {*cells.alike(cell)}
    assert [v.cell.area for v in variants] == sorted(v.cell.area for v in variants)
    for variant in variants:
        functions = {name: pin.function for name, pin in variant.cell.pins.items()}
        assert functions == {name: pin.function for name, pin in library[cell].pins.items()}
