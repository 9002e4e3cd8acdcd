"""Which netlists are tried, mixed, composed and mended, by rows of figures and no tool at all."""

from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from flow.results.netlist import COMPOSED, MIXED, Attempt, Candidate, Resized
from flow.synthesis import curve, front, ladder, portfolio
from flow.synthesis.front import (
    EASIER,
    MENDED,
    MOST_MENDED,
    OUT_OF_REACH,
    Front,
    may_be_mended,
    may_win,
    search,
    smallest_modules,
    to_beat,
    try_group,
)
from flow.synthesis.ladder import STEP, relaxed_ns
from flow.synthesis.mix import WORTH
from flow.synthesis.netlists import Goal
from flow.synthesis.portfolio import HUGE, groups
from flow.synthesis.recipes import Recipe
from flow.synthesis.workers import YosysError
from sim.errors import RunError
from tests.flow.toys import LIBERTY

pytestmark = pytest.mark.quick
PERIOD = 1.0
SIZED = Resized(3, 50.0, 1.2, 9)


def goal_at(period: float = PERIOD) -> Goal:
    return Goal(Path("design.v"), LIBERTY, "Top", period, "clk", (), 0.0)


def row(recipe: str, area: float, period: float, cells: int = 900, at: float = PERIOD) -> Candidate:
    """A netlist, which meets the clock if it is as fast as that."""
    return Candidate(recipe, area, cells, at - period, period, period <= at, 1.0)


class Tools:
    """Stands for all that makes netlists, and notes what is asked of it."""

    def __init__(self, monkeypatch) -> None:
        self.asked: list[tuple] = []
        self.rows: dict[str, Candidate | Attempt] = {}
        self.rivals: list[object] = []
        self.mended: dict[str, Candidate] = {}
        self.composed: dict[float, Candidate | Exception] = {}
        self.parts = {"Top": (1, 10.0), "Leaf": (2, 50.0)}
        self.of: dict[str, dict[str, tuple[int, float]]] = {}
        self.mix = row(MIXED, 1.0, 0.9)
        for name in ("candidates", "mixed", "compose", "resized", "at_clock", "modules_of"):
            monkeypatch.setattr(front, name, getattr(self, f"_{name}"))
        monkeypatch.setattr(front, "figures", lambda modules: modules)
        monkeypatch.setattr(front, "module_areas", self._module_areas)

    def _candidates(self, recipes, goal, rival=None):
        self.rivals.append(rival)
        self.asked.append(("map", *(recipe.name for recipe in recipes)))
        return [self.rows[recipe.name] for recipe in recipes]

    def _mixed(self, recipes, start, goal, *others):
        self.asked.append(("mix", *recipes, start, *others))
        return self.mix, {"Top": "mixed"}

    def _compose(self, rows, faster, goal):
        self.asked.append(("compose", goal.period, [[r.name for r in g] for g in faster]))
        found = self.composed[goal.period]
        if isinstance(found, Exception):
            raise found
        return found, {"Top": f"for {goal.period:g}"}

    def _at_clock(self, one, goal):
        self.asked.append(("time", one.recipe, goal.period))
        return replace(one, clock_met=one.period_ns <= goal.period)

    def _resized(self, one, goal, to_meet=False):
        self.asked.append(("size", one.recipe, to_meet))
        return self.mended.get(one.recipe)

    def _modules_of(self, name):
        return self.of.get(name, self.parts)

    def _module_areas(self, modules, top):
        assert top == "Top"
        return [
            SimpleNamespace(module=name, instances=often, area_um2=area)
            for name, (often, area) in modules.items()
        ]


@pytest.fixture
def tools(monkeypatch) -> Tools:
    return Tools(monkeypatch)


def names(recipes: list[Recipe]) -> list[str]:
    return [recipe.name for recipe in recipes]


# What a mix, and a further recipe, have to beat.


def test_the_smallest_of_all_modules(tools) -> None:
    tools.of = {
        "area": {"Top": (1, 10.0), "Leaf": (2, 50.0)},
        "fast": {"Top": (1, 20.0), "Leaf": (2, 30.0)},
    }
    rows = [row("area", 60.0, 1.5), row("fast", 50.0, 1.2)]
    assert smallest_modules(rows, "Top") == ({"Top": 1, "Leaf": 2}, {"Top": 10.0, "Leaf": 30.0})


@pytest.mark.parametrize(("factor", "may"), [(1.001, True), (0.999, False)])
def test_a_mix_may_win_if_its_modules_are_a_hundredth_smaller(tools, factor, may) -> None:
    """Of 10 and 30 um2: beside one that meets the clock with 1 % more."""
    assert WORTH == 0.01
    tools.of = {
        "area": {"Top": (1, 10.0), "Leaf": (2, 50.0)},
        "fast": {"Top": (1, 20.0), "Leaf": (2, 30.0)},
    }
    rows = [row("area", 60.0, 1.5), row("fast", 50.0, 1.2)]
    rival = row("tight", 40 / 0.99 * factor, 1.0)
    assert may_win(rows, [row("area+flat", 90.0, 1.0), rival], "Top") == may
    assert may_win(rows, [], "Top")
    assert not may_win(rows[:1], [], "Top")
    tools.of["area"] = {"Top": (1, 10.0)}
    assert not may_win(rows, [], "Top")


def test_what_is_to_beat_is_the_smallest_with_hierarchy_that_meets_the_clock(tools) -> None:
    rows = [row("area", 60.0, 1.5), row("fast", 80.0, 0.9), row("tight", 90.0, 0.8)]
    flat = row("fast+flat", 50.0, 0.9)
    found = to_beat([*rows, flat, Attempt("sized", error="no memory")], "Top")
    assert found is not None
    assert (found.area, found.number, found.least) == (
        *(80.0, {"Top": 1, "Leaf": 2}),
        {"Top": 10.0, "Leaf": 50.0},
    )
    assert to_beat([rows[0], flat], "Top") is None


# A group of recipes.


def tried(tools, asked: str, known=(), is_last=False, metric="area_um2"):
    [group] = groups(asked.split())
    found = try_group(group, list(known), metric, is_last, goal_at())
    return [one.recipe for one in found]


def test_the_first_tells_whether_the_others_are_tried(tools) -> None:
    """More than 1.2 times the clock is far too slow; of the last group all are tried."""
    for period, last, expected in (
        (1.21, False, ["fast"]),
        (1.21, True, ["fast", "tight"]),
        (1.19, False, ["fast", "tight"]),
    ):
        tools.rows = {"fast": row("fast", 50.0, period), "tight": row("tight", 60.0, 0.9)}
        assert tried(tools, "fast tight", is_last=last) == expected


def test_what_was_tried_is_not_tried_again(tools) -> None:
    tools.rows = {"tight": row("tight", 60.0, 0.9)}
    assert tried(tools, "fast tight", [row("fast", 50.0, 1.1)]) == ["tight"]


def test_flat_ones_come_after_those_with_hierarchy_and_know_what_these_reached(tools) -> None:
    tools.rows = {
        "area": row("area", 60.0, 0.9),
        "fast": row("fast", 70.0, 0.8),
        "fast+flat": row("fast+flat", 50.0, 0.7),
        "area+generic": row("area+generic", 55.0, 0.9),
    }
    asked = "area fast+flat area+generic fast"
    assert tried(tools, asked) == ["area", "fast", "fast+flat"]  # generic saves no more than flat
    assert tools.asked == [("map", "area"), ("map", "fast"), ("map", "fast+flat"), ("map",)]
    first, second, third, _ = tools.rivals
    assert first is None
    assert second.area == third.area == 60.0


def test_a_pair_with_booth_and_without_decides_for_the_others(tools) -> None:
    """That pair may be of this group, or of one before."""
    tools.rows = {
        name: row(name, area, 0.9)
        for name, area in (
            *(("area+booth", 50.0), ("area", 60.0), ("fast+booth", 70.0), ("fast", 80.0)),
            *(("tight+booth", 90.0), ("tight", 99.0)),
        )
    }
    asked = "area+booth area fast+booth fast"
    assert tried(tools, asked) == ["area+booth", "area", "fast+booth"]
    known = [row("area+booth", 61.0, 0.9), row("area", 60.0, 0.9)]
    assert tried(tools, "fast+booth fast tight+booth tight", known) == ["fast", "tight"]
    # One of the pair was tried before, the other is the first of this group.
    assert tried(tools, "area fast+booth fast tight+booth tight", known[:1]) == [
        *("area", "fast", "tight"),
    ]


# Composing.


def front_of(*rows: Candidate | Attempt) -> Front:
    return Front(tried=list(rows))


FASTER = groups(["fast", "fast+flat", "then", "tight"])


@pytest.mark.parametrize(
    ("period", "reached", "does"),
    [
        (3.0 / STEP - 0.01, 4.0, True),
        (3.0 / STEP + 0.01, 4.0, False),  # so long that all is small as it is
        (1.0, 1.99, True),
        (1.0, 2.01, False),  # out of reach
        (1.0, 1 / STEP + 0.01, True),
        (1.0, 1 / STEP - 0.01, False),  # met with room
    ],
)
def test_where_a_netlist_is_composed(tools, period, reached, does) -> None:
    assert OUT_OF_REACH == 2
    assert relaxed_ns(goal_at()) == 3.0
    found, goal = front_of(row("area", 60.0, reached, at=period)), goal_at(period)
    easier = round(EASIER * period, 5)
    missed = row(COMPOSED, 80.0, 9.0, at=period)
    tools.composed = {easier: missed, period: row(COMPOSED, 90.0, period, at=period)}
    found.compose(FASTER, goal)
    if not does:
        assert (tools.asked, found.composed) == ([], None)
        return
    assert tools.asked == [("compose", at, [["fast"], ["tight"]]) for at in (easier, period)]
    assert found.composed == tools.composed[period]
    assert found.choices == {COMPOSED: {"Top": f"for {period:g}"}}
    assert found.hierarchical == (found.composed if reached > period else found.tried[0])


def test_the_fastest_netlist_tells_whether_one_is_composed(tools) -> None:
    """One of two is out of reach; and one of two meets the clock with room."""
    missed = row(COMPOSED, 80.0, 9.0)
    tools.composed = {1.05: missed, 1.0: missed}
    near = front_of(row("area", 60.0, 2.5), row("fast", 70.0, 1.5))
    near.compose(FASTER, goal_at())
    assert near.composed == missed
    met = front_of(row("area", 60.0, 1.5), row("fast", 70.0, 0.8))
    met.compose(FASTER, goal_at())
    assert met.composed is None


@pytest.mark.parametrize(("area", "taken"), [(80.79, True), (80.81, False), (None, False)])
def test_a_netlist_for_an_easier_clock_is_mended_for_a_hundredth_of_area(
    tools, area, taken
) -> None:
    tools.composed = {
        1.05: row(COMPOSED, 80.0, 1.04, at=1.05),
        1.0: row(COMPOSED, 90.0, 1.0),
    }
    if area:
        tools.mended = {COMPOSED: row(COMPOSED, area, 0.99)}
    found = front_of(row("area", 60.0, 1.5))
    found.compose(FASTER, goal_at())
    assert ("time", COMPOSED, 1.0) in tools.asked
    assert ("size", COMPOSED, True) in tools.asked
    assert found.composed == (tools.mended[COMPOSED] if taken else tools.composed[1.0])
    assert found.choices[COMPOSED] == {"Top": "for 1.05" if taken else "for 1"}


def test_a_netlist_for_an_easier_clock_that_meets_this_one_is_taken(tools) -> None:
    tools.composed = {1.05: row(COMPOSED, 80.0, 0.98, at=1.05)}
    found = front_of(row("area", 60.0, 1.5))
    found.compose(FASTER, goal_at())
    assert found.composed == tools.composed[1.05]
    assert [kind for kind, *_ in tools.asked] == ["compose", "time"]


def test_a_module_that_cannot_be_mapped_composes_nothing(tools) -> None:
    tools.composed = {1.05: YosysError("no")}
    found = front_of(row("area", 60.0, 1.5))
    found.compose(FASTER, goal_at())
    assert found.composed is None
    assert found.choices == {}


def test_what_is_too_slow_is_sped_up_module_by_module(tools) -> None:
    found = front_of(row("area", 60.0, 1.5), row("fast", 80.0, 1.19), row("tight", 85.0, 1.1))
    found.speed_up(FASTER, goal_at())
    [(kind, recipe, start, others, at_once, at_last)] = tools.asked
    assert (kind, recipe, start) == ("mix", "fast", "fast")
    assert [names(group) for group in others] == [["fast"], ["tight"]]
    assert (names(at_once), names(at_last)) == (["driving"], ["hurried"])
    assert found.mix == found.hierarchical == tools.mix
    assert found.choices == {MIXED: {"Top": "mixed"}}


# Mending.


@pytest.mark.parametrize(
    ("period", "may"), [(1.0, False), (1.001, True), (MENDED, True), (MENDED + 0.001, False)]
)
def test_what_misses_the_clock_by_little_may_be_mended(period, may) -> None:
    assert MENDED == 1.06
    assert may_be_mended(row("area", 60.0, period), PERIOD) == may


def test_the_smallest_that_is_near_is_mended_and_takes_its_own_place(tools) -> None:
    near, far, other = row("area", 60.0, 1.05), row("fast", 50.0, 1.07), row("tight", 70.0, 1.02)
    tools.mended = {"area": row("area", 62.0, 1.0), "tight": row("tight", 71.0, 1.0)}
    found = front_of(other, far, near, Attempt("sized", period_ns=1.01))
    found.mend(goal_at())
    assert tools.asked == [("size", "area", True)]
    assert found.tried == [other, far, tools.mended["area"], found.tried[3]]
    assert found.hierarchical == tools.mended["area"]
    assert found.given_up == {"area"}


def test_two_are_tried_to_mend_and_none_again(tools) -> None:
    assert MOST_MENDED == 2
    rows = [row(name, 60.0 + i, 1.05) for i, name in enumerate(("area", "fast", "tight"))]
    found = front_of(*rows)
    found.mend(goal_at())
    assert tools.asked == [("size", "area", True), ("size", "fast", True)]
    found.mend(goal_at())
    assert tools.asked[2:] == [("size", "tight", True)]
    assert found.tried == rows


@pytest.mark.parametrize(("area", "does"), [(98.9, True), (99.1, False)])
def test_what_is_no_hundredth_smaller_than_one_that_meets_is_not_mended(tools, area, does) -> None:
    found = front_of(row("fast", 100.0, 0.9), row("area", area, 1.05))
    found._choose()
    found.mend(goal_at())
    assert tools.asked == ([("size", "area", True)] if does else [])


@pytest.mark.parametrize("what", ["mix", "composed"])
def test_a_mix_and_what_was_composed_may_be_mended_too(tools, what) -> None:
    found = front_of(row("area", 60.0, 1.5))
    setattr(found, what, row(what, 58.0, 1.05))
    tools.mended = {what: row(what, 59.0, 1.0)}
    found.mend(goal_at())
    assert getattr(found, what) == found.hierarchical == tools.mended[what]


def test_the_netlist_that_is_chosen_is_sized_once(tools) -> None:
    flat, other = row("fast+flat", 70.0, 0.9), row("area", 60.0, 1.5)
    tools.mended = {"fast+flat": replace(row("fast+flat", 65.0, 0.95), resized=SIZED)}
    found = front_of(other, flat)
    found.judge(True, goal_at())
    found.finish(goal_at())
    assert tools.asked == [("size", "fast+flat", False)]
    assert found.flat == tools.mended["fast+flat"]
    assert found.tried == [other, found.flat]
    found.finish(goal_at())
    assert len(tools.asked) == 1
    Front().finish(goal_at())
    assert len(tools.asked) == 1


# Judging.


@pytest.mark.parametrize(
    ("rows", "is_last", "mixes"),
    [
        # One with hierarchy meets the clock: a mix may be smaller.
        ([("area", 60.0, 1.5), ("fast", 80.0, 0.9)], False, True),
        # None does: only after the last group, if they miss it by little, and no flat one meets it.
        ([("area", 60.0, 1.5), ("fast", 80.0, 1.1)], False, False),
        ([("area", 60.0, 1.5), ("fast", 80.0, 1.1)], True, True),
        ([("area", 60.0, 1.5), ("fast", 80.0, 1.21)], True, False),
        ([("area", 60.0, 1.5), ("fast", 80.0, 1.1), ("fast+flat", 90.0, 0.9)], True, False),
        ([("area", 60.0, 1.5), ("fast", 80.0, 1.1), ("fast+flat", 90.0, 1.05)], True, True),
        # A flat one that meets the clock is smaller than all smallest modules.
        ([("area", 60.0, 1.5), ("fast", 80.0, 0.9), ("fast+flat", 55.0, 0.9)], False, False),
        ([("area", 60.0, 0.9)], True, False),
    ],
)
def test_when_netlists_are_mixed(tools, rows, is_last, mixes) -> None:
    """All modules are of 60 um2 together at the least."""
    found = front_of(*(row(*one) for one in rows))
    found.mix = row(MIXED, 5.0, 0.5)  # of a group before
    found.judge(is_last, goal_at())
    asked = [("mix", "area", "fast", "fast" if rows[1][2] < 1.4 else "area")] if mixes else []
    assert tools.asked == asked
    assert found.mix == (tools.mix if mixes else None)
    flats = [one for one in found.tried if "flat" in one.recipe]
    assert found.flat == (flats[0] if flats else None)
    assert found.hierarchical == (tools.mix if mixes else found.tried[len(rows) > 1])


def test_there_may_be_no_netlist_at_all(tools) -> None:
    found = front_of(Attempt("area", error="no memory"))
    found.judge(True, goal_at())
    assert (found.best(), found.met()) == ([], False)
    found.flat = row("area+flat", 1.0, 0.9)
    assert (found.best(), found.met()) == ([found.flat], True)


# The search.


def searched(tools, monkeypatch, names_: str, usual: bool = True, period: float = PERIOD) -> Front:
    monkeypatch.setattr(front, "in_modules", lambda goal: usual)
    asked: list[float] = []

    def portfolio_for(clock_ns: float):
        asked.append(clock_ns)
        return groups(names_.split())

    found = search(portfolio_for, goal_at(period))
    tools.clocks = asked
    return found


def test_a_search_ends_with_the_group_that_meets_the_clock(tools, monkeypatch) -> None:
    tools.rows = {
        "area": row("area", 60.0, 1.3),
        "fast": row("fast", 80.0, 0.99),
        "tight": row("tight", 90.0, 0.9),
    }
    tools.mix = row(MIXED, 70.0, 0.99)
    found = searched(tools, monkeypatch, "area then fast then tight")
    assert [one.recipe for one in found.tried] == ["area", "fast"]
    assert found.best() == [tools.mix]
    assert tools.asked[-1] == ("size", MIXED, False)
    assert tools.clocks == [PERIOD]


@pytest.mark.parametrize(
    ("names_", "mixes"), [("area fast", True), ("area fast then tight", False)]
)
def test_a_first_group_that_is_the_last_one_is_mixed_too(tools, monkeypatch, names_, mixes) -> None:
    """Both miss the clock by little; what comes later meets it, and is mixed then."""
    tools.rows = {
        "area": row("area", 60.0, 1.15),
        "fast": row("fast", 80.0, 1.1),
        "tight": row("tight", 90.0, 0.9),
    }
    searched(tools, monkeypatch, names_)
    asked = [one for one in tools.asked if one[0] in ("map", "mix")]
    first = asked.index(next(one for one in asked if one[0] == "mix"))
    assert [one for kind, *names__ in asked[:first] for one in names__] == [
        *("area", "fast"),
        *([] if mixes else ["tight"]),
    ]


@pytest.mark.parametrize(("cells", "usual"), [(HUGE, True), (HUGE + 1, False), (HUGE + 1, True)])
def test_only_huge_designs_in_modules_are_composed(tools, monkeypatch, cells, usual) -> None:
    """By what is fast at the relaxed clock; if that misses the clock, it is sped up."""
    tools.rows = {
        "area": row("area", 60.0, 1.3, cells),
        "fast": row("fast", 80.0, 0.99, cells),
    }
    tools.composed = {1.05: row(COMPOSED, 70.0, 9.0), 1.0: row(COMPOSED, 70.0, 1.2)}
    found = searched(tools, monkeypatch, "area then fast", usual)
    kinds = [kind for kind, *_ in tools.asked]
    if cells > HUGE and usual:
        assert kinds == ["map", "compose", "compose", "mix", "size"]
        assert tools.clocks == [PERIOD, 3.0]
        assert found.composed == tools.composed[1.0]
        assert found.hierarchical == tools.mix
    else:
        assert kinds.count("map") > 1
        assert "compose" not in kinds
        assert tools.clocks == [PERIOD]


def test_what_was_composed_and_meets_the_clock_is_not_sped_up(tools, monkeypatch) -> None:
    tools.rows = {"area": row("area", 60.0, 1.3, HUGE + 1)}
    tools.composed = {1.05: row(COMPOSED, 70.0, 9.0), 1.0: row(COMPOSED, 70.0, 1.0)}
    found = searched(tools, monkeypatch, "area then fast")
    assert found.best() == [found.composed]
    assert "mix" not in [kind for kind, *_ in tools.asked]


def test_what_was_composed_and_misses_the_clock_by_little_is_mended_before_it_is_sped_up(
    tools, monkeypatch
) -> None:
    tools.rows = {"area": row("area", 60.0, 1.3, HUGE + 1)}
    tools.composed = {1.05: row(COMPOSED, 70.0, 9.0), 1.0: row(COMPOSED, 70.0, 1.05)}
    mended = replace(row(COMPOSED, 72.0, 1.0), resized=SIZED)
    tools.mended = {COMPOSED: mended}
    found = searched(tools, monkeypatch, "area then fast")
    assert [one for one in tools.asked if one[0] in ("mix", "size")] == [("size", COMPOSED, True)]
    assert found.best() == [mended]


# The curve.


class Rungs:
    """A ladder of three netlists, the second of which is no faster than the first."""

    def __init__(self) -> None:
        self.clocks = (3.0, 2.0, 1.5)
        self.goal = goal_at(4.0)
        self.ladder = SimpleNamespace(
            versions={"Top": 0, "Leaf": 0},
            trials=lambda: 7,
            area=lambda module, recipe: {"area": 10.12345, "fast": 20.0}[recipe],
        )
        self.parts = SimpleNamespace(mappings=4)
        self.heard: list[float] = []

    def down(self, clocks):
        self.heard += clocks
        yield 4.0, {"Top": "area", "Leaf": "area"}
        yield 3.0, {"Top": "area", "Leaf": "fast"}
        yield 2.0, {"Top": "fast", "Leaf": "fast"}

    def reached(self, choice) -> float:
        return {("area", "area"): 3.5, ("area", "fast"): 3.5}.get(tuple(choice.values()), 1.9)


def unsized(rungs):
    """Stand for what sizes gates, and gains nothing."""

    def finish(choice, goal):
        area = sum(rungs.ladder.area(module, by) for module, by in choice.items())
        return row(COMPOSED, area, rungs.reached(choice), at=goal.period)

    return finish


@pytest.fixture
def composing(monkeypatch):
    """What makes a curve, of rows at each clock that is asked for."""
    made = SimpleNamespace(rungs=Rungs(), rows={}, asked=[], of=[])

    def finish(parts, choice, goal):
        assert parts is made.rungs.parts
        return unsized(made.rungs)(choice, goal)

    def mapped(portfolio, goal):
        made.asked.append(goal.period)
        return made.rows[goal.period]

    def of(netlists, start, faster, goal):
        made.of.append((dict(netlists), start, faster, goal.period))
        return made.rungs

    monkeypatch.setattr(curve, "mapped", mapped)
    monkeypatch.setattr(curve, "finished_netlist", finish)
    monkeypatch.setattr(curve, "modules_of", lambda name: f"modules of {name}")
    monkeypatch.setattr(curve, "Rungs", SimpleNamespace(of=of))
    monkeypatch.setattr(curve, "say", lambda what: made.asked.append(what))
    return made


def test_a_curve_has_the_netlists_that_are_faster_than_those_before(composing) -> None:
    """Two netlists of small recipes, of two modules each; 4 modules were mapped beside."""
    composing.rows = {4.0: [row("area", 20.0, 3.5, at=4.0), row("sized", 22.0, 3.4, at=4.0)]}
    found = curve.composed([*groups(["area", "sized"]), *FASTER], goal_at(4.0))
    points = [(one.clock_ns, one.area_um2, one.period_ns, one.recipes) for one in found.points]
    assert points == [
        (4.0, 20.247, 3.5, {"area": 2}),
        (1.81, 40.0, 1.9, {"fast": 2}),  # 1.9 / 1.05, in whole ps
    ]
    assert (found.modules, found.mappings) == (2, 2 * 2 + 4)
    assert found.timings == 2 + 7
    [(netlists, start, faster, period)] = composing.of
    assert netlists == {name: f"modules of {name}" for name in ("area", "sized")}
    assert (start, period) == ("area", 4.0)
    assert [[r.name for r in group] for group in faster] == [["fast"], ["tight"]]
    assert composing.asked[0] == 4.0
    said = composing.asked[1:]
    assert [one["clock_ns"] for one in said] == [4.0, 3.334, 1.81]
    assert all(one["timings"] == 7 for one in said)


def test_a_first_clock_that_is_missed_is_twice_what_is_reached(composing) -> None:
    composing.rows = {
        1.0: [row("area", 20.0, 2.0012)],
        4.002: [row("area", 21.0, 2.5, at=4.002)],
    }
    curve.composed([*groups(["area"]), *FASTER], goal_at(1.0))
    assert composing.asked[:2] == [1.0, 4.002]
    assert composing.of[0][3] == 4.002


def test_a_curve_goes_to_the_shortest_clock_that_is_asked_for(composing) -> None:
    finish = unsized(composing.rungs)
    curve.points_of(composing.rungs, finish)
    assert composing.rungs.heard == [3.0, 2.0, 1.5]
    composing.rungs.heard.clear()
    points = curve.points_of(composing.rungs, finish, 1.85)
    assert composing.rungs.heard == [3.0, 2.0, 1.85]
    assert points[-1].clock_ns == 1.85  # not 1.81


@pytest.mark.parametrize("gains", [True, False])
def test_a_netlist_of_a_curve_is_sized_for_its_clock_if_that_is_better(monkeypatch, gains) -> None:
    goal, choice, better = goal_at(1.8), {"Top": "area"}, row(COMPOSED, 19.0, 1.8, at=1.8)
    timing = SimpleNamespace(setup_slack_ns=-0.1, period_ns=1.9, clock_met=False)
    asked = []

    def write(*what):
        asked.append(what)
        return {"area_um2": 20.0, "cells": 9.0}, timing

    def resized(netlist, clock):
        asked.append((netlist.recipe, netlist.area_um2, netlist.period_ns, clock))
        return better if gains else None

    monkeypatch.setattr(curve, "resized", resized)
    found = curve.finished_netlist(SimpleNamespace(write=write), choice, goal)
    assert asked == [(choice, COMPOSED, goal), (COMPOSED, 20.0, 1.9, goal)]
    assert (found.area_um2, found.clock_met) == ((19.0, True) if gains else (20.0, False))


def test_what_no_recipe_maps_is_no_curve(monkeypatch) -> None:
    """Flat recipes are for no curve; each reason is said once."""
    asked = []

    def failed(group, tried, metric, is_last, goal):
        asked.append((names(group), tried, metric, is_last))
        return [Attempt("area", error="no memory"), Attempt("sized", error="no memory")]

    monkeypatch.setattr(curve, "try_group", failed)
    with pytest.raises(RunError) as caught:
        curve.mapped(groups(["area", "area+flat", "sized"]), goal_at())
    assert str(caught.value) == "no recipe succeeded: no memory"
    assert asked == [(["area", "sized"], [], "area_um2", True)]
    monkeypatch.setattr(curve, "try_group", lambda *asked: [row("area", 1.0, 2.0), Attempt("fast")])
    assert curve.mapped(groups(["area"]), goal_at()) == [row("area", 1.0, 2.0)]


# A composed netlist of the flow.


@pytest.mark.parametrize(("fast_area", "begins"), [(60.0, "sized"), (80.0, "area")])
def test_a_netlist_is_composed_from_the_relaxed_clock_down(
    monkeypatch, fast_area: float, begins: str
) -> None:
    """From the smallest netlist on, be it the fastest or not. The clock that it is chosen for is
    shorter by what timing was found to be rough by."""
    heard, numbers = {}, count()

    class Made:
        parts = SimpleNamespace()
        ladder = "the ladder"
        clocks = (3.0, 2.0, 1.2, 0.9)

        @classmethod
        def of(cls, netlists, start, faster, goal):
            heard["of"] = (netlists, start, goal.period)
            return cls()

        def down(self, clocks):
            heard["down"] = list(clocks)
            yield 3.0, {"Top": "not this"}
            yield heard["down"][-1], {"Top": "this"}

    def settled(name, mixer, choose, goal, enough):
        heard["settled"] = (name, mixer, goal.period, enough)
        return next(numbers), choose(2.05)

    Made.parts.settled = settled
    monkeypatch.setattr(ladder, "Rungs", Made)
    monkeypatch.setattr(
        ladder, "source_of", lambda goal: SimpleNamespace(names=["Top"], period=goal.period)
    )
    monkeypatch.setattr(
        ladder,
        "make_modules",
        lambda recipe, source, asked, goal: [("Top", (recipe.name, goal.period))],
    )
    rows = [row("area", 70.0, 2.5), row("sized", fast_area, 2.0)]
    assert ladder.compose(rows, FASTER, goal_at(1.0)) == (0, {"Top": "this"})
    netlists, start, period = heard["of"]
    assert netlists == {name: {"Top": (name, 3.0)} for name in ("area", "sized")}
    assert (start, period) == (begins, 3.0)
    assert heard["down"] == [3.0, 2.0, 1.2, 0.95]
    assert heard["settled"] == (COMPOSED, "the ladder", 1.0, 2.0)


def test_the_ladder_has_25_rungs() -> None:
    """Each shorter than the one before by a part of 1.15, from 3 ns on."""
    rungs = ladder.rungs_of(goal_at())
    assert len(rungs) == 25
    assert rungs[:3] == (3.0, 2.609, 2.268)
    assert rungs[-1] == round(3 / 1.15**24, 3)


def test_a_ladder_begins_with_netlists_at_the_relaxed_clock(monkeypatch) -> None:
    """By recipes for small netlists that single modules may have, which a generic one is not."""
    heard = {}

    class Made:
        time = make = None

        def __init__(self, named, start, goal):
            heard["parts"] = (named, start, goal.period)

        def versions(self):
            return {}

    monkeypatch.setattr(ladder, "Parts", Made)
    netlists = {"area": {"Top": "a"}, "area+generic": {"Top": "g"}}
    found = ladder.Rungs.of(netlists, "area", FASTER, goal_at(3.0))
    assert heard["parts"] == (
        *({"area@3": {"Top": "a"}, "area+generic@3": {"Top": "g"}}, "area@3"),
        3.0,
    )
    assert names(found.small) == ["area"]
    assert (found.start, found.faster, found.goal.period) == ("area@3", FASTER, 3.0)


def test_a_ladder_goes_down_until_a_clock_is_missed() -> None:
    """A clock that is met already is left out; 2.2 ns is met to the hair, 1.2 ns is missed."""
    asked: list[tuple] = []
    reached = {"relaxed": 2.5, "for 2.2": 2.2, "for 1.8": 1.7, "for 1.2": 1.3}

    def fit(choice, by, enough):
        clock_ns = round(3.0 - enough, 3)
        asked.append(("fit", choice["Top"], by[-2:], clock_ns))
        return {"Top": f"for {clock_ns:g}"}

    made = SimpleNamespace(
        mix=lambda start: {"Top": "relaxed"},
        time=lambda choice: SimpleNamespace(slack=3.0 - reached[choice["Top"]]),
        first=lambda recipes: asked.append(("first", *recipes)),
        fit=fit,
    )
    rungs = ladder.Rungs(made, None, goal_at(3.0), "area@3", groups(["area"])[0], FASTER)
    clocks = [2.6, 2.5, 2.2, 1.8, 1.7, 1.2, 0.9]
    assert list(rungs.down(clocks)) == [
        (3.0, {"Top": "relaxed"}),
        *((clock_ns, {"Top": f"for {clock_ns:g}"}) for clock_ns in (2.2, 1.8, 1.2)),
    ]
    # The rungs below these clocks are 1.973, 1.715 and 1.128 ns.
    steps = [("relaxed", 1.973, 2.2), ("for 2.2", 1.715, 1.8), ("for 1.8", 1.128, 1.2)]
    assert asked == [
        one
        for before, rung, clock_ns in steps
        for one in (
            ("first", f"driving@{rung}"),
            ("fit", before, [[f"tight@{rung}"], [f"hurried@{rung}"]], clock_ns),
        )
    ]


def test_a_module_is_mapped_for_two_longer_rungs_first() -> None:
    """By recipes for small netlists, then by the first of those for fast ones; the others are for
    the rung itself."""
    small = groups(["area", "sized"])[0]
    rungs = ladder.Rungs(
        None,
        None,
        goal_at(3.0),
        "area@3",
        small,
        groups(["fast", "then", "tight", "then", "restructured"]),
    )
    assert rungs.groups(1.715) == [
        *([f"area@{clock}", f"sized@{clock}"] for clock in ("2.268", "1.973", "1.715")),
        *([f"fast@{clock}"] for clock in ("2.268", "1.973", "1.715")),
        ["tight@1.715"],
        ["restructured@1.715"],
        ["hurried@1.715"],
    ]
    assert rungs.groups(2.609)[:3] == [
        ["area@3", "sized@3"],
        ["area@2.609", "sized@2.609"],
        ["fast@3"],
    ]
    assert len(rungs.groups(3.0)) == 5


def test_all_recipes_are_for_who_names_none() -> None:
    """In their groups, from small to fast, as far as a design has a use for them."""
    rtl = SimpleNamespace(
        operators={"mul": 1, "add": 1, "dff": 1}, modules=["Top", "Leaf"], widest_adder=8,
        factor_bits=8,
    )  # fmt: skip
    small, fast, flat, tight, restructured = portfolio.portfolio((), rtl, False, 3.0)
    assert names(small)[:2] == ["area+booth", "area"]
    assert names(fast)[:2] == ["fast+booth", "fast"]
    assert names(flat) == ["fast+booth+flat", "fast+flat"]
    assert names(tight) == ["tight+booth", "tight"]
    assert names(restructured) == ["restructured+booth", "restructured"]
    with_adders = portfolio.portfolio((), rtl, True, 3.0)
    assert names(with_adders[0])[:2] == ["area+booth+fa", "area+fa"]
    assert names(with_adders[1])[:2] == ["sized+fa", "fast+booth"]
    [named] = portfolio.portfolio(["tight"], rtl, True, 3.0)
    assert names(named) == ["tight"]
