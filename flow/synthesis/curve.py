"""Compose the curve of a design's area over the clock from its modules.

The design is mapped once, for a relaxed clock. Each shorter clock is the next rung that the netlist
before it misses. It begins with that netlist, and only what makes it too slow is mapped again.
Each point is a netlist, timed as a trial of the flow is: its area is exact, its period within half
a percent.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from msgspec import to_builtins

from flow.results.curve import ComposedCurve, ComposedPoint
from flow.results.netlist import Attempt, Candidate
from flow.synthesis.front import try_group
from flow.synthesis.ladder import RUNGS, Ladder, driving, groups_for
from flow.synthesis.mix import Choice
from flow.synthesis.netlists import Goal, Parts, say
from flow.synthesis.portfolio import Portfolio, best, divided, for_modules
from flow.synthesis.recipes import Recipe, parse
from flow.synthesis.workers import jobs
from sim.errors import RunError

RELAXED = 2.0  # times the period that is reached where the first clock is missed
APART = 1.02  # at least between a period that is reached and the next clock


def composed(portfolio: Portfolio, goal: Goal) -> ComposedCurve:
    """Compose the curve from the goal's clock on, or where that is missed from a longer one;
    RunError if the design can't be mapped."""
    tried = mapped(portfolio, goal)
    if not best(tried).clock_met:
        period = round(RELAXED * (best(tried).period_reached_ns or 0.0), 3)
        goal = replace(goal, period=period)
        tried = mapped(portfolio, goal)
    start = best(tried).recipe
    parts = Parts([row.recipe for row in tried], start, goal)
    ladder = Ladder(parts.versions(), parts.time, make=parts.make, jobs=jobs())
    recipes = [parse(row.recipe) for row in tried]
    small = [recipe for recipe in recipes if not recipe.generic]
    points = list(climbed(ladder, start, small, for_modules(portfolio[1:], tried), goal))
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


def climbed(
    ladder: Ladder,
    start: str,
    small: Sequence[Recipe],
    faster: Sequence[Sequence[Recipe]],
    goal: Goal,
) -> Iterator[ComposedPoint]:
    """Go through the netlists for shorter and shorter clocks, to the first that is missed."""
    longest_ns = goal.period

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
    for clock_ns in RUNGS:
        if reached.met and clock_ns * APART <= reached.period_ns:
            groups = groups_for(clock_ns, small, faster, goal)
            slack = longest_ns - clock_ns
            choice = ladder.fit(choice, groups, driving(clock_ns, goal), slack)
            reached, before = point(choice, clock_ns), reached
            if reached.period_ns < before.period_ns:
                yield reached
