"""Compose the curve of a design's area over the clock from its modules.

Each point is a netlist of the ladder, timed as a trial of the flow is: its area is exact, its
period within half a percent.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from msgspec import to_builtins

from flow.results.curve import ComposedCurve, ComposedPoint
from flow.results.netlist import Attempt, Candidate
from flow.synthesis.front import try_group
from flow.synthesis.ladder import Rungs, above
from flow.synthesis.netlists import Goal, modules_of, say
from flow.synthesis.portfolio import Portfolio, best, divided, for_modules
from sim.errors import RunError

RELAXED = 2.0  # times the period that is reached where the first clock is missed


def composed(portfolio: Portfolio, goal: Goal, shortest_ns: float = 0.0) -> ComposedCurve:
    """Compose the curve from the goal's clock on, or where that is missed from a longer one, to
    the shortest clock that is asked for, if there is one; RunError if the design can't be mapped.
    """
    tried = mapped(portfolio, goal)
    if not best(tried).clock_met:
        period = round(RELAXED * (best(tried).period_reached_ns or 0.0), 3)
        goal = replace(goal, period=period)
        tried = mapped(portfolio, goal)
    netlists = {row.recipe: modules_of(row.recipe) for row in tried}
    rungs = Rungs.of(netlists, best(tried).recipe, for_modules(portfolio[1:], tried), goal)
    points = list(points_of(rungs, shortest_ns))
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


def points_of(rungs: Rungs, shortest_ns: float = 0.0) -> Iterator[ComposedPoint]:
    """List the netlists for the rungs, or for those to a shortest clock and for that; each faster
    than the one before."""
    clocks = (*above(shortest_ns, rungs.clocks), shortest_ns) if shortest_ns else rungs.clocks
    fastest = float("inf")
    ladder = rungs.ladder
    for clock_ns, choice in rungs.down(clocks):
        area = sum(ladder.area(module, recipe) for module, recipe in choice.items())
        recipes = dict(sorted(Counter(choice.values()).items()))
        point = ComposedPoint(clock_ns, round(area, 3), rungs.reached(choice), recipes)
        say(to_builtins(point) | {"timings": ladder.trials()})
        if point.period_ns < fastest:
            yield point
        fastest = min(fastest, point.period_ns)
