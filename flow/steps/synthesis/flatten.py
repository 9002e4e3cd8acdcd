"""The mapped netlist as one module, and the module that each cell belongs to.

A cell of a hierarchical netlist belongs to the instance that holds it, which its name begins with.
In a flat netlist only registers keep such names: any other cell belongs where the nearest register
that it feeds does, and to the top if it feeds outputs only.
"""

import argparse
import json
from collections import defaultdict, deque
from collections.abc import Mapping
from pathlib import Path

from pyosys import libyosys as ys

Owner = tuple[str, str]  # instance path ("" for the top), module


def instance_paths(tree: Mapping[str, Mapping[str, str]], top: str) -> dict[str, str]:
    """The module of each instance path, parts joined by dots; the top is ""."""
    found = {"": top}
    waiting = [("", top)]
    while waiting:
        path, module = waiting.pop()
        for instance, kind in tree.get(module, {}).items():
            below = f"{path}.{instance}" if path else instance
            found[below] = kind
            waiting.append((below, kind))
    return found


def holder(name: str, paths: Mapping[str, str]) -> Owner:
    """The innermost instance that a cell's name begins with."""
    path = name
    while path:
        path = path.rpartition(".")[0]
        if path in paths:
            return path, paths[path]
    return "", paths[""]


def owners_by_register(cells: Mapping[str, dict], paths: Mapping[str, str]) -> dict[str, Owner]:
    """Registers belong to the instance in their name, other cells to the nearest register fed."""
    drivers: dict[int, str] = {}
    inputs = defaultdict(list)
    for name, cell in cells.items():
        for pin, bits in cell["connections"].items():
            if cell["port_directions"][pin] == "output":
                drivers |= dict.fromkeys(bits, name)
            else:
                inputs[name] += bits
    owners = {n: holder(n, paths) for n, cell in cells.items() if cell["type"].startswith("DFF")}
    waiting = deque(owners)
    while waiting:
        name = waiting.popleft()
        for bit in inputs[name]:
            driver = drivers.get(bit)
            if driver is not None and driver not in owners:
                owners[driver] = owners[name]
                waiting.append(driver)
    return {name: owners.get(name, ("", paths[""])) for name in cells}


def flatten(netlist: Path, top: str, liberty: Path, out: Path) -> dict[str, dict]:
    """Write the netlist as one module; its cells as yosys' JSON has them."""
    design = ys.Design()
    for command in (
        f"read_liberty -lib -ignore_miss_func {liberty}",
        f"read_verilog {netlist}",
        f"hierarchy -check -top {top}",
        "flatten; opt_clean -purge",
        f"write_json {out.with_suffix('.json')}",
        f"write_verilog -noattr -noexpr -nohex -nodec -simple-lhs {out}",
    ):
        ys.run_pass(command, design)
    written = json.loads(out.with_suffix(".json").read_text())
    out.with_suffix(".json").unlink()
    return written["modules"][top]["cells"]


def main() -> None:
    """Command line: netlist, tree of modules (JSON), top, library, folder for the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("netlist", type=Path)
    parser.add_argument("tree", type=Path)
    parser.add_argument("top")
    parser.add_argument("liberty", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--by-register", action="store_true", help="the netlist was mapped flat")
    args = parser.parse_args()
    paths = instance_paths(json.loads(args.tree.read_text()), args.top)
    cells = flatten(args.netlist, args.top, args.liberty, args.out / "flat.v")
    if args.by_register:
        owners = owners_by_register(cells, paths)
    else:
        owners = {name: holder(name, paths) for name in cells}
    (args.out / "cells.json").write_text(json.dumps(owners, indent=0) + "\n")


if __name__ == "__main__":
    main()
