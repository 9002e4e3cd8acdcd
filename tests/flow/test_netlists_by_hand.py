"""What is known of netlists, how often each is timed, and which mix settles; without any tool."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from flow import opensta
from flow.results.netlist import MIXED
from flow.synthesis import netlists
from flow.synthesis.area import Own
from flow.synthesis.mix import Timing
from flow.synthesis.modules import Module
from flow.synthesis.netlists import Goal, Parts, at_clock, candidate, finished, mixed, modules_of
from flow.synthesis.portfolio import groups
from flow.synthesis.recipes import Recipe
from flow.synthesis.rival import Rival
from flow.synthesis.workers import YosysError
from flow.technologies.files import SAYS
from flow.technologies.technology import Outside
from sim.stages import stages
from tests.flow import made_up_library
from tests.flow.toys import LIBERTY

pytestmark = pytest.mark.quick


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    netlists.WORK.mkdir()
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(netlists, "in_turn", lambda work: work())
    monkeypatch.setattr(netlists, "_sta_version", lambda: "1")
    Path("design.v").write_text("module Top; endmodule\n")


def goal_at(period: float = 3.0, **more) -> Goal:
    return Goal(Path("design.v"), LIBERTY, "Top", period, "clk", (), 60.0, **more)


def module(name: str, area: float, cells: int, sequential: float = 0.0, **below: int) -> Module:
    return Module(f"module {name}", Own(area, sequential, cells, below), {}, {})


def summary(slack: float, period: float) -> opensta.Summary:
    return opensta.Summary(slack, None, period - slack, slack >= 0, None, None, 0, 0, 0)


DESIGN = {"Top": module("Top", 10.0, 4, 5.0, Leaf=3), "Leaf": module("Leaf", 2.5, 2, 1.0)}


def test_a_netlist_is_left_under_its_name() -> None:
    netlists.write_modules("area", DESIGN)
    assert Path("candidates/area.v").read_text() == "module Top\nmodule Leaf"
    assert modules_of("area") == DESIGN
    assert netlists.figures(DESIGN) == {name: one.own for name, one in DESIGN.items()}
    assert netlists.tree_of(DESIGN) == {"Top": {}, "Leaf": {}}


def test_each_tool_has_what_it_needs_of_the_library(tmp_path) -> None:
    """None needs power, yosys no delays, trials the latest edges alone; what is known of cells is
    beside them."""
    made_up_library.library(tmp_path)
    path = tmp_path / "made.lib"
    assert "internal_power" in path.read_text()
    netlists.write_library(path)
    text, cells, latest = (
        one.read_text() for one in (netlists.LIBRARY, netlists.CELLS, netlists.LATEST)
    )
    for one in (text, cells, latest):
        assert "cell (INV)" in one
        assert "internal_power" not in one
        assert "leakage_power ()" not in one
    assert "cell_rise" in text
    assert "timing ()" not in cells
    assert "cell_rise" in latest
    assert (netlists.WORK / SAYS).read_bytes() == path.with_name(SAYS).read_bytes()


def test_what_is_said_is_a_line_that_is_there_at_once(capsys) -> None:
    netlists.say({"mapped": ["Top"]})
    assert json.loads(capsys.readouterr().out) == {"mapped": ["Top"]}


class Sta:
    """Stands for OpenSTA, and counts how often it is asked."""

    def __init__(self, monkeypatch) -> None:
        self.asked: list[tuple] = []
        monkeypatch.setattr(opensta, "run_sta", self)
        netlists.LATEST.write_text("latest")

    def __call__(self, netlist, top, library, period, clock_port, **how) -> str:
        self.asked.append((netlist, top, library, period, clock_port, how))
        return f"answer {len(self.asked)}"


def test_what_was_said_of_a_netlist_is_not_asked_again(monkeypatch) -> None:
    sta, netlist = Sta(monkeypatch), Path("one.v")
    netlist.write_text("text")
    assert netlists.sta(netlist, goal_at()) == netlists.sta(netlist, goal_at()) == "answer 1"
    [asked] = sta.asked
    how = {"report": False, "quick": True, "rough": False}
    assert asked == (netlist, "Top", netlists.LATEST, 3.0, "clk", how)
    same = Path("two.v")
    same.write_text("text")
    assert netlists.sta(same, goal_at()) == "answer 1"


def test_another_clock_text_library_or_kind_is_another_question(monkeypatch) -> None:
    sta, netlist = Sta(monkeypatch), Path("one.v")
    netlist.write_text("text")
    netlists.sta(netlist, goal_at())
    netlists.sta(netlist, goal_at(2.0))
    netlists.sta(netlist, goal_at(), trial=True)
    assert sta.asked[-1][-1] == {"report": True, "quick": True, "rough": True}
    other = Goal(Path("design.v"), LIBERTY, "Other", 3.0, "clk", (), 60.0)
    netlists.sta(netlist, other)
    netlists.sta(netlist, Goal(Path("design.v"), LIBERTY, "Top", 3.0, "clock", (), 60.0))
    netlist.write_text("other text")
    netlists.sta(netlist, goal_at())
    netlists.LATEST.write_text("other library")
    netlists.sta(netlist, goal_at())
    monkeypatch.setattr(netlists, "_sta_version", lambda: "2")
    assert netlists.sta(netlist, goal_at()) == "answer 8"


def test_what_is_around_a_design_and_who_asks_are_in_the_question(monkeypatch) -> None:
    """The load of outputs is none of the library's, and no argument."""
    sta, netlist, given = Sta(monkeypatch), Path("one.v"), goal_at().technology
    netlist.write_text("text")
    netlists.sta(netlist, goal_at())
    other = msgspec.structs.replace(given, outside=Outside(given.outside.driving_cell, 9.0))
    monkeypatch.setattr(netlists, "beside", lambda liberty: other)
    assert netlists.sta(netlist, goal_at()) == "answer 2"
    code = SimpleNamespace(digest=lambda stages: f"another {stages}")
    monkeypatch.setattr(netlists, "stages", lambda: code)
    assert netlists.sta(netlist, goal_at()) == "answer 3"
    assert stages().owner(opensta.SCRIPT) == "flow"
    assert len(sta.asked) == 3


def test_a_recipe_ends_in_a_netlist_or_says_why_there_is_none(monkeypatch) -> None:
    netlists.write_modules("area", DESIGN)
    monkeypatch.setattr(netlists, "make", lambda recipe, goal, rival: None)
    monkeypatch.setattr(netlists, "timed", lambda netlist, goal: summary(0.25, goal.period))
    found = candidate(Recipe("area"), goal_at())
    assert (found.recipe, found.area_um2, found.cells) == ("area", 10 + 3 * 2.5, 4 + 3 * 2)
    assert (found.setup_slack_ns, found.period_ns, found.clock_met) == (0.25, 2.75, True)
    assert 0 <= found.seconds < 60
    assert found.trials is None
    for raised, error, beaten in (
        (netlists.Beaten("by another"), None, "by another"),
        (subprocess.TimeoutExpired("yosys", 1.0), "given up after 60 s", None),
        (YosysError("no memory"), "no memory", None),
        (opensta.StaError("no clock"), "no clock", None),
    ):

        def fails(recipe, goal, rival, raised=raised):
            raise raised

        monkeypatch.setattr(netlists, "make", fails)
        row = candidate(Recipe("fast"), goal_at())
        assert (row.recipe, row.error, row.beaten, row.cells) == ("fast", error, beaten, 0)


def test_a_recipe_is_given_up_as_soon_as_its_modules_are_too_large(monkeypatch) -> None:
    """The largest module is mapped first, and alone is as large as all of the rival."""
    source = SimpleNamespace(names=["Top", "Leaf", "Rest"], usual=True)
    every = DESIGN | {"Rest": module("Rest", 1.0, 1)}
    made: list[str] = []

    def make_modules(recipe, source, names, goal):
        for name in names:
            made.append(name)
            yield name, every[name]

    monkeypatch.setattr(netlists, "source_of", lambda goal: source)
    monkeypatch.setattr(netlists, "make_modules", make_modules)
    number, least = {"Top": 1, "Leaf": 3, "Rest": 1}, {"Top": 4.0, "Leaf": 7.5, "Rest": 1.0}
    with pytest.raises(netlists.Beaten, match="1 of 3 modules are no smaller than all"):
        netlists.make(Recipe("area"), goal_at(), Rival(7.5, number, least))
    assert made == ["Leaf"]
    made.clear()
    netlists.make(Recipe("area"), goal_at(), Rival(99.0, number, least))
    assert made == ["Leaf", "Top", "Rest"]
    assert [*modules_of("area")] == ["Top", "Leaf", "Rest"]  # as in the source
    made.clear()
    netlists.make(Recipe("area"), goal_at(), None)
    assert made == ["Top", "Leaf", "Rest"]


@pytest.mark.parametrize(
    ("recipe", "seed", "usual", "whole"),
    [("area", 0, True, False), ("area+flat", 0, True, True), ("area", 1, True, True)]
    + [("area", 0, False, True)],
)
def test_what_is_mapped_whole(monkeypatch, recipe, seed, usual, whole) -> None:
    """Flat netlists, those under a seed, and designs whose modules do not stand alone."""
    [[asked]] = groups([recipe])
    source = SimpleNamespace(names=["Top"], usual=usual)
    monkeypatch.setattr(netlists, "source_of", lambda goal: source)
    monkeypatch.setattr(
        netlists, "make_modules", lambda *asked: (one for one in [("Top", DESIGN["Top"])])
    )
    monkeypatch.setattr(
        netlists, "map_text", lambda recipe, text, goal, top: {top: module(text, 1.0, 1)}
    )
    netlists.make(asked, goal_at(seed=seed), None)
    text = modules_of(recipe)["Top"].text
    assert (text == "module module Top; endmodule\n") == whole
    assert (text == "module Top") == (not whole)


def test_a_row_is_timed_for_another_clock(monkeypatch) -> None:
    asked = []
    row = finished("area", {"area_um2": 5.0, "cells": 3.0}, summary(-0.1, 1.0), 0.0, 8)
    assert (row.trials, row.clock_met, row.cells) == (8, False, 3)

    def timed(netlist, goal):
        asked.append((netlist, goal.period))
        return summary(0.4, goal.period)

    monkeypatch.setattr(netlists, "timed", timed)
    again = at_clock(row, goal_at(1.5))
    assert asked == [(Path("candidates/area.v"), 1.5)]
    assert (again.setup_slack_ns, again.period_ns, again.clock_met) == (0.4, 1.1, True)
    assert (again.area_um2, again.trials, again.recipe) == (5.0, 8, "area")


# Mixes.


def parts(monkeypatch, **more) -> Parts:
    monkeypatch.setattr(netlists, "source_of", lambda goal: SimpleNamespace(names=["Top", "Leaf"]))
    small = {"Top": DESIGN["Top"], "Leaf": module("Leaf", 2.0, 1)}
    return Parts({"fast": DESIGN, "area": small}, "fast", goal_at(**more))


def test_versions_have_the_area_of_all_instances(monkeypatch) -> None:
    found = parts(monkeypatch).versions()
    assert {name: {r: v.area for r, v in by.items()} for name, by in found.items()} == {
        "Top": {"fast": 10.0, "area": 10.0},
        "Leaf": {"fast": 7.5, "area": 6.0},
    }
    assert found["Leaf"]["area"].text == "module Leaf"


def test_modules_that_are_mapped_later_are_counted_and_for_their_own_clock(monkeypatch) -> None:
    made, asked = parts(monkeypatch), []

    def make_modules(recipe, source, names, goal):
        asked.append((recipe.name, names, goal.period))
        yield "Leaf", module("Leaf", 4.0, 1)

    monkeypatch.setattr(netlists, "make_modules", make_modules)
    assert made.mappings == 0
    assert made.make("Leaf", "tight@1.5").area == 12.0
    assert made.make("Leaf", "tight").area == 12.0
    assert asked == [("tight", ["Leaf"], 1.5), ("tight", ["Leaf"], 3.0)]
    assert made.mappings == 2
    assert {"tight@1.5", "tight"} < made.versions()["Leaf"].keys()


def test_a_mix_is_timed_by_the_modules_on_its_path(monkeypatch) -> None:
    """Three cells of a leaf, each as a recipe calls the instance, and one of the top; the file of a
    trial does not stay."""
    monkeypatch.setattr(netlists, "source_of", lambda goal: SimpleNamespace(names=["Top", "Leaf"]))
    top = {"fast": {"one": "Leaf"}, "area": {"two": "Leaf"}}
    made = Parts(
        {
            recipe: {"Top": replace(DESIGN["Top"], instances=inside), "Leaf": DESIGN["Leaf"]}
            for recipe, inside in top.items()
        },
        *("fast", goal_at()),
    )
    later = replace(DESIGN["Top"], instances={"three": "Leaf"})
    monkeypatch.setattr(netlists, "make_modules", lambda *asked: [("Top", later)])
    assert made.make("Top", "tight")
    seen = []

    def sta(path, goal, trial=False):
        seen.append((path.name, path.read_text(), trial))
        return "said"

    points = [("one/g1/Z", 0.25), ("two/g2/Z", 0.5), ("three/g2/Z", 1.0), ("g3/Z", 0.125)]
    monkeypatch.setattr(netlists, "sta", sta)
    monkeypatch.setattr(opensta, "summary", lambda said, period: summary(-0.3, period))
    monkeypatch.setattr(opensta, "path_report", lambda said: said)
    monkeypatch.setattr(
        opensta,
        "path_points",
        lambda said, technology: [SimpleNamespace(pin=p, delay_ns=d) for p, d in points],
    )
    assert made.time("text") == Timing(-0.3, {"Leaf": 1.75, "Top": 0.125})
    made.time("other")
    assert seen == [("trial-0.v", "text", True), ("trial-1.v", "other", True)]
    assert list(netlists.WORK.glob("trial-*")) == []
    monkeypatch.setattr(
        opensta, "summary", lambda said, period: SimpleNamespace(setup_slack_ns=None)
    )
    assert made.time("text").slack == float("inf")


@pytest.mark.parametrize(
    ("in_trial", "slacks", "asked"),
    [
        (0.2, [0.0], [0.2]),  # it meets the clock
        (0.25, [-0.1, 0.0], [0.2, 0.35]),  # 0.05 better than asked for, and 0.1 too slow
        (0.2, [-0.1, -0.1], [0.2, 0.3]),  # chosen anew but once
        (0.19, [-0.1], [0.2]),  # the trial missed it, too: there is none
    ],
)
def test_a_mix_is_chosen_anew_where_trials_were_too_rough(
    monkeypatch, in_trial, slacks, asked
) -> None:
    made, heard = parts(monkeypatch), []
    left = iter(slacks)

    def choose(enough):
        heard.append(pytest.approx(enough))
        return {"Top": "fast", "Leaf": ("area", "fast")[len(heard) - 1]}

    mixer = SimpleNamespace(
        time=lambda choice: Timing(in_trial, {}), trials=lambda: 11 + len(heard)
    )
    monkeypatch.setattr(netlists, "timed", lambda path, goal: summary(next(left), goal.period))
    row, choice = made.settled("mine", mixer, choose, goal_at(), 0.2)
    assert asked == heard
    assert list(left) == []
    assert choice["Leaf"] == ("area", "fast")[len(asked) - 1]
    assert (row.recipe, row.trials, row.setup_slack_ns) == ("mine", 11 + len(asked), slacks[-1])
    assert row.area_um2 == (10.0 + 3 * 2.0, 17.5)[len(asked) - 1]
    assert modules_of("mine")["Leaf"].own.area == (2.0, 2.5)[len(asked) - 1]


@pytest.mark.parametrize(("further", "enough"), [((), 0.0), ((["tight"],), -0.002 * 3.0)])
def test_a_mix_with_further_recipes_may_miss_the_clock_by_a_little(
    monkeypatch, further, enough
) -> None:
    """Two thousandths of it, by which a rough trial may be off."""
    heard = {}

    class Made:
        time = make = None

        def __init__(self, known, start, goal):
            heard["parts"] = (known, start)

        def versions(self):
            return {}

        def settled(self, name, mixer, choose, goal, enough):
            heard["settled"] = (name, enough)
            choose(0.5)
            return "row", {}

    class Mixer:
        def __init__(self, versions, time, groups, make, jobs, once, last):
            heard["groups"] = (groups, once, last)

        def mix(self, start, least):
            heard["mix"] = (start, least)

    monkeypatch.setattr(netlists, "Parts", Made)
    monkeypatch.setattr(netlists, "Mixer", Mixer)
    monkeypatch.setattr(netlists, "modules_of", lambda name: name)
    by = [[Recipe(name) for name in group] for group in further]
    assert mixed(["area", "fast"], "fast", goal_at(), by, [Recipe("driving")], [])[0] == "row"
    assert heard["parts"] == ({"area": "area", "fast": "fast"}, "fast")
    assert heard["settled"] == (MIXED, pytest.approx(enough))
    assert heard["groups"] == ([*further], ["driving"], [])
    assert heard["mix"] == ("fast", 0.5)
