"""Take each module of a design at the rung of a ladder of clocks that its slack allows.

The design is mapped for a relaxed clock. The netlist for each shorter clock begins with that for
the rung before it, and what makes it too slow is mapped again, for longer rungs first: whatever has
slack stays as small as it is. All netlists are timed at the relaxed clock; what was mapped or timed
for one clock is there for all others, whoever asks: the step `synthesis`, which tries such a
netlist for its clock, or the step `curve`, which shows one for each rung.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from flow.results.netlist import COMPOSED, Candidate
from flow.synthesis.mix import Choice, Mixer
from flow.synthesis.modules import Module
from flow.synthesis.netlists import Goal, Parts, make_modules, source_of
from flow.synthesis.portfolio import Portfolio
from flow.synthesis.recipes import DRIVING, HURRIED, Recipe, parse
from flow.synthesis.workers import jobs

RELAXED_NS = 3.0  # the first rung at a pace of 1: nearly all modules are as small as they get
STEP = 1.15  # between rungs
LONGER = 2  # rungs longer than a clock by which its modules are mapped, too
MOST_TIMINGS = 20  # of netlists for a clock: more are spent only where no netlist meets it


def relaxed_ns(goal: Goal) -> float:
    """Tell the first rung of the goal's technology."""
    return round(RELAXED_NS * goal.technology.pace, 3)


def rungs_of(goal: Goal) -> tuple[float, ...]:
    """List the clocks of the ladder, the longest first."""
    return tuple(round(relaxed_ns(goal) / STEP**step, 3) for step in range(25))


def at(recipe: str, clock_ns: float) -> str:
    """Name a recipe at a clock."""
    return f"{recipe}@{clock_ns:g}"


class Ladder(Mixer):
    """Netlists of one design, each for a slack at the relaxed clock."""

    _hasty = True

    def fit(self, choice: Choice, groups: Sequence[Sequence[str]], enough: float) -> Choice:
        """Change a netlist until its slack is enough, if it can be, by modules that are mapped
        already, or by groups of recipes; then give area back that is not needed for it."""
        timing = self.time(choice)
        self._until = self.trials() + MOST_TIMINGS
        while timing.slack < enough and (faster := self._faster(choice, timing, groups, enough)):
            choice, timing = faster
        return self._smaller(choice, min(timing.slack, enough))

    def first(self, recipes: Sequence[str]) -> None:
        """Map modules that are hardly any of the area by these before all others."""
        self._at_once = recipes


@dataclass
class Rungs:
    """The netlists of a design for one clock after the other: its modules by recipes for small
    netlists at the relaxed clock, and by groups of others, from small to fast."""

    ladder: Ladder
    parts: Parts
    goal: Goal  # with the relaxed clock
    start: str  # the recipe at this clock with which the first netlist begins
    small: Sequence[Recipe]
    faster: Portfolio

    @classmethod
    def of(
        cls,
        netlists: Mapping[str, Mapping[str, Module]],
        start: str,
        faster: Portfolio,
        goal: Goal,
    ) -> "Rungs":
        """Begin with the modules by recipes for small netlists at the goal's clock."""
        named = {at(recipe, goal.period): modules for recipe, modules in netlists.items()}
        parts = Parts(named, at(start, goal.period), goal)
        ladder = Ladder(parts.versions(), parts.time, make=parts.make, jobs=jobs())
        small = [recipe for recipe in map(parse, netlists) if not recipe.generic]
        return cls(ladder, parts, goal, at(start, goal.period), small, faster)

    def down(self, clocks: Iterable[float]) -> Iterator[tuple[float, Choice]]:
        """Go through the netlists, that of the relaxed clock first, then those for shorter clocks
        that the one before misses, to the first that misses its own."""
        choice, clock_ns = self.ladder.mix(self.start), self.goal.period
        yield clock_ns, choice
        for clock_ns in clocks:
            if self.reached(choice) <= clock_ns:
                continue
            rung = rung_for(clock_ns, self.clocks)
            self.ladder.first([at(DRIVING, rung)])
            choice = self.ladder.fit(choice, self.groups(rung), self.goal.period - clock_ns)
            yield clock_ns, choice
            if self.reached(choice) > clock_ns:
                return

    @property
    def clocks(self) -> tuple[float, ...]:
        """The rungs."""
        return rungs_of(self.goal)

    def reached(self, choice: Choice) -> float:
        """Tell the shortest period at which a netlist works."""
        return round(self.goal.period - self.ladder.time(choice).slack, 5)

    def groups(self, clock_ns: float) -> list[list[str]]:
        """List what a module that is too slow for a rung is mapped by: recipes for small and for
        fast netlists, each from longer rungs on, then those for still faster ones."""
        clocks = [*above(clock_ns, self.clocks)[-LONGER:], clock_ns]
        fast, fastest = self.faster[:1], [*self.faster[1:], [Recipe(HURRIED)]]
        by_rung = [(group, clock) for group in (self.small, *fast) for clock in clocks]
        return [
            [at(recipe.name, clock) for recipe in group]
            for group, clock in (*by_rung, *((group, clock_ns) for group in fastest))
        ]


def rung_for(clock_ns: float, rungs: Sequence[float]) -> float:
    """Tell for which rung modules are mapped that are too slow for a clock: the next shorter one,
    so that clocks between rungs take what these have made."""
    return max((rung for rung in rungs if rung <= clock_ns), default=clock_ns)


def above(clock_ns: float, rungs: Sequence[float]) -> list[float]:
    """List the rungs that are longer than a clock."""
    return [rung for rung in rungs if rung > clock_ns]


def compose(front: Sequence[Candidate], faster: Portfolio, goal: Goal) -> tuple[Candidate, Choice]:
    """Compose a netlist for the goal's clock, by the recipes of a front of small netlists and by
    faster ones where these are too slow; its row, whose text is left in composed.v, and the recipe
    of each module."""
    relaxed, source = replace(goal, period=relaxed_ns(goal)), source_of(goal)
    netlists = {
        row.recipe: dict(make_modules(parse(row.recipe), source, source.names, relaxed))
        for row in front
    }
    smallest = min(front, key=lambda row: row.area_um2)
    rungs = Rungs.of(netlists, smallest.recipe, faster, relaxed)

    def choose(slack: float) -> Choice:
        clock_ns = round(relaxed.period - slack, 5)
        *_, (_, choice) = rungs.down([*above(clock_ns, rungs.clocks), clock_ns])
        return choice

    enough = relaxed.period - goal.period
    return rungs.parts.settled(COMPOSED, rungs.ladder, choose, goal, enough)
