"""Take each module by the recipe that suits it: mix netlists of one design module by module.

Modules are mapped on their own, so any recipe's netlist of one fits with any other's of the rest.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

# A saving below this part of the area is not worth a timing run of its own.
WORTH = 0.01
# A module with less of the critical path's delay is not what makes it too long.
SHARE = 0.1

Choice = Mapping[str, str]  # module -> recipe


@dataclass(frozen=True)
class Timing:
    """What a trial is judged by: the setup slack, and each module's part of the critical path."""

    slack: float
    path: Mapping[str, float]

    def slow_modules(self) -> list[str]:
        """List the modules with a part worth changing, the slowest first."""
        least = SHARE * sum(self.path.values())
        return sorted((m for m in self.path if self.path[m] >= least), key=lambda m: -self.path[m])


@dataclass(frozen=True)
class Version:
    """What a recipe makes of a module: its text, and the area of all its instances in um2, without
    submodules."""

    text: str
    area: float


Versions = dict[str, dict[str, Version]]  # module -> recipe -> what it makes of that module


class Mixer:
    """The modules of one design by several recipes, and how a mix of them is timed.

    `further` are groups of recipes by which no module has been mapped yet: `make` maps one by them
    once it is what makes the critical path too long, or says that it can't; by so many at once as
    there are `jobs`, and by those of a group if none before helps. Those of `at_last` come after
    them if the clock is missed still, and those of `at_once` before them, of modules that are
    hardly any of the area. In haste fewer netlists are timed.
    """

    _hasty = False
    _until = math.inf  # so many timing runs another module may be tried

    def __init__(
        self,
        versions: Versions,
        time: Callable[[str], Timing],
        further: Sequence[Sequence[str]] = (),
        make: Callable[[str, str], Version | None] = lambda module, recipe: None,
        jobs: int = 1,
        at_once: Sequence[str] = (),
        at_last: Sequence[str] = (),
    ) -> None:
        self.versions, self._time = versions, time
        self._further, self._at_once, self._at_last = tuple(further), at_once, at_last
        self._make, self._jobs = make, jobs
        self._timed: list[tuple[Choice, Timing]] = []
        self._ahead: dict[str, Timing] = {}  # of netlists that may be asked for

    def text(self, choice: Choice) -> str:
        """Write the netlist in which each module is as its recipe made it."""
        return "\n".join(self.versions[module][recipe].text for module, recipe in choice.items())

    def area(self, module: str, recipe: str) -> float:
        """Tell the area of all instances of a module, without submodules."""
        return self.versions[module][recipe].area

    def time(self, choice: Choice) -> Timing:
        """Time a mix, once."""
        for then, timing in self._timed:
            if then == choice:
                return timing
        text = self.text(choice)
        timing = self._ahead.pop(text) if text in self._ahead else self._time(text)
        self._timed.append((choice, timing))
        return timing

    def trials(self) -> int:
        """Tell how many mixes were timed, but for those whose timing was not asked for."""
        return len(self._timed)

    def _time_ahead(self, choices: Sequence[Choice]) -> None:
        """Time the first of the mixes, as many as there are jobs, if that is several. Nothing is
        concluded from one that is not asked for: all comes out as with one job."""
        texts = [self.text(choice) for choice in choices[: self._jobs]]
        new = [text for text in texts if text not in self._ahead]
        if len(new) > 1:
            with ThreadPoolExecutor(self._jobs) as pool:
                self._ahead |= zip(new, pool.map(self._time, new), strict=True)

    def most_slack(self, choice: Choice) -> float:
        """Tell what slack a mix may have at most. The critical path of each mix timed is in this
        one, too, and shorter at most by its part in modules that are other ones."""

        def changed(module: str, then: Choice) -> bool:
            known = self.versions[module]
            return known[then[module]].text != known[choice[module]].text

        return min(
            timing.slack + sum(part for m, part in timing.path.items() if changed(m, then))
            for then, timing in self._timed
        )

    def mix(self, start: str, enough: float = 0.0) -> Choice:
        """Choose a recipe for each module, from recipe `start` for all: first speed the critical
        path up until its slack is enough, then give area back, module by module, as long as it
        stays so."""
        choice: Choice = dict.fromkeys(self.versions, start)
        timing = self.time(choice)
        further = [self._further]
        if self._at_last:
            further.append((*self._further, self._at_last))
        for groups in further:
            while timing.slack < enough and (
                faster := self._faster(choice, timing, groups, enough)
            ):
                choice, timing = faster
        return self._smaller(choice, min(timing.slack, enough))

    def _faster(
        self, choice: Choice, timing: Timing, further: Sequence[Sequence[str]], enough: float
    ) -> tuple[Choice, Timing] | None:
        """Take the slowest module of the critical path that can be sped up by another recipe."""
        for module in timing.slow_modules():
            groups = [[*self.versions[module]], *further]
            if self.area(module, choice[module]) < self._worth(choice):
                groups.insert(0, self._at_once)
            for recipes in groups:
                if faster := self._fastest(choice, timing, module, recipes, enough):
                    return faster
        return None

    def _fastest(
        self,
        choice: Choice,
        timing: Timing,
        module: str,
        recipes: Sequence[str],
        enough: float,
    ) -> tuple[Choice, Timing] | None:
        """Take a module by another of these recipes: the first by which slack is enough, else the
        one that gives most; None if none gives any. In haste the first does, too, that leaves
        another module the slowest: what is too slow still is found next."""
        best = None
        trials = list(self._others(choice, module, recipes)) if self._goes_on() else []
        while trials and self._goes_on():
            most = (best[1] if best else timing).slack
            trials = [trial for trial in trials if self.most_slack(trial) > most]
            if not trials:
                break
            self._time_ahead(trials)
            trial = trials.pop(0)
            found = self.time(trial)
            if found.slack > most:
                best = trial, found
                does = self._hasty and module not in found.slow_modules()
                if does or found.slack >= enough:
                    break
        return best

    def _goes_on(self) -> bool:
        return self.trials() < self._until

    def _others(self, choice: Choice, module: str, recipes: Sequence[str]) -> Iterator[Choice]:
        """Change the recipe of a module, to each other of these that there is for it. All are
        mapped now, though the first may do: _smaller() chooses among them."""
        others = [recipe for recipe in dict.fromkeys(recipes) if recipe != choice[module]]
        known = self.versions[module]
        new = [recipe for recipe in others if recipe not in known]
        with ThreadPoolExecutor(self._jobs) as pool:
            made = list(pool.map(lambda recipe: self._make(module, recipe), new))
        known |= {recipe: one for recipe, one in zip(new, made, strict=True) if one}
        return ({**choice, module: recipe} for recipe in others if recipe in known)

    def _worth(self, choice: Choice) -> float:
        """Tell what area is worth a trial."""
        return WORTH * sum(self.area(module, recipe) for module, recipe in choice.items())

    def _smaller(self, choice: Choice, floor: float) -> Choice:
        """Make modules smaller where no slack below the floor comes of it: those with much to save
        together if that does, else one by one from the most on, and then all others."""
        worth = self._worth(choice)

        def saving(module: str, recipe: str) -> float:
            return self.area(module, choice[module]) - self.area(module, recipe)

        smallest = {
            module: sorted(recipes, key=partial(self.area, module))
            for module, recipes in self.versions.items()
        }
        changes = {
            module: [{module: recipe} for recipe in recipes if saving(module, recipe) >= worth]
            for module, recipes in smallest.items()
        }
        most_first = sorted(choice, key=lambda m: -saving(m, smallest[m][0]))
        much = [module for module in most_first if changes[module]]

        def taken(start: Choice, holds: Callable[[Choice], bool]) -> Choice:
            for module in much:
                for change in changes[module]:
                    if holds({**start, **change}):
                        start = {**start, **change}
                        break
            return start

        def may_hold(trial: Choice) -> bool:
            return self.most_slack(trial) >= floor

        def holds(trial: Choice) -> bool:
            return may_hold(trial) and self.time(trial).slack >= floor

        together = taken(choice, may_hold)
        choice = together if holds(together) else taken(choice, holds)
        little = {m: smallest[m][0] for m in choice if m not in much}
        while little:
            trial = {**choice, **little}
            timing = self.time(trial)
            if timing.slack >= floor:
                return trial
            to_blame = [m for m in little if m in timing.path and trial[m] != choice[m]]
            little = {m: r for m, r in little.items() if m not in to_blame} if to_blame else {}
        return choice
