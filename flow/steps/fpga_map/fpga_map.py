"""Map a design to an FPGA family: outputs/netlist.v, outputs/fpga_map.json."""

import json
import os
import sys
from importlib.metadata import version
from pathlib import Path

from devices import FAMILIES, Family
from pyosys import libyosys as ys

from flow.step import IN, OUT, leave, taken

ESTIMATE = "mapped by yosys, not placed: an estimate"


def map_design(source: Path, top: str, family: Family, flat: bool, netlist: Path) -> dict[str, int]:
    """Map the design and write its netlist; its cells by type. yosys ends the process if it
    fails."""
    design = ys.Design()
    for command in (
        f"read_verilog -sv {source}",
        family.synth(top, flat),
        "tee -q -o stat.json stat -json",
        f"write_verilog -noattr {netlist}",
    ):
        ys.run_pass(command, design)
    stat = json.loads(Path("stat.json").read_text())
    modules = {name.removeprefix("\\"): module for name, module in stat["modules"].items()}
    cells = stat["design"]["num_cells_by_type"]
    return {kind.removeprefix("\\"): n for kind, n in cells.items() if kind not in modules}


def main() -> None:
    """Map for the device of the step's parameters; exit 1 if a cell is none of its own."""
    env = os.environ
    family = FAMILIES[env["device"]]
    operators = sum(taken("rtl")["operators"].values())
    flat = operators <= int(env["most_operators"])
    cells = map_design(IN / "design.v", env["design_name"], family, flat, OUT / "netlist.v")
    if unknown := family.unknown(cells):
        sys.exit(f"ERROR: no resource is known for cells {', '.join(unknown)}")
    data = {
        "metrics": family.metrics(cells),
        "device": env["device"],
        "method": ESTIMATE,
        "hierarchy": "dissolved" if flat else "kept",
        "operators": operators,
        "cells": dict(sorted(cells.items())),
        "tools": {"yosys": version("pyosys")},
    }
    leave("fpga_map", data)


if __name__ == "__main__":
    main()
