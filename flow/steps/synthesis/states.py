"""Tell how registers of state machines are coded in a netlist: yosys codes states its own way."""

import json
from collections.abc import Mapping
from pathlib import Path

from hierarchy import instance_paths
from netlists import WORK, tree_file

Codes = dict[str, dict[int, int]]  # register -> code in the RTL -> code in the netlist


def state_codes(recipe_of: Mapping[str, str], tree: str, top: str) -> Codes:
    """Find the codes of every state machine by the name of its register in the whole design: of
    each module as its recipe made it, in the hierarchy that `tree` has."""
    found = {}
    by_recipe = {recipe: _read(WORK / f"{recipe}.states") for recipe in set(recipe_of.values())}
    for path, module in instance_paths(json.loads(tree_file(tree).read_text()), top).items():
        for register, codes in by_recipe[recipe_of[module]].get(module, {}).items():
            found[f"{path}.{register}" if path else register] = codes
    return found


def _read(path: Path) -> dict[str, Codes]:
    """Read what yosys' fsm_recode wrote: by module and register a line for each state."""
    found: dict[str, Codes] = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        kind, first, second = line.split()
        if kind == ".fsm":
            codes = found.setdefault(first, {}).setdefault(second, {})
        else:
            codes[int(first, 2)] = int(second.replace("-", "0"), 2)
    return found
