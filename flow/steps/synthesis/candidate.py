"""Map a design to the kit's cells by one recipe: its netlist and what is in it.

A process of its own, because an error inside yosys ends the interpreter.
"""

import argparse
import json
import random
import re
from collections.abc import Collection
from pathlib import Path

from prepare import DONT_USE, Given, prepared
from pyosys import libyosys as ys
from recipes import MOST_GATES, Recipe, parse

from flow.constraints import DRIVING_CELL, LOAD_FF
from sim.paths import unspaced


def synthesise(
    recipe: Recipe,
    verilog: Path,
    top: str,
    liberty: Path,
    period: float,
    dissolve: list[str],
    seed: int,
    least_gated: int,
    out: Path,
) -> None:
    """Write out.v (netlist), out.json (its statistics), out.tree.json (its hierarchy) and
    out.states (how yosys codes the states of state machines); yosys ends the process if it cannot.
    All modules are mapped if there is no `top`.

    Registers are clocked through gates, at least `least_gated` by each; 0: not at all. A seed other
    than 0 changes what should not matter: the order of modules, the names of nets.
    """
    files = unspaced(out.absolute())  # abc is given absolute names, of which it takes no space
    constraints = files.with_suffix(".constr")
    constraints.write_text(f"set_driving_cell {DRIVING_CELL}\nset_load {LOAD_FF * recipe.load}\n")
    text = verilog.read_text()
    given = Given(shuffled(text, seed), top, liberty, dissolve, seed, least_gated)
    design = prepared(given, recipe, out)
    large = [] if recipe.flat else large_modules(design)
    # All modules, but for those that are mapped apart.
    others = " ".join(["*", *large, *["%u"] * (len(large) - 1), *["%d"] * bool(large)])
    for modules, is_large in ((" ".join(large), True), (others, False)):
        if modules:
            script = files.with_suffix(".large.abc" if is_large else ".abc")
            script.write_text(recipe.abc_script(period, is_large))
            abc = f"abc -liberty {liberty} -constr {constraints} {DONT_USE} -script {script}"
            ys.run_pass(f"{abc} {modules}", design)
    for command in (
        "setundef -zero; hilomap -hicell LOGIC1_X1 Z -locell LOGIC0_X1 Z",
        "splitnets; opt_clean -purge",
        "check -assert -mapped",
        f"tee -q -o {out.with_suffix('.json')} stat -json -liberty {liberty}",
        f"write_verilog -noattr -noexpr -nohex -nodec -simple-lhs {out.with_suffix('.v')}",
    ):
        ys.run_pass(command, design)
    named = set(re.findall(r"^\s*module\s+(\w+)", text, re.MULTILINE))
    out.with_suffix(".tree.json").write_text(json.dumps(tree(design, named)))


def large_modules(design: ys.Design) -> list[str]:
    """List the modules with more than MOST_GATES."""
    return [
        plain(module.name.str())
        for module in design.selected_modules()
        if len(module.selected_cells()) > MOST_GATES
    ]


def tree(design: ys.Design, named: Collection[str]) -> dict[str, dict[str, str]]:
    """List, for each module, the module of each instance inside, if it is another one or one of
    those named; cells of the library are none."""
    named = {*named, *(plain(module.name.str()) for module in design.selected_modules())}
    return {
        plain(module.name.str()): {
            plain(cell.name.str()): plain(cell.type.str())
            for cell in module.selected_cells()
            if plain(cell.type.str()) in named
        }
        for module in design.selected_modules()
    }


def plain(name: str) -> str:
    """Spell a name of yosys as the Verilog does."""
    return name.removeprefix("\\")


def shuffled(verilog: str, seed: int) -> str:
    """Put the modules of a text in another order; leave it as it is for seed 0."""
    if not seed:
        return verilog
    head, *modules = re.split(r"^(?=module )", verilog, flags=re.MULTILINE)
    random.Random(seed).shuffle(modules)
    return head + "\n".join(modules)


def main() -> None:
    """Read the command line of one candidate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipe", type=parse)
    parser.add_argument("verilog", type=Path)
    parser.add_argument("liberty", type=Path)
    parser.add_argument("period", type=float)
    parser.add_argument("out", type=Path)
    parser.add_argument("--top", default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--gate", type=int, default=0, dest="least_gated", metavar="REGISTERS")
    parser.add_argument("--dissolve", nargs="*", default=[])
    synthesise(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
