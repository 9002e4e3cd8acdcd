"""Compose a design's curve of area over the clock from its modules.

The design is mapped once, for a relaxed clock. Each shorter clock begins with the netlist of the
one before it, and only what makes that too slow is mapped again, for the new clock: whatever has
slack stays as small as it is. What any clock has made of a module is there for all others. Each
point is a netlist, timed as a trial of the flow is: its area is exact, its period within half a
percent.
"""

import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from msgspec import to_builtins

from flow.results.curve import ComposedCurve, ComposedPoint
from flow.results.netlist import Attempt, Candidate
from flow.synthesis.front import try_group
from flow.synthesis.mix import Choice, Mixer, Timing, Version
from flow.synthesis.netlists import Goal, Parts, make_modules, modules_of, say, write_modules
from flow.synthesis.portfolio import best, divided, suited
from flow.synthesis.recipes import DRIVING, HURRIED, Recipe, parse
from flow.synthesis.workers import YosysError, jobs
from sim.errors import RunError

STEP = 1.15  # between the period that is reached and the next clock
MOST_TIMINGS = 20  # of netlists for a clock: more are spent only where no netlist meets it
RELAXED = 2.0  # times the period that is reached where the first clock is missed
Portfolio = list[list[Recipe]]


def at(recipe: str, clock_ns: float) -> str:
    """Name a recipe at a clock."""
    return f"{recipe}@{clock_ns:g}"


class PartsByClock(Parts):
    """The modules of a design by recipes at clocks."""

    mappings = 0

    def make(self, name: str, recipe: str) -> Version | None:
        """Map a module by one more recipe at a clock; None if that fails."""
        by, _, clock_ns = recipe.partition("@")
        goal = replace(self._goal, period=float(clock_ns))
        self.mappings += 1
        try:
            found = dict(make_modules(parse(by), self._source, [name], goal))
        except (YosysError, subprocess.TimeoutExpired):
            return None
        self._made[name][recipe] = found[name]
        self._tree[name] |= found[name].instances
        return self._version(name, recipe)


class Ladder(Mixer):
    """Netlists of one design for one clock after the other, all timed at the longest."""

    _until = 0  # so many timing runs another module may be tried

    def next(self, choice: Choice, groups: Portfolio, clock_ns: float, slack: float) -> Choice:
        """Change a netlist until it has a slack at the longest clock, if it can, by modules mapped
        for another one; then give area back that is not needed for it."""
        timing, *further = self.time(choice), *([at(r.name, clock_ns) for r in g] for g in groups)
        self._at_once = [at(DRIVING, clock_ns)]
        self._until = self.trials() + MOST_TIMINGS
        while timing.slack < slack and (faster := self._faster(choice, timing, further, slack)):
            choice, timing = faster
        return self._smaller(choice, min(timing.slack, slack))

    def _fastest(
        self,
        choice: Choice,
        timing: Timing,
        module: str,
        recipes: Sequence[str],
        enough: float,
    ) -> tuple[Choice, Timing] | None:
        """Take a module by the first of these recipes that leaves something else the slowest, else
        by that which gives most: a timing run of a wide design takes longer than all mappings of
        a module, and what is too slow still is found next."""
        best = None
        trials = self._others(choice, module, recipes) if self.trials() < self._until else ()
        for trial in trials:
            most = (best[1] if best else timing).slack
            if self.most_slack(trial) <= most:
                continue
            if self.trials() >= self._until:
                break
            found = self.time(trial)
            if found.slack > most:
                best = trial, found
                if found.slack >= enough or module not in found.slow_modules():
                    break
        return best


def composed(portfolio: Portfolio, goal: Goal) -> ComposedCurve:
    """Compose the curve of a design from the goal's clock on, or where that is missed from a longer
    one; RunError if it can't be mapped."""
    tried = mapped(portfolio, goal)
    if not best(tried).clock_met:
        period = round(RELAXED * (best(tried).period_reached_ns or 0.0), 3)
        goal = replace(goal, period=period)
        tried = mapped(portfolio, goal)
    names = [at(row.recipe, goal.period) for row in tried]
    for row, name in zip(tried, names, strict=True):
        write_modules(name, modules_of(row.recipe))
    start = at(best(tried).recipe, goal.period)
    parts = PartsByClock(names, start, goal)
    ladder = Ladder(parts.versions(), parts.time, make=parts.make, jobs=jobs())
    recipes = [parse(row.recipe) for row in tried]
    again = [recipe for recipe in recipes if not recipe.generic]
    groups = [again, *faster_groups(portfolio, tried), [Recipe(HURRIED)]]
    points = list(climbed(ladder, start, groups, goal.period))
    modules = len(ladder.versions)
    mappings = len(tried) * modules + parts.mappings
    return ComposedCurve(points, modules, mappings, len(tried) + ladder.trials())


def mapped(portfolio: Portfolio, goal: Goal) -> list[Candidate]:
    """Map the design by the recipes for small netlists; RunError if none succeeds."""
    smallest, *faster = portfolio
    tried = try_group([r for r in smallest if not r.flat], [], "area_um2", not faster, goal)
    if found := divided(tried)[0]:
        return found
    failures = dict.fromkeys(row.error for row in tried if isinstance(row, Attempt))
    raise RunError("\n".join(f"no recipe succeeded: {failure}" for failure in failures))


def faster_groups(portfolio: Portfolio, tried: Sequence[Candidate]) -> Portfolio:
    """List the recipes for fast modules, group by group."""
    _, *faster = portfolio
    groups = (suited([r for r in g if not r.flat], tried, "area_um2") for g in faster)
    return [group for group in groups if group]


def climbed(
    ladder: Ladder, start: str, groups: Portfolio, longest_ns: float
) -> Iterator[ComposedPoint]:
    """Go through the netlists for shorter and shorter clocks, to the first that is missed."""

    def point(choice: Choice, clock_ns: float) -> ComposedPoint:
        area = sum(ladder.area(module, recipe) for module, recipe in choice.items())
        period = round(longest_ns - ladder.time(choice).slack, 5)
        recipes = dict(sorted(Counter(choice.values()).items()))
        found = ComposedPoint(clock_ns, round(area, 3), period, recipes)
        say(to_builtins(found) | {"timings": ladder.trials()})
        return found

    choice = ladder.mix(start)
    reached = point(choice, longest_ns)
    yield reached
    while reached.met:
        clock_ns = round(reached.period_ns / STEP, 3)
        choice = ladder.next(choice, groups, clock_ns, longest_ns - clock_ns)
        reached, before = point(choice, clock_ns), reached
        if reached.period_ns < before.period_ns:
            yield reached
