"""Netlists composed of modules that are mapped for several clocks: a curve, and one of the flow."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

import flow.synthesis.ladder
from flow import opensta
from flow.curve.run import run_curve
from flow.equivalence.prove import options_for
from flow.results.netlist import COMPOSED, Candidate, Module, Synthesis
from flow.synthesis import chosen, front
from flow.synthesis.curve import RELAXED, points_of
from flow.synthesis.flatten import output_pins, register_clocks
from flow.synthesis.front import EASIER
from flow.synthesis.ladder import Ladder, Rungs, above, at, rung_for, rungs_of
from flow.synthesis.mix import Timing, Version
from flow.synthesis.netlists import Goal, make_modules, modules_of, source_of, write_library
from flow.synthesis.portfolio import groups
from flow.synthesis.recipes import Recipe
from sim.paths import build_dir
from sim.translate import translate
from tests.flow.runs import kept_run, run_step
from tests.flow.toys import LIBERTY, FlowToy

ADDER = "ToyAdder__nbits_8"
LONGEST = 4.0
AREA = at("area", LONGEST)
GOAL = Goal(Path("design.v"), LIBERTY, "Top", LONGEST, "clk", (), 60.0)
RUNGS = rungs_of(GOAL)
# Of the module that makes a netlist slow: mapped for a clock it is a little faster than that, down
# to a delay that no recipe goes below; its area x delay is the same.
LEAST = {"area": 1.5, "fast": 1.0}
WORK = {"area": 200.0, "fast": 240.0}
BESIDE_NS, BESIDE_UM2 = 0.7, 30.0  # of one that is never too slow


def slow(by, clock_ns):
    delay = max(0.99 * clock_ns, LEAST[by])
    return Version(f"Slow {delay}", WORK[by] / delay)


class Toys:
    """Two modules: the slow one has 2 ns if it is mapped for the longest clock."""

    def __init__(self):
        self.made, self.mappings = [], 0

    def make(self, module, recipe):
        self.made.append((module, recipe))
        by, goal = GOAL.for_clock(recipe)
        return slow(by.name, goal.period) if by.name in LEAST else None

    def time(self, text):
        delays = {name: float(ns) for name, ns in map(str.split, text.splitlines())}
        worst = max(delays, key=delays.__getitem__)
        return Timing(LONGEST - delays[worst], {worst: delays[worst]})


def sized(found, gain=EASIER):
    """Stand for what sizes gates: a netlist that is too slow gets at most so much faster, by 1 %
    more area."""

    def finish(choice, goal):
        reached = found.reached(choice)
        area = sum(found.ladder.area(module, by) for module, by in choice.items())
        period = min(reached, max(goal.period, reached / gain))
        area *= 1.01 if period < reached else 1.0
        slack = goal.period - period
        row = {"setup_slack_ns": slack, "period_ns": period, "clock_met": slack >= 0}
        return Candidate(COMPOSED, area, cells=2, seconds=0.0, **row)

    return finish


def curve_to(found, shortest_ns=0.0, **how):
    return points_of(found, sized(found, **how), shortest_ns)


def rungs(parts, *faster):
    versions = {
        "Slow": {AREA: Version("Slow 2.0", 100.0)},
        "Beside": {AREA: Version(f"Beside {BESIDE_NS}", BESIDE_UM2)},
    }
    mixer = Ladder(versions, parts.time, make=parts.make)
    groups = [[Recipe(by) for by in group] for group in faster]
    return Rungs(mixer, parts, GOAL, AREA, [Recipe("area")], groups)


def test_a_module_is_mapped_for_longer_clocks_first():
    """By recipes for small netlists, then for fast ones; what no clock before is for at last."""
    assert rungs(Toys(), ["fast", "balanced"], ["tight"]).groups(1.0) == [
        *(["area@1.297"], ["area@1.128"], ["area@1"]),
        *([f"fast@{ns}", f"balanced@{ns}"] for ns in ("1.297", "1.128", "1")),
        *(["tight@1"], ["hurried@1"]),
    ]
    assert rungs(Toys()).groups(LONGEST) == [["area@4"], ["hurried@4"]]
    assert GOAL.for_clock("area") == (Recipe("area"), GOAL)
    assert GOAL.for_clock("fast@1.128") == (Recipe("fast"), replace(GOAL, period=1.128))


@pytest.mark.quick
def test_each_netlist_is_the_smallest_that_meets_a_shorter_clock():
    """Its gates are sized for a clock that is 5 % shorter."""
    toys = Toys()
    points = curve_to(rungs(toys, ["fast"]))
    assert points[0].clock_ns == LONGEST
    assert (points[0].period_ns, points[0].area_um2) == (2.0, 130.0)
    delay = 2.0
    for after in points[1:]:
        delay = max(0.99 * max(r for r in RUNGS if r < delay), 1.0)
        work = WORK["area" if delay >= LEAST["area"] else "fast"]
        assert after.clock_ns == pytest.approx(delay / EASIER, abs=1e-3)
        assert after.clock_ns >= delay / EASIER
        assert (after.period_ns, after.met) == (after.clock_ns, True)
        assert after.area_um2 == pytest.approx(1.01 * (work / delay + BESIDE_UM2), abs=1e-3)
    assert delay == 1.0
    # What is not too slow is never mapped again.
    assert {module for module, _ in toys.made} == {"Slow"}
    assert len(toys.made) == len(set(toys.made))
    for point in points[1:]:
        assert sorted(point.recipes.values()) == [1, 1]
        assert point.recipes[AREA] == 1


@pytest.mark.quick
def test_a_netlist_for_one_clock_is_that_of_the_curve():
    """The flow composes it for a clock that is 5 % longer, and sizes its gates then."""
    whole = rungs(Toys(), ["fast"])
    choices = [choice for _, choice in whole.down(RUNGS)]
    points = curve_to(rungs(Toys(), ["fast"]))
    for point, choice in list(zip(points, choices, strict=True))[1:]:
        clock_ns, found = EASIER * point.clock_ns, rungs(Toys(), ["fast"])
        *_, (_, alone) = found.down([*above(clock_ns, RUNGS), clock_ns])
        assert alone == choice


@pytest.mark.quick
def test_a_netlist_misses_its_clock_where_stronger_gates_gain_too_little():
    points = curve_to(rungs(Toys(), ["fast"]), gain=1.02)
    assert [point.met for point in points] == [True] + [False] * (len(points) - 1)
    for point in points[1:]:
        assert point.period_ns == pytest.approx(point.clock_ns * EASIER / 1.02, abs=2e-3)


@pytest.mark.quick
def test_the_last_netlist_is_sized_as_long_as_it_gains():
    once, more = (curve_to(rungs(Toys(), ["fast"]), gain=gain) for gain in (EASIER, 1.12))
    assert more[: len(once)] == once
    missed = more[-1]
    assert [point.met for point in more[len(once) :]] == [True, False]
    assert missed.period_ns == pytest.approx(1 / 1.12, abs=1e-5)
    assert {str(point.recipes) for point in more[len(once) - 1 :]} == {str(missed.recipes)}


@pytest.mark.quick
def test_a_curve_ends_at_the_shortest_clock_that_is_asked_for():
    """That of 2 ns is met by the first netlist; for 1.4 ns two rungs are made before, and it."""
    whole, toys = curve_to(rungs(Toys(), ["fast"])), Toys()
    assert curve_to(rungs(toys, ["fast"]), LONGEST) == whole[:1]
    assert curve_to(rungs(toys, ["fast"]), 2.0) == whole[:1]
    assert not toys.made
    *before, last = curve_to(rungs(Toys(), ["fast"]), 1.4)
    assert before == [point for point in whole if point.clock_ns > 1.4]
    assert len(before) > 2
    assert (last.clock_ns, last.met) == (1.4, True)


@pytest.mark.quick
def test_a_clock_between_rungs_takes_what_is_mapped_for_the_shorter_one():
    """2 ns of the first netlist miss 1.96, and 1.715 is the next rung; 1.973 does, and is tried
    before."""
    toys = Toys()
    *_, (clock_ns, choice) = rungs(toys, ["fast"]).down([1.96])
    assert clock_ns == 1.96
    assert choice == {"Slow": "area@1.973", "Beside": AREA}
    assert toys.made == [("Slow", "area@2.268"), ("Slow", "area@1.973")]
    assert [rung_for(ns, RUNGS) for ns in (3.5, 3.0, 1.96, 0.05)] == [3.0, 3.0, 1.715, 0.05]


@pytest.mark.quick
@pytest.mark.parametrize(("most", "does"), [(2, False), (3, True)])
def test_a_clock_takes_so_many_timing_runs_at_most(monkeypatch, most, does):
    """Of the first shorter clock the third finds the netlist: two rungs are too long."""
    monkeypatch.setattr(flow.synthesis.ladder, "MOST_TIMINGS", most)
    found = rungs(Toys(), ["fast"])
    assert (curve_to(found)[-1].recipes != {AREA: 2}) == does


@pytest.mark.quick
def test_a_module_mapped_for_one_clock_is_there_for_all():
    """Nothing can be mapped any more, but the netlist of a shorter clock is known."""
    found = rungs(Toys())
    found.ladder.versions["Slow"]["fast@1.8"] = slow("fast", 1.8)
    found.ladder._make = lambda module, recipe: None
    points = curve_to(found)
    assert [point.period_ns for point in points] == pytest.approx([2.0, 1.698])  # 1.782 / 1.05
    assert points[1].recipes == {AREA: 1, "fast@1.8": 1}


def curve_of_toy(clock_ns):
    text = translate(FlowToy(8), "FlowToy").text
    recipes = ("area", "then", "fast")
    asked = {"clock_period": clock_ns, "recipes": recipes, "wait": True}
    found = run_curve("FlowToy-curve", text, "FlowToy", build_dir("test flow"), **asked)
    return text, found["steps"]["curve"]


def test_a_composed_netlist_is_what_the_flow_maps():
    """The first is the flow's at that clock; those after it are larger and faster; and the flow
    asked for the clock of the second finds one of that area."""
    text, curve = curve_of_toy(3.0)
    first, second, *_ = points = curve["points"]
    asked = {"recipes": ("area", "then", "fast")}
    flow = kept_run(text, "FlowToy", clock_period=3.0, **asked)["steps"]["synthesis"]
    assert first["clock_ns"] == 3.0
    assert first["area_um2"] == pytest.approx(flow["hierarchical"]["area_um2"])
    assert first["period_ns"] == pytest.approx(flow["hierarchical"]["period_ns"], rel=0.01)
    for before, after in pairwise(points):
        assert after["period_ns"] < before["period_ns"]
        assert after["area_um2"] >= before["area_um2"]
    again = kept_run(text, "FlowToy", clock_period=second["clock_ns"], **asked)
    netlist = again["steps"]["synthesis"]["hierarchical"]
    assert second["area_um2"] == pytest.approx(netlist["area_um2"], rel=0.03)
    # Sized gates: of the ladder's netlist it would be 5 per cent.
    assert second["period_ns"] < 1.04 * second["clock_ns"]
    assert curve["modules"] == 2
    assert curve["mappings"] >= 2 * curve["modules"]


def test_a_clock_that_is_missed_is_relaxed():
    _, curve = curve_of_toy(0.3)
    first = curve["points"][0]
    assert first["period_ns"] < first["clock_ns"] < 2 * RELAXED * first["period_ns"]


class Composed(NamedTuple):
    """What the flow knows of a netlist that it composed, and a run whose proof takes others."""

    said: Synthesis
    goal: Goal
    proven: dict


@pytest.fixture(scope="module")
def composed(tmp_path_factory):
    """A small design taken for a huge one, at a clock that the recipe for small netlists misses; in
    the folder of its candidates."""
    text = translate(FlowToy(8), "FlowToy").text
    proven = kept_run(text, "FlowToy", to="equivalence", recipes=["area"])
    folder = tmp_path_factory.mktemp("composed")
    (folder / "outputs").mkdir()
    (folder / "design.v").write_text(text)
    goal = Goal(folder / "design.v", LIBERTY, "FlowToy", 0.62, "clk", (), 600.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(front, "huge", lambda tried: True)
        write_library(LIBERTY)
        found = front.search(lambda clock_ns: groups(["area", "then", "fast"]), goal)
        yield Composed(chosen.report(found, goal, folder / "outputs")[0], goal, proven)


def slack_of(modules, goal):
    """The setup slack of a netlist by the whole library."""
    netlist = Path("confirmed.v")
    netlist.write_text("\n".join(module.text for module in modules.values()))
    told = opensta.run_sta(netlist, goal.top, LIBERTY, goal.period, goal.clock_port)
    return opensta.summary(told, goal.period).setup_slack_ns


def prove(composed, modules, folder):
    """Run the flow's proof on a netlist of these modules."""
    inputs = folder / "inputs"
    inputs.mkdir()
    text = LIBERTY.read_text()
    known = output_pins(text), register_clocks(text)
    chosen.write_flat(modules, modules, *known, composed.goal, inputs)
    (inputs / "synthesis.json").write_bytes(msgspec.json.encode(composed.said))
    return run_step(composed.proven, "equivalence", folder, proof_seconds=60)


def test_the_flow_takes_what_is_composed_if_it_is_smaller(composed, tmp_path):
    """Its modules are of several rungs; sta confirms it by the whole library, and it is proven."""
    rows = {row.recipe: row for row in composed.said.front}
    assert rows.keys() == {"area", COMPOSED}  # what meets the clock is not sped up
    assert not rows["area"].clock_met
    assert rows[COMPOSED].clock_met
    assert composed.said.recipe == COMPOSED
    recipes = {row.module: row.recipe for row in composed.said.modules}
    assert recipes == {"FlowToy": "area@3", ADDER: "fast@0.853"}
    modules = modules_of(COMPOSED)
    assert slack_of(modules, composed.goal) >= 0
    assert prove(composed, modules, tmp_path).returncode == 0
    assert '"outcome": "proven"' in (tmp_path / "outputs/equivalence.json").read_text()


def test_a_module_of_a_rung_that_is_too_long_is_found_by_sta(composed):
    goal = composed.goal
    by, relaxed = goal.for_clock("area@3")
    slow = dict(make_modules(by, source_of(goal), [ADDER], relaxed))
    assert slack_of(modules_of(COMPOSED) | slow, goal) < -0.05


def test_a_module_of_another_design_is_found_by_the_proof(composed, tmp_path):
    goal, other = composed.goal, tmp_path / "other.v"
    text = goal.verilog.read_text()
    assert text.count("a + b") == 1
    other.write_text(text.replace("a + b", "a - b"))
    swapped = replace(goal, verilog=other)
    by, _ = goal.for_clock("area")
    wrong = dict(make_modules(by, source_of(swapped), [ADDER], swapped))
    done = prove(composed, modules_of(COMPOSED) | wrong, tmp_path)
    assert (done.returncode, done.stderr) == (
        1,
        "ERROR: the netlist is not equivalent to the RTL\n",
    )


@pytest.mark.quick
def test_how_modules_multiply_is_known_whatever_clock_they_are_for():
    def part(name, recipe):
        return Module(name, 1, {}, 1, 1.0, 1.0, 1.0, 0.0, recipe)

    parts = [part("Top", "area+booth@1.128"), part("Leaf", "area@1.128"), part("Low", "fast+booth")]
    netlist = Synthesis(COMPOSED, (), "", parts, None, None, [], [])
    assert options_for(netlist) == ["--booth", "--but", "Leaf"]
