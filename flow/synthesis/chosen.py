"""Write the netlist that was chosen, and tell what is known of it and of the others."""

import json
import shutil
import subprocess
from collections.abc import Collection, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import cast

import msgspec
import pyosys

from flow import opensta
from flow.results.netlist import Attempt, Synthesis
from flow.synthesis.area import module_areas, totals, unmapped_cells
from flow.synthesis.flatten import Flattened, OutputPins, output_pins, register_clocks
from flow.synthesis.front import Front
from flow.synthesis.gating import gating_figures
from flow.synthesis.hierarchy import instance_paths, owners_by_register
from flow.synthesis.modules import Module
from flow.synthesis.netlists import WORK, Goal, figures, modules_of, tree_of
from flow.synthesis.portfolio import best
from flow.synthesis.states import state_codes

HIERARCHICAL = "each module mapped on its own: paths through several are timed, not optimised"
FLAT = "mapped as one module: areas by module are those of the best hierarchical netlist"


def tools() -> dict[str, str]:
    """Find the versions of yosys, of the ABC that comes with it, and of OpenSTA."""
    abc = Path(pyosys.__file__).with_name("yosys-abc")
    done = subprocess.run([abc, "-q", "version"], capture_output=True, text=True, timeout=60)
    abc_version = done.stdout.strip().splitlines()[-1]
    return {"yosys": version("pyosys"), "abc": abc_version, "opensta": opensta.version()}


def write_flat(
    modules: Mapping[str, Module],
    by_module: Mapping[str, Module],
    outputs: OutputPins,
    registers: Collection[str],
    goal: Goal,
    out: Path,
) -> Flattened:
    """Write the chosen netlist as one module, and where each cell belongs: if it was mapped so, to
    an instance of the netlist `by_module`."""
    texts = {name: module.text for name, module in modules.items()}
    flat = Flattened(texts, goal.top, outputs)
    owners = flat.owners
    if modules is not by_module:
        paths = instance_paths(tree_of(by_module), goal.top)
        owners = owners_by_register(flat.netlist, outputs, paths, registers)
    flat.netlist.save(out / "flat.json")
    (out / "cells.json").write_bytes(msgspec.json.encode(owners))
    return flat


def report(found: Front, goal: Goal, out: Path) -> tuple[Synthesis, dict[str, float]]:
    """Write the best netlist into a folder, and tell what is known of it and of the others."""
    row, by_module = best(found.best()), found.best()[0]
    parts = modules_of(by_module.recipe)
    modules = parts if row is by_module else modules_of(row.recipe)
    by_one = dict.fromkeys(parts, by_module.recipe)
    recipe_of = found.choices.get(by_module.recipe, by_one)
    shutil.copy(WORK / f"{row.recipe}.v", out / "netlist.v")
    liberty = goal.liberty.read_text()
    outputs, registers = output_pins(liberty), register_clocks(liberty)
    flat = write_flat(modules, parts, outputs, registers, goal, out)
    gate = goal.technology.cells.clock_gate
    codes = {name: module.states for name, module in modules.items()}
    coded = state_codes(codes, tree_of(modules), goal.top)
    (out / "states.json").write_text(json.dumps(coded, indent=2) + "\n")
    said = Synthesis(
        recipe=row.recipe,
        flatten=goal.flatten,
        mapping=FLAT if row is found.flat else HIERARCHICAL,
        modules=module_areas(figures(parts), goal.top, recipe_of),
        hierarchical=found.hierarchical,
        flat=found.flat,
        # Read again, a Candidate is an Attempt.
        front=cast(list[Attempt], [*found.tried, *filter(None, (found.mix, found.composed))]),
        unmapped=unmapped_cells(flat.held, outputs),
        gating=gating_figures(flat.netlist, goal.least_gated, gate, registers)
        if goal.least_gated and gate
        else None,
    )
    return said, totals(figures(modules), goal.top)
