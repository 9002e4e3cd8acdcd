"""Make one module of a mapped hierarchy, and say of which module each cell is.

A process of its own, because an error inside yosys ends the interpreter.
"""

import json
import sys
from pathlib import Path

from pyosys import libyosys as ys


def cells_of(modules: dict, top: str) -> dict[str, list[str]]:
    """For each cell, by its instance path, the path of the instance that holds it and the module
    of that."""
    found = {}
    waiting: list[tuple[str, list[str]]] = [(top, [])]
    while waiting:
        module, path = waiting.pop()
        for name, cell in modules[module]["cells"].items():
            inside = [*path, name]
            if cell["type"] in modules:
                waiting.append((cell["type"], inside))
            else:
                found[".".join(inside)] = [".".join(path), module]
    return found


def main() -> None:
    """flat.py NETLIST TOP: outputs/flat.v and outputs/cells.json."""
    netlist, top = sys.argv[1:]
    design = ys.Design()
    for command in (
        f"read_verilog {netlist}",
        f"hierarchy -top {top}",
        "write_json hierarchy.json",
        "flatten -noscopeinfo; opt_clean -purge",
        "write_verilog -noattr -noexpr -nohex -nodec -simple-lhs outputs/flat.v",
    ):
        ys.run_pass(command, design)
    modules = json.loads(Path("hierarchy.json").read_text())["modules"]
    Path("outputs/cells.json").write_text(json.dumps(cells_of(modules, top)) + "\n")


if __name__ == "__main__":
    main()
