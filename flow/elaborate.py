"""Elaborate a Verilog design with yosys: what is in it, and what is wrong with it."""

import json
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from pyosys import libyosys as ys

from sim.paths import unspaced

ADDERS = ("add", "sub", "neg", "alu", "macc")  # of which a carry may go through all bits
PRODUCT = Path(__file__).with_name("product.v")
LOOP = "found logic loop in module "
PROBLEM = re.compile(
    rf"^Warning: ({LOOP}.*|multiple conflicting drivers for .*|Latch inferred for signal .*)$",
    re.MULTILINE,
)
WIRE = re.compile(r"    (?:wire (\S+(?: \[\d+\])?)|(.* drivers?.*|module .*))")
UNDRIVEN = re.compile(r"^Warning: Wire (.*) is used but has no driver", re.MULTILINE)


def elaborate(source: Path, top: str) -> tuple[dict[str, dict[str, Any]], int, str]:
    """Elaborate and flatten `top`; its cell counts, factor_bits(), and what yosys warns of.

    yosys ends the process when the text is not Verilog or a module is missing.
    """
    design = ys.Design()
    latches, loops = Path("proc.log"), Path("check.log")

    def run(command: str) -> None:
        ys.run_pass(command, design)

    run(f"read_verilog -sv {source}")
    run(f"hierarchy -check -top {top}")
    run(f"tee -o {latches} proc")
    run("tee -q -o modules.json stat -json")
    run("flatten; opt_clean")
    run("tee -q -o flat.json stat -json")
    run("tee -q -o widths.json stat -json -width")
    parts = ("modules", "flat", "widths")
    counts = {part: json.loads(Path(f"{part}.json").read_text()) for part in parts}
    run("wreduce t:$mul")  # factors are written as wide as their product
    factor = factor_bits(design)
    run(f"techmap -map {unspaced(PRODUCT)} t:$mul")
    run(f"tee -o {loops} check")
    if LOOP in loops.read_text():
        # Of wide operators the quick check takes every output to depend on every input: it
        # finds all loops, but a chain through the bits of one vector may look like one.
        run(f"tee -o {loops} check -force-detailed-loop-check")
    return counts, factor, latches.read_text() + loops.read_text()


def factor_bits(design: ys.Design) -> int:
    """Return the bits of the shorter factor of a product, of that where it is longest; 0 without
    one."""
    widths = (
        min(cell.getPort(ys.IdString(port)).size() for port in ("\\A", "\\B"))
        for module in design.selected_modules()
        for cell in module.selected_cells()
        if cell.type.str() == "$mul"
    )
    return max(widths, default=0)


def problems(log: str) -> list[str]:
    """List what forbids synthesis, a line each with the wires or drivers that yosys names."""
    found = []
    for match in PROBLEM.finditer(log):
        where = []
        for line in log[match.end() + 1 :].splitlines():
            if not line.startswith("    "):
                break
            if name := WIRE.match(line):
                where.append(name[1] or name[2])
        text = match[1].replace(LOOP, "combinational loop in module ")
        found.append(f"{text} {', '.join(where)}".strip().replace("\\", ""))
    return list(dict.fromkeys(found))


def black_boxes(cells: dict[str, int]) -> list[str]:
    """List the modules of a flattened design that have no contents, as problems."""
    return [f"module {kind} is a black box" for kind in cells if not kind.startswith("$")]


def widest(cells: Iterable[str], operators: Collection[str]) -> int:
    """Return the bits of the widest of the operators among cells such as $add_32; 0 without one."""
    split = (kind.removeprefix("$").split("_") for kind in cells)
    return max((int(rest[0]) for kind, *rest in split if kind in operators), default=0)
