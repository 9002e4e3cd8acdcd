"""Take each module of a design at the rung of a ladder of clocks that its slack allows.

A netlist begins with the smallest version of each module. What makes it too slow is taken as it was
mapped for a shorter clock, rung by rung: whatever has slack stays as small as it is. Modules are
kept by what they were mapped for, so that rungs serve all netlists of a design, and those of
elements all designs that have them.

The step `synthesis` tries such a netlist for a clock, the step `curve` one for each rung.
"""

from collections.abc import Sequence

from flow.results.netlist import COMPOSED, Candidate
from flow.synthesis.mix import Choice, Mixer
from flow.synthesis.netlists import Goal, Parts, make_modules, source_of, write_modules
from flow.synthesis.recipes import DRIVING, HURRIED, Recipe, parse
from flow.synthesis.workers import jobs

RELAXED_NS = 3.0  # the first rung: nearly all modules are as small as they get
STEP = 1.15  # between rungs
RUNGS = tuple(round(RELAXED_NS / STEP**step, 3) for step in range(25))
LONGER = 4  # rungs longer than a clock by which its modules are mapped, too
MOST_TIMINGS = 20  # of netlists for a clock: more are spent only where no netlist meets it


class Ladder(Mixer):
    """Netlists of one design, each for a slack at the goal's clock."""

    _hasty = True

    def fit(
        self,
        choice: Choice,
        groups: Sequence[Sequence[str]],
        at_once: Sequence[str],
        enough: float,
    ) -> Choice:
        """Change a netlist until its slack is enough, if it can be, by modules that are mapped
        already, or by groups of recipes; then give area back that is not needed for it."""
        timing, self._at_once = self.time(choice), at_once
        self._until = self.trials() + MOST_TIMINGS
        while timing.slack < enough and (faster := self._faster(choice, timing, groups, enough)):
            choice, timing = faster
        return self._smaller(choice, min(timing.slack, enough))

    def smallest(self) -> Choice:
        """Take each module as it is smallest."""
        return {
            module: min(recipes, key=lambda recipe: recipes[recipe].area)
            for module, recipes in self.versions.items()
        }


def groups_for(
    clock_ns: float, small: Sequence[Recipe], faster: Sequence[Sequence[Recipe]], goal: Goal
) -> list[list[str]]:
    """List what a module that is too slow for a clock is mapped by: recipes for small and for fast
    netlists from longer rungs on, then those for still faster ones."""
    clocks = [*[rung for rung in RUNGS if rung > clock_ns][-LONGER:], clock_ns]
    fast, fastest = faster[:1], [*faster[1:], [Recipe(HURRIED)]]
    by_rung = [(group, clock) for group in (small, *fast) for clock in clocks]
    return [
        [goal.at(recipe.name, clock) for recipe in group]
        for group, clock in (*by_rung, *((group, clock_ns) for group in fastest))
    ]


def driving(clock_ns: float, goal: Goal) -> list[str]:
    """List what modules that are hardly any area are mapped by before."""
    return [goal.at(DRIVING, clock_ns)]


def compose(
    front: Sequence[Candidate], faster: Sequence[Sequence[Recipe]], goal: Goal
) -> tuple[Candidate, Choice]:
    """Compose a netlist for the goal's clock of the modules of netlists, and of others mapped by
    the recipe of the smallest for the first rung, with recipes for fast modules where they make it
    too slow; its row, whose text is left in composed.v, and the recipe of each module."""
    small = [parse(row.recipe) for row in front if not parse(row.recipe).generic]
    first = min(front, key=lambda row: row.area_um2).recipe
    relaxed = goal.at(first, RELAXED_NS)
    by, at_rung = goal.for_clock(relaxed)
    source = source_of(goal)
    write_modules(relaxed, dict(make_modules(by, source, source.names, at_rung)))
    parts = Parts([relaxed, *(row.recipe for row in front)], first, goal)
    ladder = Ladder(parts.versions(), parts.time, make=parts.make, jobs=jobs())
    groups = groups_for(goal.period, small, faster, goal)
    at_once, start = driving(goal.period, goal), ladder.smallest()
    return parts.settled(
        COMPOSED, ladder, lambda enough: ladder.fit(start, groups, at_once, enough)
    )
