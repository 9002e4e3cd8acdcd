"""Make netlists by a recipe, or as a mix of several, and say how large and fast they are.

What belongs to a netlist is in WORK under the name of its recipe: .v, .modules.json (what is known
of each module) and .log.
"""

import json
import os
import shutil
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from itertools import count
from pathlib import Path

from area import Own, instances, totals
from hierarchy import Tree, holder, instance_paths
from mix import Choice, Mixer, Timing, Version, Versions
from modules import Kept, Module, Source, made
from recipes import Recipe, parse

from flow import opensta
from flow.digest import hash_data, hash_files
from flow.gates import latest
from flow.gates.groups import without_groups
from flow.step import IN, LIBERTY, run_script
from sim.kept import kept
from sim.paths import build_dir, unspaced

WORK = Path("candidates")
TEMPORARY = WORK / "tmp"
LIBRARY = WORK / "timing.lib"
LATEST = WORK / "latest.lib"
MIXED = "mixed"
POWER_GROUPS = ("internal_power", "leakage_power")
TIMES = ("setup_slack_ns", "period_reached_ns", "clock_met")


@dataclass(frozen=True)
class Goal:
    """What every netlist is asked for."""

    top: str
    period: float
    clock_port: str
    dissolve: tuple[str, ...]
    seconds: float
    seed: int = 0
    least_gated: int = 0  # registers of a clock gate; 0: none is used


def write_library() -> None:
    """Write the library without what only power needs, as each yosys, abc and sta reads all of it;
    and for sta, which calculates all delays in it at every cell, with the latest only."""
    text = without_groups(LIBERTY.read_text(), POWER_GROUPS)
    LIBRARY.write_text(text)
    here = Path(latest.__file__).parent
    key = hash_data([text, hash_files(here, [here / "groups.py", here / "latest.py"])])

    def build(scratch: Path) -> Path:
        made = scratch / LATEST.name
        made.write_text(latest.latest_only(text))
        return made

    shutil.copy(kept(build_dir("prepared") / f"{key}.lib", build), LATEST)


def run_yosys(command: list[object], log: str, goal: Goal) -> str | None:
    """Run a script that uses yosys; what it says if it fails."""
    # yosys keeps a copy of the library in TMPDIR, for abc, and its files if it is stopped.
    return run_script(command, WORK / log, goal.seconds, TMPDIR=str(unspaced(TEMPORARY.absolute())))


def sta(netlist: Path, goal: Goal, trial: bool = False) -> str:
    """Ask OpenSTA about the setup paths of a netlist at the goal's clock, at most a thousandth
    longer than they are; of a trial, roughly, with its critical path."""
    asked = (netlist, goal.top, LATEST, goal.period, goal.clock_port)
    return opensta.run_sta(*asked, report=trial, quick=True, rough=trial)


def candidate(recipe: Recipe, goal: Goal) -> dict:
    """Map the design by one recipe; the row of the netlist, or of the `error` that stopped it."""
    row = {"recipe": recipe.name}
    start = time.monotonic()
    try:
        if error := make(recipe, goal):
            return row | {"error": error}
        timing = opensta.summary(sta(WORK / f"{recipe.name}.v", goal), goal.period)
    except subprocess.TimeoutExpired:
        return row | {"error": f"given up after {goal.seconds:g} s"}
    except opensta.StaError as error:
        return row | {"error": f"sta: {error}"}
    return finish(row, totals(figures(modules_of(recipe.name)), goal.top), timing, start)


def make(recipe: Recipe, goal: Goal) -> str | None:
    """Map the design by a recipe, but for modules that it has mapped before; what yosys says if it
    fails."""
    if recipe.flat or not in_modules(goal):
        if error := map_by(recipe, IN / "design.v", WORK / recipe.name, goal, goal.top):
            return error
        write_modules(recipe.name, made(WORK / recipe.name))
        return None
    source = source_of(goal)
    modules = make_modules(recipe, source, source.names, WORK / recipe.name, goal)
    if isinstance(modules, str):
        return modules
    write_modules(recipe.name, modules)
    return None


@cache
def source_of(goal: Goal) -> Source:
    """Read the Verilog of the design, in its modules, once."""
    return Source((IN / "design.v").read_text(), goal.top, goal.dissolve)


def in_modules(goal: Goal) -> bool:
    """Tell whether the modules of the design can be mapped apart, and kept."""
    return not goal.seed and source_of(goal).usual


def make_modules(
    recipe: Recipe, source: Source, names: Sequence[str], out: Path, goal: Goal
) -> dict[str, Module] | str:
    """Map modules by a recipe, each as it would be in the whole design, but for those that it has
    mapped before; what yosys says if it fails."""
    kept = Kept(source, recipe, goal.period, goal.least_gated, LIBRARY)
    modules = {name: module for name in names if (module := kept.find(name))}
    if new := [name for name in names if name not in modules]:
        part = out.with_suffix(".part.sv")
        part.write_text(source.part(new))
        if error := map_by(recipe, part, out, goal):
            return error
        for name, module in made(out, set(source.names) - set(new)).items():
            modules[name] = module
            kept.keep(name, module)
    return modules


def map_by(recipe: Recipe, design: Path, out: Path, goal: Goal, top: str = "") -> str | None:
    """Map the modules of a file by a recipe, those below `top` if one is named."""
    command = ["candidate.py", recipe.name, design, LIBRARY, goal.period, out]
    command += ["--top", top, "--seed", goal.seed, "--gate", goal.least_gated]
    return run_yosys([*command, "--dissolve", *goal.dissolve], f"{out.name}.log", goal)


def write_modules(name: str, modules: Mapping[str, Module]) -> None:
    """Write a netlist, and what is known of its modules."""
    (WORK / f"{name}.v").write_text("\n".join(module.text for module in modules.values()))
    known = {module: asdict(found) for module, found in modules.items()}
    (WORK / f"{name}.modules.json").write_text(json.dumps(known))


def modules_of(name: str) -> dict[str, Module]:
    """Read what is known of the modules of a netlist."""
    known = json.loads((WORK / f"{name}.modules.json").read_text())
    return {module: Module.of(data) for module, data in known.items()}


def tree_of(modules: Mapping[str, Module]) -> Tree:
    """Tell the hierarchy of modules."""
    return {name: module.instances for name, module in modules.items()}


def finish(row: dict, area: dict[str, float], timing: dict, start: float) -> dict:
    """Add the figures to a row, and print it for the log."""
    row |= {"area_um2": area["area_um2"], "cells": area["cells"]}
    row |= {key: timing[key] for key in TIMES}
    row["seconds"] = round(time.monotonic() - start, 1)
    print(json.dumps(row), flush=True)
    return row


def jobs() -> int:
    """Tell how many programs may run at once."""
    return max(1, int(os.environ.get("MODEXPLORER_JOBS") or os.cpu_count() or 1))


def candidates(recipes: list[Recipe], goal: Goal) -> list[dict]:
    """Map the design by several recipes, some at a time; their rows in their order."""
    with ThreadPoolExecutor(jobs()) as pool:
        return list(pool.map(lambda recipe: candidate(recipe, goal), recipes))


def figures(modules: Mapping[str, Module]) -> dict[str, Own]:
    """Tell the figures of each module."""
    return {name: module.own for name, module in modules.items()}


class Parts:
    """The modules of a design by several recipes, with their submodules in the hierarchy: any mix
    of them is a netlist."""

    def __init__(self, recipes: Sequence[str], start: str, goal: Goal) -> None:
        """Take the modules of these recipes' netlists; that of `start` has as many instances of
        each as any."""
        self._goal, self._source = goal, source_of(goal)
        self._made: dict[str, dict[str, Module]] = defaultdict(dict)  # module, recipe
        self._tree: dict[str, dict[str, str]] = defaultdict(dict)  # of all recipes
        self._trial, self._part = count(), count()
        for recipe in recipes:
            for name, module in modules_of(recipe).items():
                self._made[name][recipe] = module
                self._tree[name] |= module.instances
        begun = {name: by_recipe[start].own for name, by_recipe in self._made.items()}
        self._number = instances(begun, goal.top)

    def versions(self) -> Versions:
        """List what there is of each module, by recipe."""
        return {
            name: {recipe: self._version(name, recipe) for recipe in by_recipe}
            for name, by_recipe in self._made.items()
        }

    def _version(self, name: str, recipe: str) -> Version:
        module = self._made[name][recipe]
        return Version(module.text, module.own.area * self._number[name])

    def make(self, name: str, recipe: str) -> Version | None:
        """Map a module by one more recipe; None if that fails."""
        out = WORK / f"{recipe}-{next(self._part)}"
        try:
            found = make_modules(parse(recipe), self._source, [name], out, self._goal)
        except subprocess.TimeoutExpired:
            return None
        if isinstance(found, str):
            return None
        self._made[name][recipe] = found[name]
        self._tree[name] |= found[name].instances
        return self._version(name, recipe)

    def time(self, text: str) -> Timing:
        """Time a mix, roughly."""
        path = WORK / f"trial-{next(self._trial)}.v"
        path.write_text(text)
        said = sta(path, self._goal, trial=True)
        path.unlink()
        slack = opensta.summary(said, self._goal.period)["setup_slack_ns"]
        delays: Counter[str] = Counter()
        paths = instance_paths(self._tree, self._goal.top)
        for point in opensta.path_points(opensta.path_report(said)):
            _, module = holder(point["pin"].replace("/", "."), paths)
            delays[module] += point["delay_ns"]
        return Timing(float("inf") if slack is None else slack, delays)

    def write(self, choice: Choice) -> tuple[dict[str, float], dict]:
        """Leave a mix in mixed.v; its figures, and its timing as that of any netlist."""
        chosen = {name: self._made[name][recipe] for name, recipe in choice.items()}
        write_modules(MIXED, chosen)
        timing = opensta.summary(sta(WORK / f"{MIXED}.v", self._goal), self._goal.period)
        return totals(figures(chosen), self._goal.top), timing


def mixed(
    recipes: Sequence[str],
    start: str,
    goal: Goal,
    further: Sequence[Sequence[Recipe]] = (),
    at_once: Sequence[Recipe] = (),
    at_last: Sequence[Recipe] = (),
) -> tuple[dict, Choice]:
    """Mix the netlists of hierarchical recipes, from that of recipe `start` on, with modules by
    groups of `further` recipes where they make the critical path too long, before them by those of
    `at_once` if there is hardly any area to lose, and by those of `at_last` where that does not do;
    the row of the mix, whose text is left in mixed.v, and the recipe of each module."""
    begin, parts = time.monotonic(), Parts(recipes, start, goal)
    *groups, once, last = (
        [recipe.name for recipe in group] for group in (*further, at_once, at_last)
    )
    mixer = Mixer(parts.versions(), parts.time, groups, parts.make, jobs(), once, last)
    choice = mixer.mix(start)
    area, timing = parts.write(choice)
    rough = mixer.time(choice).slack
    if rough >= 0 and not timing["clock_met"]:  # trials were too rough, by so much
        choice = mixer.mix(start, rough - timing["setup_slack_ns"])
        area, timing = parts.write(choice)
    return finish({"recipe": MIXED, "trials": mixer.trials()}, area, timing, begin), choice
