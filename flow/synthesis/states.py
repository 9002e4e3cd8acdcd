"""Tell how registers of state machines are coded in a netlist: yosys codes states its own way."""

from collections.abc import Mapping
from pathlib import Path

from flow.synthesis.hierarchy import Tree, instance_paths

Codes = dict[str, dict[int, int]]  # register -> code in the RTL -> code in the netlist


def state_codes(codes_of: Mapping[str, Codes], tree: Tree, top: str) -> Codes:
    """Tell the codes of every state machine by the name of its register in the whole design, from
    those by module."""
    found = {}
    for path, module in instance_paths(tree, top).items():
        for register, codes in codes_of.get(module, {}).items():
            found[f"{path}.{register}" if path else register] = codes
    return found


def read_states(path: Path) -> dict[str, Codes]:
    """Read what yosys' fsm_recode wrote: by module and register a line for each state."""
    found: dict[str, Codes] = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        kind, first, second = line.split()
        if kind == ".fsm":
            codes = found.setdefault(first, {}).setdefault(second, {})
        else:
            codes[int(first, 2)] = int(second.replace("-", "0"), 2)
    return found
