"""Run the recipes, mix them, keep the best netlist: outputs/netlist.v, outputs/synthesis.json."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import count
from pathlib import Path

import pyosys
from area import Own, module_areas, own_figures, totals, unmapped_cells
from gating import gating_figures
from hierarchy import holder, instance_paths
from mix import Choice, Mapped, Mixer, Timing, split
from recipes import Recipe, applicable, parse

from flow import opensta
from flow.netlist import read_netlist
from flow.step import IN, LIBERTY, OUT, leave, run_script, taken

VERILOG = IN / "design.v"
WORK = Path("candidates")
TEMPORARY = WORK / "tmp"
MIXED = "mixed"
HIERARCHICAL = "each module mapped on its own: paths through several are timed, not optimised"
FLAT = "mapped as one module: areas by module are those of the best hierarchical netlist"
THEN = "then"
NOTHING = "none"  # mflowgen has no empty parameter
NEARLY = 1.02
HOPELESS = 1.15  # times the clock period
LARGE = 6000  # cells
TIMES = ("setup_slack_ns", "shortest_period_ns", "clock_met")


@dataclass(frozen=True)
class Goal:
    """What every candidate is asked for."""

    top: str
    period: float
    clock_port: str
    dissolve: tuple[str, ...]
    seconds: float
    seed: int = 0
    least_gated: int = 0  # registers of a clock gate; 0: none is used


def run_yosys(command: list[object], log: str, goal: Goal) -> str | None:
    """Run a script that uses yosys; what it says if it fails."""
    # yosys keeps a copy of the library in TMPDIR, and its files if it is stopped.
    return run_script(command, WORK / log, goal.seconds, TMPDIR=str(TEMPORARY.absolute()))


def sta(netlist: Path, goal: Goal, report: bool = False) -> str:
    """What OpenSTA says of a netlist at the goal's clock."""
    return opensta.run_sta(netlist, goal.top, LIBERTY, goal.period, goal.clock_port, report)


def candidate(recipe: Recipe, goal: Goal) -> dict:
    """One row of the front: area and timing by one recipe, or the `error` that stopped it."""
    row = {"recipe": recipe.name}
    start = time.monotonic()
    out = WORK / recipe.name
    command = ["candidate.py", recipe.name, VERILOG, goal.top, LIBERTY, goal.period, out]
    command += ["--seed", goal.seed, "--gate", goal.least_gated, "--dissolve", *goal.dissolve]
    try:
        if error := run_yosys(command, f"{recipe.name}.log", goal):
            return row | {"error": error}
        timing = opensta.summary(sta(WORK / f"{recipe.name}.v", goal), goal.period)
    except subprocess.TimeoutExpired:
        return row | {"error": f"given up after {goal.seconds:g} s"}
    except opensta.StaError as error:
        return row | {"error": f"sta: {error}"}
    return finish(row, totals(figures(recipe.name), goal.top), timing, start)


def finish(row: dict, area: dict[str, float], timing: dict, start: float) -> dict:
    """The row with its figures, printed for the log."""
    row |= {"area_um2": area["area_um2"], "cells": area["cells"]}
    row |= {key: timing[key] for key in TIMES}
    row["seconds"] = round(time.monotonic() - start, 1)
    print(json.dumps(row), flush=True)
    return row


def tree_file(recipe: str) -> Path:
    """The file with the hierarchy of a recipe's netlist."""
    return WORK / f"{recipe}.tree.json"


def figures(recipe: str) -> dict[str, Own]:
    """The modules of a recipe's netlist."""
    return own_figures(json.loads((WORK / f"{recipe}.json").read_text()))


def mixed(front: list[dict], goal: Goal) -> tuple[dict, Choice]:
    """The row of the mix of hierarchical netlists, whose text is left in mixed.v; the recipe of
    each module. The mix starts from the best of them."""
    start = time.monotonic()
    trial = count()
    mapped = {}
    tree: dict[str, dict[str, str]] = defaultdict(dict)
    for row in front:
        recipe = row["recipe"]
        areas = {r["module"]: r["area_um2"] for r in module_areas(figures(recipe), goal.top)}
        mapped[recipe] = Mapped(split((WORK / f"{recipe}.v").read_text()), areas)
        for module, inside in json.loads(tree_file(recipe).read_text()).items():
            tree[module] |= inside
    tree_file(MIXED).write_text(json.dumps(tree))
    paths = instance_paths(tree, goal.top)

    def timed(text: str) -> Timing:
        path = WORK / f"trial-{next(trial)}.v"
        path.write_text(text)
        said = sta(path, goal, report=True)
        path.unlink()
        slack = opensta.summary(said, goal.period)["setup_slack_ns"]
        delays: Counter[str] = Counter()
        for point in opensta.path_points(opensta.path_report(said)):
            _, module = holder(point["pin"].replace("/", "."), paths)
            delays[module] += point["delay_ns"]
        return Timing(float("inf") if slack is None else slack, delays)

    mixer = Mixer(mapped, timed)
    choice = mixer.mix(best(front)["recipe"])
    netlist = WORK / f"{MIXED}.v"
    netlist.write_text(mixer.text(choice))
    area = totals({m: figures(recipe)[m] for m, recipe in choice.items()}, goal.top)
    timing = opensta.summary(sta(netlist, goal), goal.period)
    return finish({"recipe": MIXED, "trials": next(trial)}, area, timing, start), choice


def may_win(front: list[dict], flat: dict | None, top: str) -> bool:
    """Whether a mix may be better than the flat netlist: the sum of each module's smallest version,
    which no mix is below, is."""
    by_recipe = [module_areas(figures(row["recipe"]), top) for row in front]
    if len(by_recipe) < 2 or len(by_recipe[0]) < 2:
        return False
    if flat is None or not flat["clock_met"]:
        return True
    smallest: dict[str, float] = {}
    for row in (row for rows in by_recipe for row in rows):
        smallest[row["module"]] = min(row["area_um2"], smallest.get(row["module"], row["area_um2"]))
    return sum(smallest.values()) < flat["area_um2"]


def best(front: list[dict]) -> dict:
    """The smallest that meets the clock, else the smallest of those nearly as fast as any."""
    fastest = min(row["shortest_period_ns"] or 0.0 for row in front)
    meeting = [row for row in front if row["clock_met"]] or [
        row for row in front if row["shortest_period_ns"] <= NEARLY * fastest
    ]
    return min(meeting, key=lambda row: row["area_um2"])


def groups(names: str) -> list[list[Recipe]]:
    """The recipes of the parameter, divided where it says "then"."""
    found: list[list[Recipe]] = [[]]
    for name in names.split(","):
        if name == THEN:
            found.append([])
        else:
            found[-1].append(parse(name))
    return found


def already(recipe: Recipe, tried: list[dict]) -> bool:
    """Whether a recipe was tried in an earlier group."""
    return any(row["recipe"] == recipe.name for row in tried)


def far_too_slow(tried: list[dict], goal: Goal) -> bool:
    """Whether all of the recipes are so slow that their like need not be tried."""
    periods = [row.get("shortest_period_ns") or 0.0 for row in tried]
    return bool(periods) and min(periods) > HOPELESS * goal.period


def large(tried: list[dict]) -> bool:
    """Whether the netlists are so large that a generic recipe would take minutes, or hours where
    trees are; it was never seen to pay for them."""
    return any(row.get("cells", 0) > LARGE for row in tried)


def ahead_of_others(recipes: list[Recipe]) -> int:
    """How many of the recipes are tried first: one, or two if they differ in Booth only."""
    return 2 if len({replace(r, booth=False) for r in recipes[:2]}) == 1 < len(recipes) else 1


def suited(recipes: list[Recipe], tried: list[dict], metric: str) -> list[Recipe]:
    """Of recipes that differ in Booth only those with it, or those without: what came out less by
    the metric where one was tried with and without. All, before that."""
    by_name = {row["recipe"]: row for row in tried if "error" not in row}
    for name, row in by_name.items():
        other = by_name.get(replace(parse(name), booth=True).name)
        if other and other is not row:
            booth = (other[metric] or 0.0) < (row[metric] or 0.0)
            return [
                recipe
                for recipe in recipes
                if recipe.booth == booth or replace(recipe, booth=booth) not in recipes
            ]
    return recipes


def run_all(recipes: list[Recipe], goal: Goal) -> list[dict]:
    """The rows of recipes, some at a time, in their order."""
    jobs = max(1, int(os.environ.get("MODEXPLORER_JOBS") or os.cpu_count() or 1))
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda recipe: candidate(recipe, goal), recipes))


def yosys_tools() -> dict[str, str]:
    """The versions of yosys and of the ABC that comes with it."""
    abc = Path(pyosys.__file__).with_name("yosys-abc")
    done = subprocess.run([abc, "-q", "version"], capture_output=True, text=True, timeout=60)
    return {"yosys": version("pyosys"), "abc": done.stdout.strip().splitlines()[-1]}


def write_netlists(row: dict, by_module: dict, goal: Goal) -> None:
    """The chosen netlist as mapped and as one module, and which module each cell belongs to."""
    netlist = OUT / "netlist.v"
    shutil.copy(WORK / f"{row['recipe']}.v", netlist)
    command = ["flatten.py", netlist, tree_file(by_module["recipe"]), goal.top, LIBERTY, OUT]
    command += ["--by-register"] * (row is not by_module)
    if error := run_yosys(command, "flatten.log", goal):
        sys.exit(f"ERROR: the netlist can't be flattened: {error}")


def main() -> None:
    """Run the portfolio that the step's parameters ask for; exit 1 if no recipe succeeds."""
    env = os.environ
    goal = Goal(
        env["design_name"],
        float(env["clock_period"]),
        env["clock_port"],
        tuple(name for name in env["dissolve"].split(",") if name != NOTHING),
        float(env["recipe_seconds"]),
        int(env["seed"]),
        int(env["gate_registers"]) if env["gated"] == "True" else 0,
    )
    rtl = taken("rtl")
    TEMPORARY.mkdir(parents=True, exist_ok=True)
    tried: list[dict] = []
    choice: Choice = {}
    *_, last = portfolio = groups(env["recipes"])
    for group in portfolio:
        recipes = applicable(group, rtl["operators"], len(rtl["modules"]))
        tried = [row for row in tried if row["recipe"] != MIXED]  # the next mix has more to choose
        new = [recipe for recipe in recipes if not already(recipe, tried)]
        # The fastest, of those that may be fast enough; before that the smallest.
        metric = "area_um2" if group is portfolio[0] else "shortest_period_ns"
        new = suited(new, tried, metric)
        ahead = ahead_of_others(new)
        first = run_all(new[:ahead], goal)
        tried += first
        if group is last or not far_too_slow(first, goal):
            rest = suited(new[ahead:], tried, metric)
            tried += run_all([r for r in rest if not (r.generic and large(first))], goal)
        done = [row for row in tried if "error" not in row]
        flats = [row for row in done if parse(row["recipe"]).flat]
        hierarchicals = [row for row in done if row not in flats]
        flat = best(flats) if flats else None
        met = any(row["clock_met"] for row in hierarchicals)
        # Small versions of every module make no mix that is faster than all of them, and where
        # none of those meets the clock and a flat one does, no mix was ever seen to meet it.
        hopeful = met or (group is last and not (flat and flat["clock_met"]))
        if hopeful and may_win(hierarchicals, flat, goal.top):
            row, choice = mixed(hierarchicals, goal)
            hierarchicals.append(row)
            tried.append(row)
        hierarchical = best(hierarchicals) if hierarchicals else None
        if any(row and row["clock_met"] for row in (hierarchical, flat)):
            break
    if not done:
        failures = dict.fromkeys(row["error"] for row in tried)
        sys.exit("\n".join(f"ERROR: no recipe succeeded: {failure}" for failure in failures))

    row = best([found for found in (hierarchical, flat) if found])
    by_module = hierarchical or flat
    if by_module["recipe"] == MIXED:
        recipe_of = choice
    else:
        recipe_of = dict.fromkeys(figures(by_module["recipe"]), by_module["recipe"])
    parts = {module: figures(recipe)[module] for module, recipe in recipe_of.items()}
    write_netlists(row, by_module, goal)
    flat_netlist = read_netlist(OUT / "flat.json", goal.top)
    data = {
        "metrics": totals(parts if row is by_module else figures(row["recipe"]), goal.top),
        "recipe": row["recipe"],
        "dissolve": list(goal.dissolve),
        "mapping": FLAT if row is flat else HIERARCHICAL,
        "modules": [
            part | {"recipe": recipe_of[part["module"]]} for part in module_areas(parts, goal.top)
        ],
        "hierarchical": hierarchical,
        "flat": flat,
        "front": tried,
        "unmapped": unmapped_cells(flat_netlist, LIBERTY.read_text()),
        "tools": yosys_tools() | {"opensta": opensta.version()},
    }
    if goal.least_gated:
        data["gating"] = gating_figures(flat_netlist, goal.least_gated)
    leave("synthesis", data)


if __name__ == "__main__":
    main()
