"""Make netlists by a recipe, or as a mix of several, and say how large and fast they are.

What belongs to a netlist is in WORK under the name of its recipe: .v, .modules.json (what is known
of each module), .tree.json (its hierarchy) and .log.
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
from mix import Choice, Mixer, Timing, Version
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
    """Write a netlist, what is known of its modules, and its hierarchy."""
    (WORK / f"{name}.v").write_text("\n".join(module.text for module in modules.values()))
    known = {module: asdict(found) for module, found in modules.items()}
    (WORK / f"{name}.modules.json").write_text(json.dumps(known))
    tree_file(name).write_text(json.dumps(tree_of(modules)))


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


def tree_file(recipe: str) -> Path:
    """Name the file with the hierarchy of a recipe's netlist."""
    return WORK / f"{recipe}.tree.json"


def mixed(
    recipes: list[str],
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
    begin, trial, part = time.monotonic(), count(), count()
    source = source_of(goal)
    made_of: dict[str, dict[str, Module]] = defaultdict(dict)  # module, recipe
    tree: dict[str, dict[str, str]] = defaultdict(dict)  # of all recipes, as any trial may mix them

    for recipe in recipes:
        for name, module in modules_of(recipe).items():
            made_of[name][recipe] = module
            tree[name] |= module.instances
    number = instances(
        {name: by_recipe[start].own for name, by_recipe in made_of.items()}, goal.top
    )

    def version(name: str, recipe: str) -> Version:
        module = made_of[name][recipe]
        return Version(module.text, module.own.area * number[name])

    def make_one(name: str, recipe: str) -> Version | None:
        out = WORK / f"{recipe}-{next(part)}"
        found = make_modules(parse(recipe), source, [name], out, goal)
        if isinstance(found, str):
            return None
        made_of[name][recipe] = found[name]
        tree[name] |= found[name].instances
        return version(name, recipe)

    def timed(text: str) -> Timing:
        path = WORK / f"trial-{next(trial)}.v"
        path.write_text(text)
        said = sta(path, goal, trial=True)
        path.unlink()
        slack = opensta.summary(said, goal.period)["setup_slack_ns"]
        delays: Counter[str] = Counter()
        paths = instance_paths(tree, goal.top)
        for point in opensta.path_points(opensta.path_report(said)):
            _, module = holder(point["pin"].replace("/", "."), paths)
            delays[module] += point["delay_ns"]
        return Timing(float("inf") if slack is None else slack, delays)

    versions = {name: {r: version(name, r) for r in found} for name, found in made_of.items()}
    *groups, once, last = (
        [recipe.name for recipe in group] for group in (*further, at_once, at_last)
    )
    mixer = Mixer(versions, timed, groups, make_one, jobs(), once, last)
    choice = mixer.mix(start)
    chosen = {name: made_of[name][recipe] for name, recipe in choice.items()}
    write_modules(MIXED, chosen)
    timing = opensta.summary(sta(WORK / f"{MIXED}.v", goal), goal.period)
    area = totals(figures(chosen), goal.top)
    return finish({"recipe": MIXED, "trials": mixer.trials()}, area, timing, begin), choice
