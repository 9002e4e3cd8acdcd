"""The parts of the flow's steps that are plain functions, on small inputs."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from flow import opensta
from flow.gates.liberty import Library
from flow.process import error_lines
from flow.results.netlist import Attempt, Candidate
from flow.synthesis import area, hierarchy, ladder, modules, netlists, portfolio, recipes, rival
from flow.synthesis import mix as mixing
from flow.synthesis.ties import ties
from flow.technologies.files import SAYS
from tests.flow.netlists import netlist_of
from tests.flow.scripts import step_module
from tests.flow.toys import LIBERTY

pytestmark = pytest.mark.quick
summary = step_module("summary")
DESIGN = Path("design.v")


def row(area, period, met, recipe="area", cells=900):
    """What is known of a netlist."""
    return Candidate(recipe, area, cells, None, period, met, 1.0)


def goal_at(period):
    """What is asked for at a clock."""
    return netlists.Goal(DESIGN, LIBERTY, "Top", period, "clk", (), 0.0)


@pytest.mark.parametrize(
    "name", ["area", "fast+booth+ripple", "area+sklansky+generic", "fast+flat"]
)
def test_recipe_names_read_back(name):
    assert recipes.parse(name).name == name


@pytest.mark.parametrize("name", ["", "booth", "area+boot", "area+ripple+sklansky"])
def test_wrong_recipe_names_are_refused(name):
    with pytest.raises(ValueError, match="expected area"):
        recipes.parse(name)


def test_recipes_without_use_are_left_out():
    names = ["area", "area+booth", "area+booth+ripple", "fast+booth", "fast+flat", "area+generic"]
    every = [recipes.parse(name) for name in names]

    def left(*operators, modules=2):
        kept = recipes.applicable(every, dict.fromkeys(operators, 1), modules)
        return [recipe.name for recipe in kept]

    assert left("mul", "dff") == names
    assert left("sub", "dff") == ["area", "area+ripple", "fast", "fast+flat", "area+generic"]
    assert left("xor") == ["area", "fast", "fast+flat", "area+generic"]
    assert left("xor", modules=1) == ["area", "fast", "area+generic"]


@pytest.mark.parametrize(("factor_bits", "kept"), [(7, ["area"]), (8, ["area+booth", "area"])])
def test_booth_is_not_for_products_by_few_bits(factor_bits, kept):
    every = [recipes.parse(name) for name in ("area+booth", "area")]
    left = recipes.applicable(every, {"mul": 3}, 2, factor_bits=factor_bits)
    assert [recipe.name for recipe in left] == kept


@pytest.mark.parametrize("bits", [8, 160, 2048])
def test_adders_that_ripple_are_tried_unless_no_carry_can_be_in_time(bits):
    """A bit takes 0.025 ns at least, as measured."""
    ripple, period = recipes.parse("area+ripple"), bits * 0.025
    assert not recipes.too_long(ripple, bits, period * 1.001)
    assert recipes.too_long(ripple, bits, period * 0.999)
    assert recipes.too_long(ripple, bits, period * 1.001, pace=1.01)
    assert not recipes.too_long(recipes.parse("area+sklansky"), bits, period * 0.5)


def test_full_adders_are_for_carry_save_logic():
    names = ["area", "area+fa", "fast+ripple+fa", "sized+fa"]
    every = [recipes.parse(name) for name in names]

    def left(carry_save):
        kept = recipes.applicable(every, {"add": 1}, 2, carry_save)
        return [recipe.name for recipe in kept]

    assert left(carry_save=True) == names
    assert left(carry_save=False) == ["area", "fast+ripple"]


def test_booth_multipliers_are_tried_once_and_kept_where_they_pay():
    every = [recipes.parse(name) for name in ("fast+booth", "fast", "fast+booth+flat", "fast+flat")]
    rows = [
        row(90.0, 3.0, True, "area+booth"),
        row(100.0, 2.0, True),
    ]

    def kept(tried, metric):
        return [recipe.name for recipe in portfolio.suited(every, tried, metric)]

    assert kept(rows, "area_um2") == ["fast+booth", "fast+booth+flat"]
    assert kept(rows, "period_ns") == ["fast", "fast+flat"]
    every = [*every, recipes.parse("restructured+booth")]  # has no other
    assert kept(rows, "period_ns") == ["fast", "fast+flat", "restructured+booth"]
    every = every[:-1]
    assert len(kept(rows[:1], "area_um2")) == len(kept([], "area_um2")) == 4
    assert len(kept([rows[0], Attempt("area", error="gave up")], "area_um2")) == 4
    # Where both come to the same, those without are kept, whichever was tried first.
    alike = [row(90.0, 3.0, True, "area+booth"), row(90.0, 3.0, True)]
    assert kept(alike, "area_um2") == kept(alike[::-1], "area_um2") == ["fast", "fast+flat"]
    assert portfolio.ahead_of_others(every) == 2
    assert portfolio.ahead_of_others(every[1:]) == portfolio.ahead_of_others(every[:1]) == 1
    assert portfolio.ahead_of_others([]) == 1


def test_generic_recipes_are_for_small_designs():
    assert not portfolio.large(
        [row(1.0, 2.9, True, cells=6000), Attempt("area", error="no memory")]
    )
    assert portfolio.large([row(1.0, 2.9, True, cells=6000), row(1.0, 2.9, True, cells=6001)])


def test_abc_script_has_the_clock_in_ps():
    script = recipes.parse("fast").abc_script(3.0)
    assert "map -B 0.9 -D 3000\n" in script
    assert "upsize -c -D 2750\n" in script
    assert "map -B 0.9 -D 4000\n" in recipes.parse("balanced").abc_script(3.0)
    assert "-D 100\n" in recipes.parse("area").abc_script(0.2)
    assert "upsize -c -D 1000\n" in recipes.parse("hurried").abc_script(3.0)
    tight = recipes.parse("tight").abc_script(3.0)
    assert "map -B 0.9 -D 2500\n" in tight
    assert "upsize -c -D 2500\n" in tight
    # What is left for clock-to-output delays and setup times is twice as long in a slower library.
    assert "upsize -c -D 2500\n" in recipes.parse("fast").abc_script(3.0, pace=2.0)
    assert "upsize -c -D 1500\n" in recipes.parse("tight").abc_script(3.0, pace=4.0)


def test_constants_are_held_by_the_cells_of_their_values():
    cells, library = goal_at(3.0).technology.cells, Library(LIBERTY)
    found = re.fullmatch(r"hilomap -hicell (\S+) (\S+) -locell (\S+) (\S+)", ties(cells))
    high, high_pin, low, low_pin = found.groups()
    assert library[high].pins[high_pin].function == "1"
    assert library[low].pins[low_pin].function == "0"
    assert ties(replace(cells, high=None)) == ties(replace(cells, low=None)) == ""


def test_only_what_drives_other_modules_is_taken_to_have_a_hundred_loads():
    assert recipes.parse("driving").load == 100
    assert {recipes.parse(name).load for name in ("hurried", "area", "tight", "sized")} == {1}


def test_recipes_come_in_groups_and_none_twice():
    first, second = portfolio.groups(["area", "fast+flat", "then", "fast"])
    assert [recipe.name for recipe in first] == ["area", "fast+flat"]
    assert [recipe.name for recipe in second] == ["fast"]
    assert portfolio.already(second[0], [Attempt("fast")])
    assert not portfolio.already(second[0], [Attempt("fast+flat")])


def test_like_recipes_are_left_out_where_the_first_is_far_too_slow():
    assert portfolio.far_too_slow([Attempt("area", period_ns=3.7)], 3.0)
    for period in (3.4, 2.0, None):
        assert not portfolio.far_too_slow([Attempt("area", period_ns=period)], 3.0)
    assert not portfolio.far_too_slow([Attempt("area", error="no memory")], 3.0)
    assert not portfolio.far_too_slow([], 3.0)


@pytest.mark.parametrize(
    ("like", "reached", "flat", "worth"),
    [
        ("fast+ripple", 4.4, "fast+ripple+flat", True),
        ("fast+ripple", 4.6, "fast+ripple+flat", False),
    ]
    + [("fast", 4.6, "fast+flat", True), ("fast+ripple", 4.6, "fast+ripple", True)],
)
def test_a_flat_recipe_with_rippling_adders_is_left_out_by_its_like(like, reached, flat, worth):
    tried = [row(1.0, reached, False, like, 9000)]
    assert portfolio.worth_trying(recipes.parse(flat), tried, 3.0) is worth


def test_a_generic_recipe_is_left_out_where_a_flat_one_saves_more():
    generic = recipes.parse("area+generic")
    area_row, flat = row(100.0, 2.9, True), row(94.9, 2.9, True, "area+flat")
    for tried, worth in (
        ([area_row], True),
        ([area_row, flat], False),
        ([area_row, replace(flat, area_um2=95.1)], True),
        ([row(200.0, 2.5, True, "fast"), area_row, replace(flat, area_um2=95.1)], True),
        ([row(200.0, 2.5, True, "fast"), area_row, flat], False),
        ([area_row, replace(flat, clock_met=False)], True),
        ([area_row, Attempt("area+flat", error="no memory")], True),
        ([flat], True),
    ):
        assert portfolio.worth_trying(generic, tried, 3.0) is worth
    every = [recipes.parse(n) for n in ("area+generic", "area+flat", "fast", "area+generic+flat")]
    staged = [[recipe.name for recipe in stage] for stage in portfolio.stages(every)]
    assert staged == [["fast"], ["area+flat", "area+generic+flat"], ["area+generic"]]


def test_best_is_the_smallest_that_meets_the_clock_else_about_the_fastest():
    small, quick, between = row(1.0, 4.0, False), row(3.0, 2.0, True), row(2.0, 2.9, True)
    assert portfolio.best([small, quick, between]) is between
    late = row(2.0, 3.5, False)
    assert portfolio.best([small, late]) is late
    nearly = row(1.5, 3.55, False)
    assert portfolio.best([small, late, nearly]) is nearly
    for period, taken in ((3.57, True), (3.571, False)):
        other = row(1.2, period, False)
        assert portfolio.best([small, late, other]) is (other if taken else late)


# Two recipes: small but slow, and fast; the path goes through both modules.
SMALL = {"Top": 10.0, "Leaf": 50.0}
FAST = {"Top": 12.0, "Leaf": 80.0}
DELAY = {("Top", "small"): 1.5, ("Top", "fast"): 1.0, ("Leaf", "small"): 2.0, ("Leaf", "fast"): 1.2}


def test_what_is_sped_up_is_the_smallest_that_is_not_far_too_slow():
    slow, middle, fast = row(90, 3.7, False), row(100, 3.5, False), row(120, 3.1, False)
    assert portfolio.to_speed_up([slow, fast, middle], 3.0) is middle
    assert portfolio.to_speed_up([slow, fast, middle], 3.1) is slow
    assert portfolio.to_speed_up([slow, fast, middle], 1.0) is fast


def test_slow_modules_have_a_tenth_of_the_whole_path():
    """The slowest first; a tenth of 10 ns is enough, of 10.01 it is not."""
    path = {"little": 0.4, "tenth": 1.0, "most": 5.2, "much": 3.4}
    assert mixing.Timing(0.0, path).slow_modules() == ["most", "much", "tenth"]
    assert mixing.Timing(0.0, path | {"much": 3.41}).slow_modules() == ["most", "much"]
    assert mixing.Timing(0.0, {}).slow_modules() == []


@pytest.mark.parametrize(("longest", "aside"), [(2.2, "small"), (2.3, "fast")])
@pytest.mark.parametrize("kind", [mixing.Mixer, ladder.Ladder])
def test_area_is_given_back_where_the_clock_is_missed_too(kind, longest, aside):
    """As long as the netlist is as fast as it was, 2.2 ns; of the module aside the smaller version
    makes it so slow."""
    versions = {
        "Path": {"fast": mixing.Version("path", 20.0)},
        "Aside": {"fast": mixing.Version("fast", 100.0), "small": mixing.Version("small", 30.0)},
    }

    def time(text):
        delay = longest if "small" in text else 2.2
        return mixing.Timing(2.0 - delay, {"Path": delay})

    mixer = kind(versions, time)
    choice = {"Path": "fast", "Aside": "fast"}
    found = mixer.mix("fast") if kind is mixing.Mixer else mixer.fit(choice, [], 0.0)
    assert found == {"Path": "fast", "Aside": aside}


@pytest.mark.parametrize(("small", "trials"), [(21.0, 2), (19.0, 4)])
def test_what_saves_less_than_a_hundredth_is_not_tried_by_itself(small, trials):
    """Of 1060 um2. Either of two smaller modules misses the clock: both are tried at once, and each
    by itself if it saves 11 um2."""
    versions = {
        module: {
            "fast": mixing.Version(f"{module} fast", 30.0),
            "small": mixing.Version(f"{module} small", small),
        }
        for module in ("One", "Two")
    }
    versions["Large"] = {"fast": mixing.Version("large", 1000.0)}

    def time(text):
        return mixing.Timing(0.1 - 0.2 * text.count("small"), {"One": 1.0, "Two": 1.0})

    mixer = mixing.Mixer(versions, time)
    assert mixer.mix("fast") == dict.fromkeys(versions, "fast")
    assert mixer.trials() == trials


@pytest.mark.parametrize(("left", "taken"), [(2.0, "better"), (0.1, "first")])
def test_in_haste_a_recipe_does_that_leaves_another_module_the_slowest(left, taken):
    """By the first of two the module takes 2 ns of the path of 4 ns, or hardly any of it."""
    slacks = {"small": -2.0, "first": -1.0, "better": -0.5}
    versions = {
        "Path": {recipe: mixing.Version(recipe, 10.0) for recipe in slacks},
        "Aside": {"small": mixing.Version("", 10.0)},
    }

    def time(text):
        own = left if "first" in text else 2.0
        return mixing.Timing(slacks[text.strip()], {"Path": own, "Aside": 4.0 - own})

    hasty = ladder.Ladder(versions, time)
    choice = {"Path": "small", "Aside": "small"}
    found, _ = hasty._fastest(choice, hasty.time(choice), "Path", [*slacks], 0.0)
    assert found["Path"] == taken


def mixed_for(period, start, jobs):
    """What the mixer chooses when delays add up, and how many of the timings it went by."""
    versions = {
        module: {
            "small": mixing.Version(f"{module} small", SMALL[module]),
            "fast": mixing.Version(f"{module} fast", FAST[module]),
        }
        for module in SMALL
    }

    def time(text):
        delay = sum(DELAY[tuple(line.split())] for line in text.splitlines())
        return mixing.Timing(period - delay, {"Leaf": 0.6 * delay, "Top": 0.4 * delay})

    mixer = mixing.Mixer(versions, time, jobs=jobs)
    return mixer.mix(start), mixer.trials()


@pytest.mark.parametrize("start", ["small", "fast"])
@pytest.mark.parametrize(
    ("period", "top", "leaf"),
    [(4.0, "small", "small"), (3.0, "fast", "small"), (2.7, "small", "fast")]
    + [(2.2, "fast", "fast"), (2.0, "fast", "fast")],
)
def test_mix_meets_the_clock_and_gives_back_area(start, period, top, leaf):
    choice, timings = mixed_for(period, start, jobs=1)
    assert timings <= 10
    assert mixed_for(period, start, jobs=3) == (choice, timings)
    if period == 3.0 and start == "small":
        assert choice == {"Top": "small", "Leaf": "fast"}  # the path's largest part goes first
    else:
        assert choice == {"Top": top, "Leaf": leaf}


@pytest.mark.parametrize("jobs", [1, 2])
def test_only_what_is_too_slow_is_mapped_by_faster_recipes(jobs):
    versions = {
        module: {"small": mixing.Version(f"{module} small", SMALL[module])} for module in SMALL
    }
    versions["Aside"] = {"small": mixing.Version("Aside small", 100.0)}
    delays = {**DELAY, ("Leaf", "middle"): 1.9, ("Leaf", "broken"): 0.1}
    made = []

    def make(module, recipe):
        made.append((module, recipe))
        areas = {"middle": 60.0, "fast": 80.0}
        if recipe == "broken":
            return None
        return mixing.Version(f"{module} {recipe}", areas[recipe])

    def time(text):
        on_path = [tuple(line.split()) for line in text.splitlines()]
        leaf, top = (
            delays[part] for name in ("Leaf", "Top") for part in on_path if part[0] == name
        )
        return mixing.Timing(3.0 - leaf - top, {"Leaf": leaf, "Top": top})

    mixer = mixing.Mixer(versions, time, [["middle", "fast", "broken"], ["unused"]], make, jobs)
    assert mixer.mix("small") == {"Top": "small", "Leaf": "fast", "Aside": "small"}
    # All of a group are mapped, whatever comes first: the last step, to make the module smaller
    # again, chooses among them, and shall not depend on how many are mapped at once.
    assert sorted(made) == [("Leaf", "broken"), ("Leaf", "fast"), ("Leaf", "middle")]


@pytest.mark.parametrize(("period", "taken"), [(3.5, "small"), (2.5, "fast"), (1.5, "hurried")])
@pytest.mark.parametrize("how", ["a group of its own", "at last"])
def test_what_comes_later_is_mapped_where_the_clock_is_missed_else(period, taken, how):
    delays, made = {"small": 3.0, "fast": 2.0, "hurried": 1.0}, []

    def make(module, recipe):
        made.append(recipe)
        return mixing.Version(recipe, 20.0)

    def time(text):
        return mixing.Timing(period - delays[text], {"Top": delays[text]})

    versions = {"Top": {"small": mixing.Version("small", 10.0)}}
    later = {"further": [["fast"], ["hurried"]]}
    if how == "at last":
        later = {"further": [["fast"]], "at_last": ["hurried"]}
    mixer = mixing.Mixer(versions, time, make=make, **later)
    assert mixer.mix("small") == {"Top": taken}
    assert made == list(delays)[1 : list(delays).index(taken) + 1]


@pytest.mark.parametrize(("area", "taken"), [(0.9, "driving"), (1.1, "fast")])
def test_what_is_hardly_any_of_the_area_is_made_strong_at_once(area, taken):
    delays = {"small": 3.0, "fast": 2.0, "driving": 1.0}
    versions = {
        "Driver": {"small": mixing.Version("small", area)},
        "Rest": {"small": mixing.Version("", 100.0 - area)},
    }
    mixer = mixing.Mixer(
        versions,
        lambda text: mixing.Timing(2.5 - delays[text.strip()], {"Driver": 1.0}),
        [["fast"]],
        lambda module, recipe: mixing.Version(recipe, 2 * area),
        at_once=["driving"],
    )
    assert mixer.mix("small") == {"Driver": taken, "Rest": "small"}


def test_mixes_are_timed_beside_each_other_and_all_comes_out_the_same():
    delays = {"small": 3.0, "a": 2.6, "b": 2.5, "c": 2.2, "d": 1.4}
    versions = {"Top": {r: mixing.Version(r, 5.0 - delay) for r, delay in delays.items()}}
    asked = []

    def time(text):
        asked.append(text)
        return mixing.Timing(2.3 - delays[text], {"Top": delays[text]})

    for jobs, timed in ((1, ["small", "a", "b", "c"]), (2, ["small", "a", "b", "c", "d"])):
        mixer = mixing.Mixer(versions, time, jobs=jobs)
        assert (mixer.mix("small"), mixer.trials()) == ({"Top": "c"}, 4)
        assert sorted(asked) == sorted(timed)
        asked.clear()


def test_no_mix_is_timed_that_has_a_known_slow_path():
    delays = {"small": 3.0, "a": 1.5, "b": 1.4, "c": 1.3}
    areas = {"small": 10.0, "a": 20.0, "b": 19.0, "c": 18.0}
    versions = {
        module: {r: mixing.Version(f"{module} {r}", areas[r]) for r in delays}
        for module in ("Left", "Right")
    }
    asked = []

    def time(text):
        asked.append(text.split()[1::2])
        left, right = (delays[recipe] for recipe in asked[-1])
        slower = ("Left", left + 0.1) if left >= right else ("Right", right)
        return mixing.Timing(1.8 - slower[1], dict([slower]))

    assert mixing.Mixer(versions, time).mix("small") == {"Left": "c", "Right": "c"}
    # With Left sped up, Right's path is the slowest, whatever made Left faster; nor may either be
    # small again.
    assert asked == [["small", "small"], ["a", "small"], ["a", "a"], ["c", "c"]]


def test_nothing_is_mapped_anew_where_the_clock_is_met():
    versions = {"Top": {"small": mixing.Version("Top small", 10.0)}}
    mixer = mixing.Mixer(versions, lambda text: mixing.Timing(0.1, {"Top": 1.0}), [["fast"]], None)
    assert mixer.mix("small") == {"Top": "small"}


class RoughParts(netlists.Parts):
    """One module by two recipes, timed 0.02 ns better than it is in trials."""

    delays = {"small": 3.0, "fast": 2.0}
    areas = {"small": 10.0, "fast": 20.0}

    def __init__(self, names, start, goal):
        assert ([*names], start) == (["small", "fast"], "small")
        self.period = goal.period

    def versions(self):
        return {"Top": {r: netlists.Version(r, self.areas[r]) for r in self.delays}}

    def make(self, module, recipe):
        raise AssertionError("no further recipe")

    def time(self, text):
        slack = self.period - self.delays[text] + 0.02
        return netlists.Timing(slack, {"Top": self.delays[text]})

    def write(self, choice, name, goal):
        assert name == netlists.MIXED
        reached, area = self.delays[choice["Top"]], self.areas[choice["Top"]]
        slack = self.period - reached
        timing = opensta.Summary(slack, None, reached, slack >= 0, None, None, 0, 0, 0)
        return {"area_um2": area, "cells": 1}, timing


@pytest.mark.parametrize(("period", "taken"), [(3.0, "small"), (2.99, "fast")])
def test_a_mix_that_misses_the_clock_though_trials_met_it_is_mixed_anew(monkeypatch, period, taken):
    monkeypatch.setattr(netlists, "Parts", RoughParts)
    monkeypatch.setattr(netlists, "modules_of", lambda recipe: {})
    goal = goal_at(period)
    found, choice = netlists.mixed(["small", "fast"], "small", goal)
    assert choice == {"Top": taken}
    assert (found.clock_met, found.area_um2) == (True, RoughParts.areas[taken])


def test_a_module_that_fails_or_takes_too_long_in_a_mix_stays_as_it_is(monkeypatch):
    def top(cells):
        own = area.Own(1.0 * cells, 0.0, cells, {})
        return {"Top": modules.Module("module Top", own, {}, {})}

    outcomes = {
        "fast": top(7)["Top"],
        "tight": netlists.YosysError("no"),
        "restructured": subprocess.TimeoutExpired("yosys", 1.0),
    }

    def make_modules(recipe, source, names, goal):
        if isinstance(outcomes[recipe.name], Exception):
            raise outcomes[recipe.name]
        yield "Top", outcomes[recipe.name]

    monkeypatch.setattr(netlists, "source_of", lambda goal: None)
    monkeypatch.setattr(netlists, "make_modules", make_modules)
    parts = netlists.Parts({"area": top(3)}, "area", goal_at(3.0))
    assert [parts.make("Top", recipe) for recipe in ("tight", "restructured")] == [None, None]
    assert parts.versions()["Top"].keys() == {"area"}
    assert parts.make("Top", "fast").area == 7.0
    assert parts.versions()["Top"].keys() == {"area", "fast"}


def test_huge_netlists_are_tried_by_few_recipes():
    def tried(cells, *names):
        rows = [row(1.0, 2.9, True, name, cells) for name in names]
        every = [recipes.parse(n) for n in ("area+fa", "area", "area+flat", "area+generic", "fast")]
        return [recipe.name for recipe in every if portfolio.worth_trying(recipe, rows, 3.0)]

    assert tried(65_000, "area+fa") == ["area+fa", "area", "area+flat", "fast"]
    assert tried(65_001, "area+fa") == ["area+fa", "fast"]
    assert tried(65_001, "fast+fa") == ["area+fa", "area"]
    assert not portfolio.huge([row(1.0, 2.9, True, cells=65_000)])
    assert portfolio.huge([row(1.0, 2.9, True, cells=65_001), Attempt("area", error="no memory")])
    assert not portfolio.huge(
        [row(1.0, 2.9, True, cells=97_000), row(1.0, 2.9, True, cells=55_000)]
    )
    assert not portfolio.huge([Attempt("area", error="no memory")])


def test_cells_belong_to_the_innermost_instance_of_their_name():
    paths = hierarchy.instance_paths({"Top": {"a": "A"}, "A": {"b.c": "B"}}, "Top")
    assert paths == {"": "Top", "a": "A", "a.b.c": "B"}
    assert hierarchy.holder("a.b.c._1_", paths) == ("a.b.c", "B")
    assert hierarchy.holder("a.b.d_reg", paths) == ("a", "A")
    assert hierarchy.holder("_7_", paths) == ("", "Top")


def test_flat_cells_belong_to_the_nearest_register_they_feed():
    netlist = netlist_of(
        *("Top", "-> z"),
        *("DFF_X1 u.x_reg D=a Q=x", "DFF_X1 v.y_reg D=b Q=y", "INV_X1 near_x A=c ZN=a"),
        *("INV_X1 far A=y ZN=c", "NAND2_X1 near_y A1=c A2=x ZN=b", "INV_X1 out A=x ZN=z"),
    )
    output_pins = {"DFF_X1": ["Q"], "INV_X1": ["ZN"], "NAND2_X1": ["ZN"]}
    paths = {"": "Top", "u": "U", "v": "V"}
    owners = hierarchy.owners_by_register(netlist, output_pins, paths, {"DFF_X1"})
    assert owners["near_x"] == ("u", "U")
    assert owners["near_y"] == ("v", "V")
    assert owners["far"] == ("u", "U")
    assert owners["out"] == ("", "Top")


def test_a_recipe_that_takes_too_long_is_given_up(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    netlists.TEMPORARY.mkdir(parents=True)
    DESIGN.write_text('`include "all.v"')
    for library in (netlists.LIBRARY, netlists.CELLS):
        library.write_text("")
    shutil.copy(LIBERTY.with_name(SAYS), netlists.WORK)
    goal = goal_at(3.0)
    got = netlists.candidate(recipes.parse("area"), goal)
    assert got == Attempt("area", error="given up after 0 s")


def test_a_recipe_is_beaten_as_soon_as_no_netlist_with_its_modules_can_win():
    def own(area_um2):
        return area.Own(area_um2, 0.0, 1, {})

    known = rival.Rival(100.0, {"Top": 1, "Row": 4}, {"Top": 20.0, "Row": 78.0})
    assert known.largest_first(["Top", "Gone", "Row"]) == ["Row", "Top", "Gone"]
    assert not known.beats({"Row": own(24.0)})  # 96: the rest may be next to nothing
    assert not known.beats({"Row": own(26.0)})  # 104, but a mix has rows of 78, and who knows
    assert not known.beats({"Row": own(26.0), "Top": own(20.5)})  # 124.5, and mixed 98
    assert not known.beats({"Row": own(19.7), "Top": own(20.5)})  # 99.3
    closer = rival.Rival(98.9, known.number, known.least)
    assert closer.beats({"Row": own(26.0), "Top": own(20.5)})  # a mix of 98 is worth no trial
    assert closer.beats({"Row": own(19.5), "Top": own(21.0)})  # 99
    assert not closer.beats({"Row": own(19.3), "Top": own(21.0)})  # 98.2


def stat(**modules):
    return {"modules": {f"\\{name}": module for name, module in modules.items()}}


def test_areas_of_a_deep_hierarchy_add_up():
    leaf = {"area": 2.0, "sequential_area": 1.0, "num_cells": 2, "num_cells_by_type": {"INV_X1": 2}}
    middle = {
        **{"area": 7.0, "sequential_area": 3.0, "num_cells": 1},
        "num_cells_by_type": {"INV_X1": 1, "Leaf": 3},
    }
    top = {
        **{"area": 16.5, "sequential_area": 7.0, "num_cells": 1},
        "num_cells_by_type": {"BUF_X1": 1, "Middle": 2, "Leaf": 1},
    }
    figures = area.own_figures(stat(Top=top, Middle=middle, Leaf=leaf))
    rows = area.module_areas(figures, "Top")
    got = {r.module: (r.instances, r.area_each_um2, r.area_um2) for r in rows}
    assert got == {"Leaf": (7, 2.0, 14.0), "Middle": (2, 1.0, 2.0), "Top": (1, 0.5, 0.5)}
    assert {r.module: r.sequential_area_um2 for r in rows} == {
        **{"Leaf": 7.0, "Middle": 0.0, "Top": 0.0},
    }
    assert [r.area_each_with_submodules_um2 for r in rows] == [2.0, 7.0, 16.5]
    assert area.totals(figures, "Top") == {
        **{"area_um2": 16.5, "sequential_area_um2": 7.0, "cells": 17},
    }


def test_instances_of_modules_that_are_mapped_apart_are_no_cells():
    """yosys counts them as such; their area is not known here."""
    top = {"area": 3.5, "num_cells": 9, "num_cells_by_type": {"INV_X1": 4, "\\Part": 5}}
    figures = area.own_figures(stat(Top=top), {"Part", "Other"})
    assert figures == {"Top": area.Own(3.5, 0.0, 4, {"Part": 5})}


def test_cells_outside_the_library_are_named():
    cells = ("INV_X1 _0_ A=a", "$_DLATCH_P_ _1_", "Box box")
    netlist = netlist_of("Top", "a -> y", *cells)
    assert area.unmapped_cells(netlist, {"INV_X1"}) == ["$_DLATCH_P_", "Box"]


def test_pins_belong_to_the_innermost_instance_of_their_path():
    tree = {"Leaf": {}, "Mid": {"l[0]": "Leaf"}, "Top": {"m": "Mid"}}
    paths = hierarchy.instance_paths(tree, "Top")
    assert hierarchy.holder("m/l[0]/_1_/ZN".replace("/", "."), paths) == ("m.l[0]", "Leaf")
    assert hierarchy.holder("r[0]_reg/Q".replace("/", "."), paths) == ("", "Top")
    assert hierarchy.holder("a", paths) == ("", "Top")


def test_two_steps_may_not_claim_one_metric():
    merged = summary.merge({"a": {"metrics": {"x": 1}, "more": 2}, "b": {"metrics": {"y": 3}}})
    assert merged["metrics"] == {"x": 1, "y": 3}
    assert merged["steps"] == {"a": {"more": 2}, "b": {}}
    with pytest.raises(ValueError, match="step b: metrics already given: x"):
        summary.merge({"a": {"metrics": {"x": 1}}, "b": {"metrics": {"x": 3}}})


def test_sta_refuses_a_netlist_with_an_unknown_cell(tmp_path):
    netlist = tmp_path / "netlist.v"
    netlist.write_text("module Top(a, y); input a; output y; NOPE_X1 n (.A(a), .ZN(y)); endmodule")
    with pytest.raises(opensta.StaError, match="NOPE_X1 not found"):
        opensta.run_sta(netlist, "Top", LIBERTY, 3.0, "clk")
    netlist.write_text("module Top(a, y); input a; output y; BUF_X1 n (.A(a), .Z(y)); endmodule")
    timing = opensta.summary(opensta.run_sta(netlist, "Top", LIBERTY, 3.0, "clk"), 3.0)
    assert timing.start == "a"
    assert timing.clock_met


def test_sta_that_stops_early_is_no_result(tmp_path, monkeypatch):
    (tmp_path / "sta").write_text("#!/bin/sh\necho RESULT setup_slack 1.0\n")
    (tmp_path / "sta").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(opensta.StaError, match=r"sta stopped early: RESULT setup_slack 1\.0"):
        opensta.run_sta(tmp_path / "n.v", "Top", LIBERTY, 3.0, "clk")


def test_error_lines_of_a_log(tmp_path):
    log = tmp_path / "log"
    log.write_text("fine\n\x1b[31mE   AssertionError: no netlist\x1b[0m\nmake: *** Error 1\n")
    assert error_lines(log) == ["AssertionError: no netlist"]
    log.write_text("nothing plain\nkilled\n")
    assert error_lines(log) == ["nothing plain", "killed"]
