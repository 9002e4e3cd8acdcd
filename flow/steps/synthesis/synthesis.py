"""Run the recipes, keep the best netlist: outputs/netlist.v, outputs/synthesis.json."""

import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pyosys
from area import module_areas, unmapped_cells
from recipes import Recipe, applicable, parse

from flow import opensta

LIBERTY = Path("inputs/adk/stdcells.lib")
VERILOG = Path("inputs/design.v")
WORK = Path("candidates")
TEMPORARY = WORK / "tmp"
HIERARCHICAL = "each module mapped on its own: paths through several are timed, not optimised"
FLAT = "mapped as one module"
NOTHING = "none"  # mflowgen has no empty parameter


@dataclass(frozen=True)
class Goal:
    """What every candidate is asked for."""

    top: str
    period: float
    clock_port: str
    flatten: bool
    dissolve: tuple[str, ...]
    seconds: float


def _map(recipe: Recipe, goal: Goal) -> str | None:
    """Run the recipe in a process of its own; what yosys says if it fails."""
    out = WORK / recipe.name
    command = [sys.executable, "candidate.py", recipe.name, str(VERILOG), goal.top]
    command += [str(LIBERTY), str(goal.period), str(out), *["--flatten"] * goal.flatten]
    command += ["--dissolve", *goal.dissolve]
    log = WORK / f"{recipe.name}.log"
    with log.open("w") as stream:
        done = subprocess.run(
            command,
            stdout=stream,
            stderr=subprocess.STDOUT,
            timeout=goal.seconds,
            # yosys keeps a copy of the library there, and its files if it is stopped.
            env=os.environ | {"TMPDIR": str(TEMPORARY.absolute())},
        )
    if done.returncode == 0:
        return None
    lines = log.read_text(errors="replace").splitlines() or [f"exit code {done.returncode}"]
    return " ".join([line for line in lines if line.startswith("ERROR")] or lines[-1:])


def candidate(recipe: Recipe, goal: Goal) -> dict:
    """One row of the front: area and timing by one recipe, or the `error` that stopped it."""
    row = {"recipe": recipe.name}
    start = time.monotonic()
    try:
        if error := _map(recipe, goal):
            return row | {"error": error}
        netlist = WORK / f"{recipe.name}.v"
        text = opensta.run_sta(netlist, goal.top, LIBERTY, goal.period, goal.clock_port)
    except subprocess.TimeoutExpired:
        return row | {"error": f"given up after {goal.seconds:g} s"}
    except opensta.StaError as error:
        return row | {"error": f"sta: {error}"}
    cells = json.loads((WORK / f"{recipe.name}.json").read_text())["design"]
    timing = opensta.summary(text, goal.period)
    row |= {"area_um2": round(cells["area"], 3), "cells": cells["num_cells"]}
    row |= {key: timing[key] for key in ("setup_slack_ns", "shortest_period_ns", "clock_met")}
    row["seconds"] = round(time.monotonic() - start, 1)
    print(json.dumps(row), flush=True)
    return row


def best(front: list[dict]) -> dict:
    """The smallest that meets the clock, else the fastest."""
    meeting = [row for row in front if row["clock_met"]]
    if meeting:
        return min(meeting, key=lambda row: row["area_um2"])
    return min(front, key=lambda row: row["shortest_period_ns"])


def yosys_tools() -> dict[str, str]:
    """The versions of yosys and of the ABC that comes with it."""
    abc = Path(pyosys.__file__).with_name("yosys-abc")
    done = subprocess.run([abc, "-q", "version"], capture_output=True, text=True, timeout=60)
    return {"yosys": version("pyosys"), "abc": done.stdout.strip().splitlines()[-1]}


def main() -> None:
    """Run the portfolio that the step's parameters ask for; exit 1 if no recipe succeeds."""
    env = os.environ
    flatten = env["flatten"] == "True"
    goal = Goal(
        env["design_name"],
        float(env["clock_period"]),
        env["clock_port"],
        flatten,
        tuple(name for name in env["dissolve"].split(",") if name != NOTHING),
        float(env["recipe_seconds"]),
    )
    operators = json.loads(Path("inputs/rtl.json").read_text())["operators"]
    recipes = applicable([parse(name) for name in env["recipes"].split(",")], operators)
    TEMPORARY.mkdir(parents=True, exist_ok=True)
    jobs = max(1, int(env.get("MODEXPLORER_JOBS") or os.cpu_count() or 1))
    with ThreadPoolExecutor(jobs) as pool:
        tried = list(pool.map(lambda recipe: candidate(recipe, goal), recipes))
    front = [row for row in tried if "error" not in row]
    if not front:
        failures = dict.fromkeys(row["error"] for row in tried)
        sys.exit("\n".join(f"ERROR: no recipe succeeded: {failure}" for failure in failures))

    chosen = best(front)
    stat = json.loads((WORK / f"{chosen['recipe']}.json").read_text())
    data = {
        "metrics": {
            "area_um2": chosen["area_um2"],
            "sequential_area_um2": round(stat["design"]["sequential_area"], 3),
            "cells": chosen["cells"],
        },
        "recipe": chosen["recipe"],
        "flatten": flatten,
        "dissolve": list(goal.dissolve),
        "mapping": FLAT if flatten else HIERARCHICAL,
        "modules": module_areas(stat, goal.top),
        "front": tried,
        "unmapped": unmapped_cells(stat, LIBERTY.read_text()),
        "tools": yosys_tools() | {"opensta": opensta.version()},
    }
    Path("outputs").mkdir(exist_ok=True)
    shutil.copy(WORK / f"{chosen['recipe']}.v", "outputs/netlist.v")
    flat = [sys.executable, "flat.py", "outputs/netlist.v", goal.top]
    if subprocess.run(flat, stdout=subprocess.DEVNULL).returncode:
        sys.exit("ERROR: the netlist cannot be flattened")
    Path("outputs/synthesis.json").write_text(json.dumps(data, indent=2) + "\n")


if __name__ == "__main__":
    main()
