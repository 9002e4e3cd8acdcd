"""Bring a design to the registers of the kit and yosys' own gates, on which ABC then works.

That is the same at every clock and for all recipes that differ in what ABC does, and it takes a
third of the time: it is kept, compressed, under the text and all else that decides it.
"""

import shutil
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path

import msgspec
from pyosys import libyosys as ys

from flow.digest import hash_files
from flow.synthesis.adders import AS_CELL, WITH_CONSTANT, as_cell, as_instances, set_adders
from flow.synthesis.clock_gates import gate_clocks
from flow.synthesis.recipes import ADDER, Recipe
from flow.technologies.technology import Technology, beside
from sim.build_cache import is_whole, keep
from sim.closure import hash_data
from sim.paths import build_dir, unspaced
from sim.stages import stages

FILES = (WITH_CONSTANT, ADDER["ripple"])


@dataclass(frozen=True)
class Given:
    """A design as Verilog, and what decides its mapping beside a recipe; see candidate.py."""

    text: str
    top: str
    cells: Path
    flatten: list[str]
    seed: int
    least_gated: int

    @cached_property
    def technology(self) -> Technology:
        """What is known of the library's cells."""
        return beside(self.cells)

    @property
    def dont_use(self) -> str:
        """The option of yosys' passes that names the cells that are no logic."""
        return " ".join(f"-dont_use {cell}" for cell in self.technology.cells.unused)

    def key(self, recipe: Recipe) -> str:
        """Name what becomes of it before ABC."""
        options, library = asdict(replace(recipe, mapping="")), _hash_library(self.cells)
        roles = msgspec.to_builtins(self.technology.cells)
        given = asdict(self) | {"cells": library, "roles": roles}
        return hash_data([given, options, stages().digest(["map"]), version("pyosys")])


@cache
def _hash_library(cells: Path) -> str:
    return hash_files(cells.parent, [cells])


def is_prepared(given: Given, recipe: Recipe) -> bool:
    """Tell whether that has been done before."""
    return all(is_whole(file) for file in _files(given, recipe))


def prepare(given: Given, recipe: Recipe, out: Path) -> None:
    """Bring it so far, and keep it."""
    made, states = out.with_suffix(".il.gz"), out.with_suffix(".states")
    states.touch()
    design = ys.Design()
    _make(design, given, recipe, out)
    ys.run_pass(f"write_rtlil {made}", design)
    for part, target in zip((states, made), _files(given, recipe), strict=True):
        keep(part, target)


def read_prepared(given: Given, recipe: Recipe, out: Path) -> ys.Design:
    """Return the design, and leave out.states: how yosys codes the states of state machines."""
    states, gates = _files(given, recipe)
    shutil.copy(states, out.with_suffix(".states"))
    design = ys.Design()
    ys.run_pass(f"read_rtlil {unspaced(gates)}", design)
    return design


def _files(given: Given, recipe: Recipe) -> tuple[Path, Path]:
    """Name the codes of states and the gates that are kept."""
    key = given.key(recipe)
    return build_dir("prepared") / f"{key}.states", build_dir("prepared") / f"{key}.il.gz"


def _make(design: ys.Design, given: Given, recipe: Recipe, out: Path) -> None:
    """Read the text, and go as far as all recipes with the same options do."""
    library, verilog = f"-liberty {given.cells}", out.with_suffix(".sv")
    verilog.write_text(as_instances(given.text) if recipe.full_adders else given.text)
    to_registers = [
        f"read_verilog -sv {verilog}",
        f"{hierarchy(given.top)}; proc",
        *([f"rename -scramble-name -seed {given.seed} w:*"] if given.seed else []),
        *flattening(given.flatten, given.top),
        # An attribute makes yosys prefer a register's own name to those of wires joined to it.
        "setattr -set register 1 t:$*ff* %co:+[Q] w:* %i",
        *coarse(recipe, out.with_suffix(".states")),
        f"synth -run fine:check {recipe.synth_options()}",
        # Not before: cells are modules, and each pass goes through all of these.
        f"read_liberty -lib -ignore_miss_func {given.cells}",
    ]
    to_cells = [
        f"dfflibmap -prepare {given.dont_use} {library}; opt_clean -purge",
        "rename -wire -suffix _reg t:$_*FF*",
        f"dfflibmap {given.dont_use} {library}; opt",
    ]
    for command in to_registers:
        ys.run_pass(command, design)
    cells = given.technology.cells
    if recipe.full_adders and cells.full_adder:
        Path(AS_CELL).write_text(as_cell(cells.full_adder))
        set_adders(design)
    if given.least_gated and cells.clock_gate:
        gate_clocks(design, given.least_gated, cells.clock_gate)
    for command in to_cells:
        ys.run_pass(command, design)


def coarse(recipe: Recipe, states: Path) -> list[str]:
    """List the passes of synth's part "coarse", but for its two checks: in these each output of a
    wide operator is taken to depend on each input, one by one. The step `rtl` has looked for loops;
    at 4096 bits they took minutes."""
    return [
        "hierarchy -check; proc",
        *(["flatten"] if recipe.flat else []),
        f"opt_expr; opt_clean; opt -nodffe -nosdff; fsm -encfile {states}",
        "opt; wreduce; peepopt; opt_clean",
        *(["booth"] if recipe.booth else []),
        "alumacc; share; opt; memory -nomap; opt_clean",
    ]


def hierarchy(top: str) -> str:
    """Write the pass that finds all modules; without a `top` none is left out."""
    return f"hierarchy -check -top {top}" if top else "hierarchy -check"


def flattening(modules: list[str], top: str) -> list[str]:
    """List the passes that put the modules of these classes into those that hold them."""
    if not modules:
        return []
    selection = " ".join(f"{name}__* {name}_noparam" for name in modules)
    return [
        "setattr -mod -set keep_hierarchy 1 *",
        f"setattr -mod -unset keep_hierarchy {selection}",
        f"flatten; {hierarchy(top)}" if top else f"flatten; delete {selection}",
        "setattr -mod -unset keep_hierarchy *",
    ]
