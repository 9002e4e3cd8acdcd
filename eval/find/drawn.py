"""Points of a family that is too large to be looked at one by one: drawn by Optuna.

NSGA-II looks for points that are good in some quantity, by their cycles and optimistic estimates.
It takes several quantities at once, numbers and choices alike, and a seed makes it draw the same
points again. What it draws rests on quoted netlists alone, not on what the store has.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from eval.catalog import find
from eval.catalog.family import Family, Parameter, Value
from eval.find.formula import cycles_of
from eval.find.model import DOUBTS, Model, Places, Spot
from eval.find.need import Need
from eval.find.space import suits, wanted_choices
from eval.tasks.unit import maker_code
from sim.build_cache import kept
from sim.closure import Code, hash_data
from sim.paths import build_dir

if TYPE_CHECKING:
    from optuna import Trial

TRIALS, POPULATION = 1000, 60
FAR = 1e3  # a logarithm that nothing has: of a point that is none, or none for the need


def draw(
    family: Family, need: Need, model: Callable[[], Model], clocks_ns: Sequence[float]
) -> dict[str, int]:
    """Return the points that are drawn and suit the need, with their cycles; or take those that
    were drawn since the code, or what the model knows of the family, last changed."""
    estimates = model()

    def build(scratch: Path) -> Path:
        made = scratch / "drawn.json"
        made.write_text(json.dumps(_draw(family, need, estimates, clocks_ns)))
        return made

    here = Path(__file__).parent
    code, maker = Code().contents(sorted(here.glob("*.py"))), maker_code()
    asked = replace(need, families=(), budget_s=0)
    how = [TRIALS, POPULATION, version("optuna")]
    known = repr(estimates.known_of(family.name))
    key = hash_data([family.name, repr(asked), known, list(clocks_ns), code, maker, how])
    found: dict[str, int] = json.loads(kept(build_dir("drawn") / f"{key}.json", build).read_text())
    return found


def _draw(family: Family, need: Need, model: Model, clocks_ns: Sequence[float]) -> dict[str, int]:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    found: dict[str, int] = {}
    scores: dict[str, list[float]] = {}

    def score(trial: "Trial") -> list[float]:
        values = {p.name: _choose(trial, p, need.nbits) for p in family.parameters}
        if family.broken(values) is not None:
            return [FAR] * len(need.quantities)
        name = find(family.spell(values)).name
        if name not in scores:
            scores[name] = [FAR] * len(need.quantities)
            if suits(find(name), need):
                found[name] = cycles_of(name, need.nbits, need.workload)
                spots = [Spot(name, need.nbits, clock_ns) for clock_ns in clocks_ns]
                scores[name] = _scores(need, model, spots, need.powers * found[name])
        return scores[name]

    sampler = optuna.samplers.NSGAIISampler(seed=need.seed, population_size=POPULATION)
    study = optuna.create_study(directions=["minimize"] * len(need.quantities), sampler=sampler)
    study.optimize(score, n_trials=TRIALS)
    return found


def _choose(trial: "Trial", parameter: Parameter, nbits: int) -> Value:
    """Have a parameter's value suggested, of those that a need may want: a number, or a choice."""
    choices = wanted_choices(parameter, nbits)
    if len(choices) == 1:
        return choices[0]
    if isinstance(parameter.choices, range):
        numbers = [int(choice) for choice in choices]
        return trial.suggest_int(
            parameter.name, numbers[0], numbers[-1], step=parameter.choices.step
        )
    return choices[trial.suggest_categorical(parameter.name, range(len(choices)))]


def _scores(need: Need, model: Model, spots: Sequence[Spot], cycles: int) -> list[float]:
    """Tell the logarithm of each quantity at best, over the clocks; what keeps to a limit is as
    good as another that does."""
    places = Places(spots)
    area, area_doubt = model.estimate("area", places)
    period, period_doubt = model.estimate("period", places)
    best = {"area": area - DOUBTS * area_doubt + log(need.nbits)}
    best["time"] = period - DOUBTS * period_doubt + log(cycles / 1000)
    if "energy" in need.quantities:
        energy, energy_doubt = model.estimate("energy", places)
        best["energy"] = energy - DOUBTS * energy_doubt + best["area"] + log(cycles)
    found = []
    for name in need.quantities:
        value = float(best[name].min())
        limit = need.at_most.get(name)
        kept = limit is not None and name not in need.least
        found.append(max(value, log(limit)) if kept and limit else value)
    return found
