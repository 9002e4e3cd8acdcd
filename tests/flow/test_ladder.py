"""Composed curves: netlists for one clock after the other, of modules that are mapped once."""

from itertools import islice, pairwise

import pytest

import flow.synthesis.ladder
from flow.curve.run import run_curve
from flow.synthesis.ladder import RELAXED, STEP, Ladder, at, climbed
from flow.synthesis.mix import Timing, Version
from flow.synthesis.recipes import Recipe
from sim.paths import build_dir
from sim.translate import translate
from tests.flow.runs import kept_run
from tests.flow.toys import FlowToy

LONGEST = 4.0
# Of the module that makes a netlist slow: mapped for a clock it is a little faster than that, down
# to a delay that no recipe goes below; its area x delay is the same.
LEAST = {"area": 1.5, "fast": 1.0}
WORK = {"area": 200.0, "fast": 240.0}
BESIDE_NS, BESIDE_UM2 = 0.7, 30.0  # of one that is never too slow


def slow(by, clock_ns):
    delay = max(0.99 * clock_ns, LEAST[by])
    return Version(f"Slow {delay}", WORK[by] / delay)


def ladder(made):
    """A ladder over two modules: the slow one has 2 ns if it is mapped for the longest clock."""
    start = at("area", LONGEST)
    versions = {
        "Slow": {start: Version("Slow 2.0", 100.0)},
        "Beside": {start: Version(f"Beside {BESIDE_NS}", BESIDE_UM2)},
    }

    def make(module, recipe):
        made.append((module, recipe))
        by, _, clock_ns = recipe.partition("@")
        return slow(by, float(clock_ns)) if by in LEAST else None

    def time(text):
        delays = {name: float(ns) for name, ns in map(str.split, text.splitlines())}
        worst = max(delays, key=delays.__getitem__)
        return Timing(LONGEST - delays[worst], {worst: delays[worst]})

    return Ladder(versions, time, make=make), start


@pytest.mark.quick
@pytest.mark.parametrize("names", [[["area"], ["fast"]], [["fast", "area"]]], ids=["apart", "one"])
def test_each_netlist_is_the_smallest_that_meets_a_shorter_clock(names):
    """In whichever order recipes come: area that the first would cost is given back."""
    made = []
    groups = [[Recipe(name) for name in group] for group in names]
    points = list(islice(climbed(*ladder(made), groups, LONGEST), 20))
    assert points[0].clock_ns == LONGEST
    assert (points[0].period_ns, points[0].area_um2) == (2.0, 130.0)
    for before, after in pairwise(points):
        assert after.clock_ns == round(before.period_ns / STEP, 3)
        assert after.period_ns < before.period_ns
        delay = max(0.99 * after.clock_ns, 1.0)
        work = WORK["area" if delay >= LEAST["area"] else "fast"]
        assert after.period_ns == pytest.approx(delay)
        assert after.area_um2 == pytest.approx(work / delay + BESIDE_UM2, abs=1e-3)
    assert points[-1].period_ns == 1.0
    assert [point.met for point in points] == [True] * (len(points) - 1) + [False]
    # What is not too slow is never mapped again.
    assert {module for module, _ in made} == {"Slow"}
    assert len(made) == len(set(made))
    for point in points[1:]:
        assert sorted(point.recipes.values()) == [1, 1]
        assert point.recipes[at("area", LONGEST)] == 1


@pytest.mark.quick
@pytest.mark.parametrize(("most", "points"), [(0, 1), (1, 6)])
def test_a_clock_takes_so_many_timing_runs_at_most(monkeypatch, most, points):
    """With one for each clock the module is as fast as the first recipe makes it."""
    monkeypatch.setattr(flow.synthesis.ladder, "MOST_TIMINGS", most)
    mixer, start = ladder([])
    found = list(islice(climbed(mixer, start, [[Recipe("fast")]], LONGEST), 20))
    assert len(found) == points
    assert mixer.trials() == points


@pytest.mark.quick
def test_a_module_mapped_for_one_clock_is_there_for_all():
    """Nothing can be mapped any more, but the netlist of a shorter clock is known."""
    made = []
    mixer, start = ladder(made)
    mixer.versions["Slow"][at("fast", 1.8)] = slow("fast", 1.8)
    points = list(climbed(mixer, start, [], LONGEST))
    assert [point.period_ns for point in points] == pytest.approx([2.0, 1.782])
    assert points[1].recipes == {at("area", LONGEST): 1, at("fast", 1.8): 1}
    assert not made


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
    assert first["period_ns"] == pytest.approx(flow["hierarchical"]["period_reached_ns"], rel=0.01)
    for before, after in pairwise(points):
        assert after["period_ns"] < before["period_ns"]
        assert after["area_um2"] >= before["area_um2"]
    again = kept_run(text, "FlowToy", clock_period=second["clock_ns"], **asked)
    netlist = again["steps"]["synthesis"]["hierarchical"]
    assert second["area_um2"] == pytest.approx(netlist["area_um2"], rel=0.03)
    assert curve["modules"] == 2
    assert curve["mappings"] >= 2 * curve["modules"]


def test_a_clock_that_is_missed_is_relaxed():
    _, curve = curve_of_toy(0.3)
    first = curve["points"][0]
    assert first["period_ns"] < first["clock_ns"] < 2 * RELAXED * first["period_ns"]
