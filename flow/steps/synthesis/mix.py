"""Take each module by the recipe that suits it: mix netlists of one design module by module.

Modules are mapped on their own, so any recipe's netlist of one fits with any other's of the rest.
"""

import re
from collections.abc import Callable, Mapping
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
class Mapped:
    """A recipe's netlist: the text of each module, and its area in all its instances, in um2."""

    texts: Mapping[str, str]
    areas: Mapping[str, float]


def split(netlist: str) -> dict[str, str]:
    """Split a netlist that yosys wrote into the texts of its modules."""
    return {match[1].removeprefix("\\"): match[0] for match in MODULE.finditer(netlist)}


class Mixer:
    """The netlists of one design by several recipes, and how a mix of them is timed."""

    def __init__(self, mapped: Mapping[str, Mapped], time: Callable[[str], Timing]) -> None:
        self.mapped, self._time = mapped, time

    def text(self, choice: Choice) -> str:
        """Write the netlist in which each module is as its recipe made it."""
        return "\n".join(self.mapped[recipe].texts[module] for module, recipe in choice.items())

    def area(self, module: str, recipe: str) -> float:
        """Tell the area of all instances of a module, without submodules."""
        return self.mapped[recipe].areas[module]

    def time(self, choice: Choice) -> Timing:
        """Time a mix."""
        return self._time(self.text(choice))

    def mix(self, start: str) -> Choice:
        """Choose a recipe for each module, from recipe `start` for all: first speed the critical
        path up until the clock is met, then give area back, module by module, as long as no met
        clock is lost."""
        choice = dict.fromkeys(self.mapped[start].texts, start)
        timing = self.time(choice)
        while timing.slack < 0 and (faster := self._faster(choice, timing)):
            choice, timing = faster
        return self._smaller(choice, min(timing.slack, 0.0))

    def _faster(self, choice: Choice, timing: Timing) -> tuple[Choice, Timing] | None:
        """Take one module of the critical path by another recipe: by the first that meets the
        clock, else by what gives most slack; None if nothing gives any."""
        best = None
        for module in timing.slow_modules():
            now = self.mapped[choice[module]].texts[module]
            for recipe, mapped in self.mapped.items():
                if mapped.texts[module] == now:
                    continue
                trial = {**choice, module: recipe}
                trial_timing = self.time(trial)
                if trial_timing.slack >= 0:
                    return trial, trial_timing
                if trial_timing.slack > (best[1] if best else timing).slack:
                    best = trial, trial_timing
        return best

    def _smaller(self, choice: Choice, floor: float) -> Choice:
        """Make the modules with most to save smaller one by one, then the others together."""
        worth = WORTH * sum(self.area(module, recipe) for module, recipe in choice.items())
        smallest = {
            module: min(self.mapped, key=lambda recipe, m=module: self.area(m, recipe))
            for module in choice
        }

        def saving(module: str, recipe: str) -> float:
            return self.area(module, choice[module]) - self.area(module, recipe)

        little = [m for m in choice if saving(m, smallest[m]) < worth]
        for module in sorted(choice, key=lambda m: -saving(m, smallest[m])):
            if module in little:
                break
            for recipe in sorted(self.mapped, key=lambda r, m=module: self.area(m, r)):
                if saving(module, recipe) < worth:
                    break
                trial = {**choice, module: recipe}
                if self.time(trial).slack >= floor:
                    choice = trial
                    break
        while little:
            trial = {**choice, **{module: smallest[module] for module in little}}
            timing = self.time(trial)
            if timing.slack >= floor:
                return trial
            to_blame = [m for m in little if m in timing.path and trial[m] != choice[m]]
            little = [module for module in little if module not in to_blame] if to_blame else []
        return choice
