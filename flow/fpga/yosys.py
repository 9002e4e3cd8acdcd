"""Run yosys, and count what is in a design."""

import json
from pathlib import Path
from typing import Any

from pyosys import libyosys as ys


def run_yosys(*commands: str) -> dict[str, Any]:
    """Run the commands on a design of their own, and count its cells. yosys ends the process if one
    fails."""
    design = ys.Design()
    for command in (*commands, "tee -q -o stat.json stat -json"):
        ys.run_pass(command, design)
    return json.loads(Path("stat.json").read_text())


def named(cells: dict[str, int]) -> dict[str, int]:
    """Name the types of cells as Verilog does."""
    return {kind.removeprefix("\\"): n for kind, n in cells.items()}
