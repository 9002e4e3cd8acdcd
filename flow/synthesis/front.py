"""Try the recipes of a portfolio, mix their netlists, and say which are the best."""

import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf

from flow.results.netlist import COMPOSED, MIXED, Candidate
from flow.synthesis.area import module_areas
from flow.synthesis.ladder import STEP, compose, relaxed_ns
from flow.synthesis.mix import WORTH, Choice
from flow.synthesis.netlists import (
    Goal,
    at_clock,
    candidates,
    figures,
    in_modules,
    mixed,
    modules_of,
)
from flow.synthesis.portfolio import (
    Portfolio,
    Row,
    ahead_of_others,
    already,
    best,
    divided,
    far_too_slow,
    for_modules,
    huge,
    stages,
    suited,
    to_speed_up,
    worth_trying,
)
from flow.synthesis.recipes import DRIVING, HURRIED, Recipe
from flow.synthesis.resize import resized
from flow.synthesis.rival import Rival
from flow.synthesis.workers import YosysError

# Times the clock period: what recipes for small netlists miss by more, no composed one meets.
OUT_OF_REACH = 2.0
EASIER = 1.05  # the same, for which a netlist is composed whose gates are sized then
MENDED = 1.06  # what misses the clock by more was not seen to meet it with stronger gates
MOST_MENDED = 2  # netlists of each group, from the smallest on


@dataclass
class Front:
    """What is known so far: a row for each recipe tried, one for their mix and one for what was
    composed of modules for several clocks, with the recipe of each module of these; and the best
    netlists with hierarchy and without."""

    tried: list[Row] = field(default_factory=list)
    mix: Candidate | None = None
    composed: Candidate | None = None
    choices: dict[str, Choice] = field(default_factory=dict)
    hierarchical: Candidate | None = None
    flat: Candidate | None = None
    given_up: set[str] = field(default_factory=set)  # recipes whose netlists were tried to mend

    def best(self) -> list[Candidate]:
        """List the best netlists that there are, that with hierarchy first."""
        return [row for row in (self.hierarchical, self.flat) if row]

    def met(self) -> bool:
        """Tell whether a netlist meets the clock."""
        return any(row.clock_met for row in self.best())

    def speed_up(self, faster: list[list[Recipe]], goal: Goal) -> None:
        """Take what makes the smallest netlist too slow by other recipes, module by module."""
        front, _ = divided(self.tried)
        start = to_speed_up(front, goal.period).recipe
        others = (for_modules(faster, self.tried), [Recipe(DRIVING)], [Recipe(HURRIED)])
        self.mix, self.choices[MIXED] = mixed([start], start, goal, *others)
        self._choose()

    def compose(self, faster: Portfolio, goal: Goal) -> None:
        """Compose a netlist of modules as they are mapped for several clocks, unless the clock is
        so long that all modules are small as it is, or far shorter than any netlist reaches; or a
        module can't be mapped for the first of them."""
        front, _ = divided(self.tried)
        reached = min(row.period_ns or 0.0 for row in front)
        longest = relaxed_ns(goal)
        is_long = STEP * goal.period > longest or STEP * reached <= goal.period
        if is_long or reached > OUT_OF_REACH * goal.period:
            return
        with suppress(YosysError, subprocess.TimeoutExpired):
            recipes = for_modules(faster, self.tried)
            if not self._compose_and_mend(front, recipes, goal):
                self.composed, self.choices[COMPOSED] = compose(front, recipes, goal)
            self._choose()

    def _compose_and_mend(self, front: list[Candidate], faster: Portfolio, goal: Goal) -> bool:
        """Compose a netlist for a clock that is a little longer, and size its gates until it meets
        this one, if hardly any area is lost by that."""
        easier = replace(goal, period=round(EASIER * goal.period, 5))
        row, choice = compose(front, faster, easier)
        if not row.clock_met:
            return False
        row = at_clock(row, goal)
        mended = row if row.clock_met else resized(row, goal, to_meet=True)
        if not mended or mended.area_um2 > (1 + WORTH) * row.area_um2:
            return False
        self.composed, self.choices[COMPOSED] = mended, choice
        return True

    def _choose(self) -> None:
        """Choose the best netlist with hierarchy, if there is any."""
        front, _ = divided(self.tried)
        found = [*front, *filter(None, (self.mix, self.composed))]
        self.hierarchical = best(found) if found else None

    def mend(self, goal: Goal) -> None:
        """Size the gates of netlists that miss the clock by little, the smallest first, until one
        meets it that is smaller than all that do."""
        least = min((row.area_um2 for row in self.best() if row.clock_met), default=inf)
        near = [
            row
            for row in [*self.tried, *filter(None, (self.mix, self.composed))]
            if isinstance(row, Candidate)
            and row.recipe not in self.given_up
            and may_be_mended(row, goal.period)
        ]
        for row in sorted(near, key=lambda row: row.area_um2)[:MOST_MENDED]:
            if row.area_um2 >= (1 - WORTH) * least:
                break
            self.given_up.add(row.recipe)
            if mended := resized(row, goal, to_meet=True):
                self._replace(row, mended)
                break

    def finish(self, goal: Goal) -> None:
        """Size the gates of the netlist that is chosen."""
        row = best(self.best()) if self.best() else None
        if row and not row.resized and (better := resized(row, goal)):
            self._replace(row, better)

    def _replace(self, row: Candidate, new: Candidate) -> None:
        """Put a netlist in the place of what it was before its gates were sized."""
        self.tried = [new if one is row else one for one in self.tried]
        self.mix = new if self.mix is row else self.mix
        self.composed = new if self.composed is row else self.composed
        _, flats = divided(self.tried)
        self.flat = best(flats) if flats else None
        self._choose()

    def judge(self, is_last: bool, goal: Goal) -> None:
        """Choose the best netlists of the recipes tried, and of their mix if it may be better.

        Small versions of every module make no mix that is faster than all of them; where none of
        those meets the clock and a flat one does, no mix was ever seen to meet it; and a mix is
        some hundredths faster than its parts, so that it meets no clock which these miss by far.
        """
        front, flats = divided(self.tried)
        self.flat = best(flats) if flats else None
        self.mix = None
        flat_met = self.flat is not None and self.flat.clock_met
        nearly = bool(front) and not far_too_slow(front, goal.period)
        hopeful = any(row.clock_met for row in front) or (is_last and not flat_met and nearly)
        rivals = [row for row in [*front, *flats] if row.clock_met]
        if hopeful and may_win(front, rivals, goal.top):
            recipes = [row.recipe for row in front]
            self.mix, self.choices[MIXED] = mixed(recipes, best(front).recipe, goal)
        self._choose()


def may_be_mended(row: Candidate, period: float) -> bool:
    """Tell whether a netlist misses the clock by so little that stronger gates may do."""
    return not row.clock_met and (row.period_ns or 0.0) <= MENDED * period


def may_win(front: list[Candidate], rivals: list[Candidate], top: str) -> bool:
    """Tell whether a mix may be worth it beside netlists that meet the clock: whether the smallest
    versions of all modules, which no mix is below, are that much smaller together."""
    if len(front) < 2 or len(modules_of(front[0].recipe)) < 2:
        return False
    _, smallest = smallest_modules(front, top)
    least = min((row.area_um2 for row in rivals), default=float("inf"))
    return sum(smallest.values()) < (1 - WORTH) * least


def smallest_modules(front: list[Candidate], top: str) -> tuple[dict[str, int], dict[str, float]]:
    """Tell how often each module of netlists occurs, and the least that all of these take in any
    netlist."""
    number: dict[str, int] = {}
    least: dict[str, float] = {}
    for row in front:
        for part in module_areas(figures(modules_of(row.recipe)), top):
            module, area = part.module, part.area_um2
            number[module] = part.instances
            least[module] = min(area, least.get(module, area))
    return number, least


def to_beat(tried: list[Row], top: str) -> Rival | None:
    """Tell what a recipe with hierarchy has to beat, if any such netlist meets the clock."""
    front, _ = divided(tried)
    meeting = [row.area_um2 for row in front if row.clock_met]
    return Rival(min(meeting), *smallest_modules(front, top)) if meeting else None


def try_group(
    group: list[Recipe], tried: list[Row], metric: str, is_last: bool, goal: Goal
) -> list[Row]:
    """Try those recipes of a group that may be worth it, after those tried; their rows."""
    new = suited([recipe for recipe in group if not already(recipe, tried)], tried, metric)
    ahead = ahead_of_others(new)
    found = candidates(new[:ahead], goal)
    if far_too_slow(found, goal.period) and not is_last:
        return found
    rest = suited(new[ahead:], tried + found, metric)
    for stage in stages(rest):
        known = tried + found
        worth = [r for r in stage if worth_trying(r, known, goal.period)]
        found += candidates(worth, goal, to_beat(known, goal.top))
    return found


def search(portfolio_for: Callable[[float], list[list[Recipe]]], goal: Goal) -> Front:
    """Try the groups of recipes that there are for a clock, from small to fast, until a netlist
    meets it."""
    found, (smallest, *faster) = Front(), portfolio_for(goal.period)
    found.tried = try_group(smallest, [], "area_um2", not faster, goal)
    found.judge(not faster, goal)
    found.mend(goal)
    if faster and huge(found.tried) and found.hierarchical and in_modules(goal):
        found.compose(portfolio_for(relaxed_ns(goal))[1:], goal)
        found.mend(goal)
        if not found.met():
            found.speed_up(faster, goal)
        found.finish(goal)
        return found
    for group in faster:
        if found.met():
            break
        is_last = group is faster[-1]
        found.tried += try_group(group, found.tried, "period_ns", is_last, goal)
        found.judge(is_last, goal)
        found.mend(goal)
    found.finish(goal)
    return found
