"""Make netlists by a recipe, or as a mix of several, and say how large and fast they are.

What belongs to a netlist is in WORK under the name of its recipe: .v, .modules.json (what is known
of each module), .tree.json (its hierarchy) and .log.
"""

import json
import os
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from area import Own, module_areas, totals
from hierarchy import Tree, holder, instance_paths
from mix import Choice, Mapped, Mixer, Timing
from modules import Kept, Module, Source, made
from recipes import Recipe

from flow import opensta
from flow.gates.groups import without_groups
from flow.step import IN, LIBERTY, run_script
from sim.paths import unspaced

WORK = Path("candidates")
TEMPORARY = WORK / "tmp"
LIBRARY = WORK / "timing.lib"
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
    """Write the library without what only power needs: each yosys, abc and sta reads all of it."""
    LIBRARY.write_text(without_groups(LIBERTY.read_text(), POWER_GROUPS))


def run_yosys(command: list[object], log: str, goal: Goal) -> str | None:
    """Run a script that uses yosys; what it says if it fails."""
    # yosys keeps a copy of the library in TMPDIR, for abc, and its files if it is stopped.
    return run_script(command, WORK / log, goal.seconds, TMPDIR=str(unspaced(TEMPORARY.absolute())))


def sta(netlist: Path, goal: Goal, trial: bool = False) -> str:
    """Ask OpenSTA about the setup paths of a netlist at the goal's clock; of a trial, roughly, with
    its critical path."""
    asked = (netlist, goal.top, LIBRARY, goal.period, goal.clock_port)
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
    design, out = IN / "design.v", WORK / recipe.name
    source = Source(design.read_text(), goal.top, goal.dissolve)
    if recipe.flat or goal.seed or not source.usual:
        if error := map_by(recipe, design, goal.top, goal):
            return error
        write_modules(recipe.name, made(out))
        return None
    kept = Kept(source, recipe, goal.period, goal.least_gated, LIBRARY)
    modules = {name: module for name in source.names if (module := kept.find(name))}
    if new := [name for name in source.names if name not in modules]:
        design = out.with_suffix(".part.sv")
        design.write_text(source.part(new))
        if error := map_by(recipe, design, "", goal):
            return error
        for name, module in made(out, set(source.names) - set(new)).items():
            modules[name] = module
            kept.keep(name, module)
    write_modules(recipe.name, modules)
    return None


def map_by(recipe: Recipe, design: Path, top: str, goal: Goal) -> str | None:
    """Map the modules of a file by a recipe, those below `top` if one is named."""
    command = ["candidate.py", recipe.name, design, LIBRARY, goal.period, WORK / recipe.name]
    command += ["--top", top, "--seed", goal.seed, "--gate", goal.least_gated]
    return run_yosys([*command, "--dissolve", *goal.dissolve], f"{recipe.name}.log", goal)


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


def candidates(recipes: list[Recipe], goal: Goal) -> list[dict]:
    """Map the design by several recipes, some at a time; their rows in their order."""
    jobs = max(1, int(os.environ.get("MODEXPLORER_JOBS") or os.cpu_count() or 1))
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda recipe: candidate(recipe, goal), recipes))


def figures(modules: Mapping[str, Module]) -> dict[str, Own]:
    """Tell the figures of each module."""
    return {name: module.own for name, module in modules.items()}


def tree_file(recipe: str) -> Path:
    """Name the file with the hierarchy of a recipe's netlist."""
    return WORK / f"{recipe}.tree.json"


def mixed(recipes: list[str], start: str, goal: Goal) -> tuple[dict, Choice]:
    """Mix the netlists of hierarchical recipes, from that of recipe `start` on; the row of the mix,
    whose text is left in mixed.v, and the recipe of each module."""
    begin, trial = time.monotonic(), count()
    mapped: dict[str, Mapped] = {}
    tree: dict[str, dict[str, str]] = defaultdict(dict)  # of all recipes, as any trial may mix them
    by_recipe = {recipe: modules_of(recipe) for recipe in recipes}
    for recipe, modules in by_recipe.items():
        areas = {r["module"]: r["area_um2"] for r in module_areas(figures(modules), goal.top)}
        mapped[recipe] = Mapped({name: found.text for name, found in modules.items()}, areas)
        for name, found in modules.items():
            tree[name] |= found.instances
    paths = instance_paths(tree, goal.top)

    def timed(text: str) -> Timing:
        path = WORK / f"trial-{next(trial)}.v"
        path.write_text(text)
        said = sta(path, goal, trial=True)
        path.unlink()
        slack = opensta.summary(said, goal.period)["setup_slack_ns"]
        delays: Counter[str] = Counter()
        for point in opensta.path_points(opensta.path_report(said)):
            _, module = holder(point["pin"].replace("/", "."), paths)
            delays[module] += point["delay_ns"]
        return Timing(float("inf") if slack is None else slack, delays)

    mixer = Mixer(mapped, timed)
    choice = mixer.mix(start)
    chosen = {name: by_recipe[recipe][name] for name, recipe in choice.items()}
    write_modules(MIXED, chosen)
    timing = opensta.summary(sta(WORK / f"{MIXED}.v", goal), goal.period)
    area = totals(figures(chosen), goal.top)
    return finish({"recipe": MIXED, "trials": next(trial)}, area, timing, begin), choice
