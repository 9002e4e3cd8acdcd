"""Take each module by the recipe that suits it: mix netlists of one design module by module.

Modules are mapped on their own, so any recipe's netlist of one fits with any other's of the rest.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

MODULE = re.compile(r"^module (\S+?) ?\(.*?^endmodule\n", re.MULTILINE | re.DOTALL)
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


def split(netlist: str) -> dict[str, str]:
    """Split a netlist that yosys wrote into the texts of its modules."""
    return {match[1].removeprefix("\\"): match[0] for match in MODULE.finditer(netlist)}


def batched(names: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Cut names into parts of so many."""
    return (names[start : start + size] for start in range(0, len(names), size))


class Mixer:
    """The modules of one design by several recipes, and how a mix of them is timed.

    `further` are recipes by which no module has been mapped yet: `make` maps one by them once it is
    what makes the critical path too long, or says that it can't. So many trials run at once as
    there are `jobs`.
    """

    def __init__(
        self,
        versions: Versions,
        time: Callable[[str], Timing],
        further: Sequence[str] = (),
        make: Callable[[str, str], Version | None] = lambda module, recipe: None,
        jobs: int = 1,
    ) -> None:
        self.versions, self._time = versions, time
        self._further, self._make, self._jobs = tuple(further), make, jobs
        self._timed: dict[str, Timing] = {}

    def text(self, choice: Choice) -> str:
        """Write the netlist in which each module is as its recipe made it."""
        return "\n".join(self.versions[module][recipe].text for module, recipe in choice.items())

    def area(self, module: str, recipe: str) -> float:
        """Tell the area of all instances of a module, without submodules."""
        return self.versions[module][recipe].area

    def time(self, choice: Choice) -> Timing:
        """Time a mix, once."""
        key = "\n".join(choice.values())
        if key not in self._timed:
            self._timed[key] = self._time(self.text(choice))
        return self._timed[key]

    def mix(self, start: str) -> Choice:
        """Choose a recipe for each module, from recipe `start` for all: first speed the critical
        path up until the clock is met, then give area back, module by module, as long as no met
        clock is lost."""
        choice = dict.fromkeys(self.versions, start)
        timing = self.time(choice)
        while timing.slack < 0 and (faster := self._faster(choice, timing)):
            choice, timing = faster
        return self._smaller(choice, min(timing.slack, 0.0))

    def _faster(self, choice: Choice, timing: Timing) -> tuple[Choice, Timing] | None:
        """Take the slowest module of the critical path that can be sped up by another recipe: by
        the first that meets the clock, else by what gives most slack; None if nothing gives any."""
        for module in timing.slow_modules():
            best = None
            others = dict.fromkeys([*self.versions[module], *self._further])
            del others[choice[module]]
            for trials in batched(list(others), self._jobs):
                for trial, trial_timing in self._try(choice, module, trials):
                    if trial_timing.slack >= 0:
                        return trial, trial_timing
                    if trial_timing.slack > (best[1] if best else timing).slack:
                        best = trial, trial_timing
            if best:
                return best
        return None

    def _try(
        self, choice: Choice, module: str, recipes: Iterable[str]
    ) -> list[tuple[Choice, Timing]]:
        """Time what becomes of a choice with a module by each of some recipes, if that is new."""
        with ThreadPoolExecutor(self._jobs) as pool:
            list(pool.map(lambda recipe: self._have(module, recipe), recipes))
            known = self.versions[module]
            texts = {known[choice[module]].text}
            new = []
            for recipe in recipes:
                if recipe in known and known[recipe].text not in texts:
                    texts.add(known[recipe].text)
                    new.append({**choice, module: recipe})
            return list(zip(new, pool.map(self.time, new), strict=True))

    def _have(self, module: str, recipe: str) -> None:
        """Map a module by a recipe if it has not been."""
        if recipe not in self.versions[module] and (made := self._make(module, recipe)):
            self.versions[module][recipe] = made

    def _smaller(self, choice: Choice, floor: float) -> Choice:
        """Make the modules with most to save smaller one by one, then the others together."""
        worth = WORTH * sum(self.area(module, recipe) for module, recipe in choice.items())
        by_area = {
            module: sorted(self.versions[module], key=lambda recipe, m=module: self.area(m, recipe))
            for module in choice
        }

        def saving(module: str, recipe: str) -> float:
            return self.area(module, choice[module]) - self.area(module, recipe)

        little = [m for m in choice if saving(m, by_area[m][0]) < worth]
        for module in sorted(choice, key=lambda m: -saving(m, by_area[m][0])):
            if module in little:
                break
            for recipe in by_area[module]:
                if saving(module, recipe) < worth:
                    break
                trial = {**choice, module: recipe}
                if self.time(trial).slack >= floor:
                    choice = trial
                    break
        while little:
            trial = {**choice, **{module: by_area[module][0] for module in little}}
            timing = self.time(trial)
            if timing.slack >= floor:
                return trial
            to_blame = [m for m in little if m in timing.path and trial[m] != choice[m]]
            little = [module for module in little if module not in to_blame] if to_blame else []
        return choice
