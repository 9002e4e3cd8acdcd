"""Map a design to an FPGA family: outputs/netlist.v, outputs/fpga_map.json."""

import json
import os
import sys
from importlib.metadata import version
from pathlib import Path

from devices import FAMILIES, Family
from pyosys import libyosys as ys
from repeated import repeated

from flow.step import IN, OUT, leave, taken

ESTIMATE = "mapped by yosys, not placed: an estimate"


def run_yosys(*commands: str) -> dict:
    """Run the commands on a design of their own, and count its cells. yosys ends the process if one
    fails."""
    design = ys.Design()
    for command in commands:
        ys.run_pass(command, design)
    ys.run_pass("tee -q -o stat.json stat -json", design)
    return json.loads(Path("stat.json").read_text())


def named(cells: dict[str, int]) -> dict[str, int]:
    """Name the types of cells as Verilog does."""
    return {kind.removeprefix("\\"): n for kind, n in cells.items()}


def modules_in(source: Path, top: str) -> dict[str, dict[str, int]]:
    """Count the operators and modules in each module of the design."""
    stat = run_yosys(f"read_verilog -sv {source}", f"hierarchy -check -top {top}; proc; opt_clean")
    modules = stat["modules"].items()
    return {name.removeprefix("\\"): named(found["num_cells_by_type"]) for name, found in modules}


def map_design(
    source: Path, top: str, family: Family, kept: list[str] | None, netlist: Path
) -> dict[str, int]:
    """Map the design, dissolved but for the modules of `kept`, or as it is without such a list;
    write its netlist and return its cells by type."""
    stat = run_yosys(
        f"read_verilog -sv {source}",
        *(f"setattr -mod -set keep_hierarchy 1 {name}" for name in kept or ()),
        family.synth(top, kept is not None),
        f"write_verilog -noattr {netlist}",
    )
    modules, cells = named(stat["modules"]), named(stat["design"]["num_cells_by_type"])
    return {kind: n for kind, n in cells.items() if kind not in modules}


def main() -> None:
    """Map for the device of the step's parameters; exit 1 if a cell is none of its own."""
    env = os.environ
    family, source, top = FAMILIES[env["device"]], IN / "design.v", env["design_name"]
    operators, most = sum(taken("rtl")["operators"].values()), int(env["most_operators"])
    kept = [] if operators <= most else repeated(modules_in(source, top), top, most)
    cells = map_design(source, top, family, kept, OUT / "netlist.v")
    if unknown := family.unknown(cells):
        sys.exit(f"ERROR: no resource is known for cells {', '.join(unknown)}")
    data = {
        "metrics": family.metrics(cells),
        "device": env["device"],
        "method": ESTIMATE,
        "hierarchy": "kept" if kept is None else "repeated" if kept else "dissolved",
        "mapped_once": kept or [],
        "operators": operators,
        "cells": dict(sorted(cells.items())),
        "tools": {"yosys": version("pyosys")},
    }
    leave("fpga_map", data)


if __name__ == "__main__":
    main()
