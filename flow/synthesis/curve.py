"""Compose the curve of a design's area over the clock from its modules.

Each point is a netlist of the ladder whose gates were sized after that, as those of the flow's
netlists are. OpenSTA times it as it times these.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil

from msgspec import to_builtins

from flow.results.curve import ComposedCurve, ComposedPoint
from flow.results.netlist import COMPOSED, Attempt, Candidate
from flow.synthesis.front import EASIER, try_group
from flow.synthesis.ladder import Rungs, above
from flow.synthesis.mix import Choice
from flow.synthesis.netlists import Goal, Parts, finished, modules_of, say
from flow.synthesis.portfolio import Portfolio, best, divided, for_modules
from flow.synthesis.resize import FASTER, resized
from sim.errors import RunError

Finish = Callable[[Choice, Goal], Candidate]

RELAXED = 2.0  # times the period that is reached where the first clock is missed


def composed(portfolio: Portfolio, goal: Goal, shortest_ns: float = 0.0) -> ComposedCurve:
    """Compose the curve from the goal's clock on, or where that is missed from a longer one, to
    the shortest clock that is asked for, if there is one; RunError if the design can't be mapped.
    """
    tried = mapped(portfolio, goal)
    if not best(tried).clock_met:
        period = round(RELAXED * (best(tried).period_ns or 0.0), 3)
        goal = replace(goal, period=period)
        tried = mapped(portfolio, goal)
    netlists = {row.recipe: modules_of(row.recipe) for row in tried}
    rungs = Rungs.of(netlists, best(tried).recipe, for_modules(portfolio[1:], tried), goal)
    points = points_of(rungs, partial(finished_netlist, rungs.parts), shortest_ns)
    modules = len(rungs.ladder.versions)
    mappings = len(tried) * modules + rungs.parts.mappings
    return ComposedCurve(points, modules, mappings, len(tried) + rungs.ladder.trials())


def mapped(portfolio: Portfolio, goal: Goal) -> list[Candidate]:
    """Map the design by the recipes for small netlists; RunError if none succeeds."""
    smallest, *faster = portfolio
    tried = try_group([r for r in smallest if not r.flat], [], "area_um2", not faster, goal)
    if found := divided(tried)[0]:
        return found
    failures = dict.fromkeys(row.error for row in tried if isinstance(row, Attempt))
    raise RunError("\n".join(f"no recipe succeeded: {failure}" for failure in failures))


def points_of(rungs: Rungs, finish: Finish, shortest_ns: float = 0.0) -> list[ComposedPoint]:
    """List the netlists for the rungs, or for those to a shortest clock and for that; each faster
    than the one before. As in the flow, gates are sized for a clock that is a little shorter than
    what the ladder reaches; of the last netlist for shorter and shorter clocks."""
    clocks = (*above(shortest_ns, rungs.clocks), shortest_ns) if shortest_ns else rungs.clocks
    points: list[ComposedPoint] = []

    def take(choice: Choice, clock_ns: float) -> ComposedPoint:
        clock_ns = max(clock_ns, shortest_ns)
        row = finish(choice, replace(rungs.goal, period=clock_ns))
        recipes = dict(sorted(Counter(choice.values()).items()))
        reached = round(row.period_ns or 0.0, 5)
        point = ComposedPoint(clock_ns, round(row.area_um2, 3), reached, recipes)
        say(to_builtins(point) | {"timings": rungs.ladder.trials()})
        if not points or point.period_ns < FASTER * points[-1].period_ns:
            points.append(point)
        return point

    for rung, choice in rungs.down(clocks):
        is_relaxed = rung == rungs.goal.period
        point = take(choice, rung if is_relaxed else a_little_shorter(rungs.reached(choice)))
    while point.met and not shortest_ns:
        point = take(choice, a_little_shorter(point.period_ns))
    return points


def a_little_shorter(period_ns: float) -> float:
    """Tell the clock for which the flow sizes the gates of a netlist that reaches a period, in ps
    that are not shorter than it."""
    return ceil(1000 * period_ns / EASIER) / 1000


def finished_netlist(parts: Parts, choice: Choice, goal: Goal) -> Candidate:
    """Write a netlist of the ladder and size its gates; the row of what is better."""
    begin = time.monotonic()
    row = finished(COMPOSED, *parts.write(choice, COMPOSED, goal), begin)
    return resized(row, goal) or row
