"""Write the mapped netlist as one module, and the instance and module that each cell belongs to.

A process of its own, because an error inside yosys ends the interpreter.
"""

import argparse
import json
from pathlib import Path

from hierarchy import holder, instance_paths, owners_by_register
from pyosys import libyosys as ys

from flow.netlist import netlist_of, read_module


def flatten(netlist: Path, top: str, liberty: Path, out: Path) -> None:
    """Write the netlist as one module, in yosys' JSON."""
    design = ys.Design()
    for command in (
        f"read_liberty -lib -ignore_miss_func {liberty}",
        f"read_verilog {netlist}",
        f"hierarchy -check -top {top}",
        "setattr -unset src; flatten -noscopeinfo; opt_clean -purge",
        f"write_json {out}",
    ):
        ys.run_pass(command, design)


def main() -> None:
    """Read the command line: netlist, tree of modules, top, library, folder for the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("netlist", type=Path)
    parser.add_argument("tree", type=Path)
    parser.add_argument("top")
    parser.add_argument("liberty", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--by-register", action="store_true", help="the netlist was mapped flat")
    args = parser.parse_args()
    written = args.tree.with_name("flat.json")
    flatten(args.netlist, args.top, args.liberty, written)
    # Without what yosys knows besides, the file is a tenth as large.
    module = read_module(written, args.top)
    netlist_of(module, args.top).save(args.out / "flat.json")
    paths = instance_paths(json.loads(args.tree.read_text()), args.top)
    if args.by_register:
        owners = owners_by_register(module.cells, paths)
    else:
        owners = {name: holder(name, paths) for name in module.cells}
    (args.out / "cells.json").write_text(json.dumps(owners, indent=0) + "\n")


if __name__ == "__main__":
    main()
