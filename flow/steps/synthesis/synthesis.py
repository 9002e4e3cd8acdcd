"""Run the recipes, mix them, keep the best netlist: outputs/netlist.v, outputs/synthesis.json."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import msgspec
import pyosys
from area import module_areas, totals, unmapped_cells
from flatten import Flattened, OutputPins, output_pins
from gating import gating_figures
from hierarchy import instance_paths, owners_by_register
from mix import WORTH, Choice
from modules import Module
from netlists import (
    MIXED,
    TEMPORARY,
    WORK,
    Goal,
    candidates,
    figures,
    in_modules,
    mixed,
    modules_of,
    tree_of,
    write_library,
)
from portfolio import (
    ahead_of_others,
    already,
    best,
    divided,
    far_too_slow,
    groups,
    huge,
    stages,
    suited,
    to_speed_up,
    worth_trying,
)
from recipes import DRIVING, HURRIED, Recipe, applicable, too_long
from rival import Rival
from states import state_codes

from flow import opensta
from flow.netlist import Netlist
from flow.step import LIBERTY, OUT, leave, taken

HIERARCHICAL = "each module mapped on its own: paths through several are timed, not optimised"
FLAT = "mapped as one module: areas by module are those of the best hierarchical netlist"
NOTHING = "none"  # mflowgen has no empty parameter


@dataclass
class Front:
    """What is known so far: a row for each recipe tried, one for their mix with the recipe of each
    of its modules, and the best netlists with hierarchy and without."""

    tried: list[dict] = field(default_factory=list)
    mix: dict | None = None
    choice: Choice = field(default_factory=dict)
    hierarchical: dict | None = None
    flat: dict | None = None

    def best(self) -> list[dict]:
        """List the best netlists that there are, that with hierarchy first."""
        return [row for row in (self.hierarchical, self.flat) if row]

    def met(self) -> bool:
        """Tell whether a netlist meets the clock."""
        return any(row["clock_met"] for row in self.best())

    def speed_up(self, faster: list[list[Recipe]], goal: Goal) -> None:
        """Take what makes the smallest netlist too slow by other recipes, module by module."""
        front, _ = divided(self.tried)
        start = to_speed_up(front, goal.period)["recipe"]
        hierarchical = [
            suited([recipe for recipe in group if not recipe.flat], self.tried, "period_reached_ns")
            for group in faster
        ]
        others = (hierarchical, [Recipe(DRIVING)], [Recipe(HURRIED)])
        self.mix, self.choice = mixed([start], start, goal, *others)
        self.hierarchical = best([*front, self.mix])

    def judge(self, is_last: bool, goal: Goal) -> None:
        """Choose the best netlists of the recipes tried, and of their mix if it may be better.

        Small versions of every module make no mix that is faster than all of them; where none of
        those meets the clock and a flat one does, no mix was ever seen to meet it; and a mix is
        some hundredths faster than its parts, so that it meets no clock which these miss by far.
        """
        front, flats = divided(self.tried)
        self.flat = best(flats) if flats else None
        self.mix = None
        flat_met = self.flat is not None and self.flat["clock_met"]
        nearly = bool(front) and not far_too_slow(front, goal.period)
        hopeful = any(row["clock_met"] for row in front) or (is_last and not flat_met and nearly)
        rivals = [row for row in [*front, *flats] if row["clock_met"]]
        if hopeful and may_win(front, rivals, goal.top):
            recipes = [row["recipe"] for row in front]
            self.mix, self.choice = mixed(recipes, best(front)["recipe"], goal)
            front.append(self.mix)
        self.hierarchical = best(front) if front else None


def may_win(front: list[dict], rivals: list[dict], top: str) -> bool:
    """Tell whether a mix may be worth it beside netlists that meet the clock: whether the smallest
    versions of all modules, which no mix is below, are that much smaller together."""
    if len(front) < 2 or len(modules_of(front[0]["recipe"])) < 2:
        return False
    _, smallest = smallest_modules(front, top)
    least = min((row["area_um2"] for row in rivals), default=float("inf"))
    return sum(smallest.values()) < (1 - WORTH) * least


def smallest_modules(front: list[dict], top: str) -> tuple[dict[str, int], dict[str, float]]:
    """Tell how often each module of netlists occurs, and the least that all of these take in any
    netlist."""
    number: dict[str, int] = {}
    least: dict[str, float] = {}
    for row in front:
        for part in module_areas(figures(modules_of(row["recipe"])), top):
            module, area = part["module"], part["area_um2"]
            number[module] = part["instances"]
            least[module] = min(area, least.get(module, area))
    return number, least


def to_beat(tried: list[dict], top: str) -> Rival | None:
    """Tell what a recipe with hierarchy has to beat, if any such netlist meets the clock."""
    front, _ = divided(tried)
    meeting = [row["area_um2"] for row in front if row["clock_met"]]
    return Rival(min(meeting), *smallest_modules(front, top)) if meeting else None


def try_group(
    group: list[Recipe], tried: list[dict], metric: str, is_last: bool, goal: Goal
) -> list[dict]:
    """Try those recipes of a group that may be worth it, after those tried; their rows."""
    new = suited([recipe for recipe in group if not already(recipe, tried)], tried, metric)
    ahead = ahead_of_others(new)
    found = candidates(new[:ahead], goal)
    if far_too_slow(found, goal.period) and not is_last:
        return found
    rest = suited(new[ahead:], tried + found, metric)
    for stage in stages(rest):
        known = tried + found
        worth = [r for r in stage if worth_trying(r, known, goal.period)]
        found += candidates(worth, goal, to_beat(known, goal.top))
    return found


def yosys_tools() -> dict[str, str]:
    """Find the versions of yosys and of the ABC that comes with it."""
    abc = Path(pyosys.__file__).with_name("yosys-abc")
    done = subprocess.run([abc, "-q", "version"], capture_output=True, text=True, timeout=60)
    return {"yosys": version("pyosys"), "abc": done.stdout.strip().splitlines()[-1]}


def write_flat(
    modules: Mapping[str, Module], by_module: Mapping[str, Module], outputs: OutputPins, goal: Goal
) -> Netlist:
    """Write the chosen netlist as one module, and where each cell belongs: if it was mapped so, to
    an instance of the netlist `by_module`."""
    texts = {name: module.text for name, module in modules.items()}
    flat = Flattened(texts, goal.top, outputs)
    owners = flat.owners
    if modules is not by_module:
        paths = instance_paths(tree_of(by_module), goal.top)
        owners = owners_by_register(flat.netlist, outputs, paths)
    flat.netlist.save(OUT / "flat.json")
    (OUT / "cells.json").write_bytes(msgspec.json.encode(owners))
    return flat.netlist


def report(found: Front, goal: Goal) -> dict:
    """Write the best netlist, and tell what is known of it and of the others."""
    row, by_module = best(found.best()), found.best()[0]
    parts = modules_of(by_module["recipe"])
    modules = parts if row is by_module else modules_of(row["recipe"])
    recipe_of = found.choice
    if by_module["recipe"] != MIXED:
        recipe_of = dict.fromkeys(parts, by_module["recipe"])
    shutil.copy(WORK / f"{row['recipe']}.v", OUT / "netlist.v")
    outputs = output_pins(LIBERTY.read_text())
    flat_netlist = write_flat(modules, parts, outputs, goal)
    codes = {name: module.states for name, module in modules.items()}
    leave("states", state_codes(codes, tree_of(modules), goal.top))
    data = {
        "metrics": totals(figures(modules), goal.top),
        "recipe": row["recipe"],
        "dissolve": list(goal.dissolve),
        "mapping": FLAT if row is found.flat else HIERARCHICAL,
        "modules": [
            part | {"recipe": recipe_of[part["module"]]}
            for part in module_areas(figures(parts), goal.top)
        ],
        "hierarchical": found.hierarchical,
        "flat": found.flat,
        "front": [*found.tried, *([found.mix] if found.mix else [])],
        "unmapped": unmapped_cells(flat_netlist, outputs),
        "tools": yosys_tools() | {"opensta": opensta.version()},
    }
    if goal.least_gated:
        data["gating"] = gating_figures(flat_netlist, goal.least_gated)
    return data


def main() -> None:
    """Run the portfolio that the step's parameters ask for; exit 1 if no recipe succeeds."""
    env, rtl = os.environ, taken("rtl")
    goal = Goal(
        env["design_name"],
        float(env["clock_period"]),
        env["clock_port"],
        tuple(name for name in env["dissolve"].split(",") if name != NOTHING),
        float(env["recipe_seconds"]),
        int(env["seed"]),
        int(env["gate_registers"]) if env["gated"] == "True" else 0,
    )
    TEMPORARY.mkdir(parents=True, exist_ok=True)
    write_library()
    found = Front()
    carry_save = env["carry_save"] == "True"
    portfolio = [
        [
            recipe
            for recipe in applicable(
                group, rtl["operators"], len(rtl["modules"]), carry_save, rtl["factor_bits"]
            )
            if not too_long(recipe, rtl["widest_adder"], goal.period)
        ]
        for group in groups(env["recipes"])
    ]
    smallest, *faster = portfolio
    found.tried = try_group(smallest, [], "area_um2", not faster, goal)
    found.judge(not faster, goal)
    module_by_module = huge(found.tried) and found.hierarchical and in_modules(goal)
    if faster and module_by_module and not found.met():
        found.speed_up(faster, goal)
        faster = []
    for group in faster:
        if found.met():
            break
        is_last = group is faster[-1]
        found.tried += try_group(group, found.tried, "period_reached_ns", is_last, goal)
        found.judge(is_last, goal)
    if not found.best():
        failures = dict.fromkeys(row["error"] for row in found.tried)
        sys.exit("\n".join(f"ERROR: no recipe succeeded: {failure}" for failure in failures))
    leave("synthesis", report(found, goal))


if __name__ == "__main__":
    main()
