"""A design in SKY130 once more, by the foundry's whole library instead of the figures in the
package: plain yosys maps the same Verilog, and OpenSTA times both netlists.

Run as `python -m tests.bench.bench_foundry FILE.lib [DESIGN [NBITS]]`, where FILE is the Liberty
file of the slow corner. Exit code 1 if the areas are not as they should be.
"""

import argparse
import re
import shutil
import tempfile
from pathlib import Path

from eval.catalog.point import Point
from eval.table import numbers, words
from eval.table.terminal import print_rows
from eval.tasks.crosscheck.scripts import FLOW, OWN, ByHand
from eval.tasks.crosscheck.task import Crosscheck
from eval.tasks.unit import ACCELERATOR
from flow.step import LIBERTY
from flow.technologies.technology import technology

TECH = "sky130"
CELL = re.compile(r"^\s*cell\s*\(\s*\"?(\w+)\"?\s*\)\s*\{", re.MULTILINE)
AREA_OF = re.compile(r"^\s*area\s*:\s*\"?([\d.]+)", re.MULTILINE)
REGISTER = re.compile(r"^\s*ff\s*\(", re.MULTILINE)
MORE = 1.1  # times our area that plain yosys may need


def registers_of(library: str) -> dict[str, float]:
    """Find the areas of a library's registers, by their names."""
    _, *parts = CELL.split(library)
    cells = dict(zip(parts[::2], parts[1::2], strict=True))
    return {name: float(AREA_OF.search(c)[1]) for name, c in cells.items() if REGISTER.search(c)}


def least_area(netlist: str, library: str) -> float:
    """Tell what its registers alone take at least."""
    areas = registers_of(library)
    count = sum(len(re.findall(rf"\b{re.escape(name)}\b", netlist)) for name in areas)
    return count * min(areas.values())


def main() -> None:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("design", nargs="?", default="ssmm-small")
    parser.add_argument("nbits", nargs="?", type=int, default=8)
    asked = parser.parse_args()
    task = Crosscheck(Point(asked.design, asked.nbits), technology(TECH).clock_ns, tech=TECH)
    found = task.compute(lambda step: None)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(shutil.copytree(found.folder, Path(scratch, "files")))
        (folder / LIBERTY.name).unlink()
        shutil.copyfile(asked.library, folder / LIBERTY.name)
        again = ByHand(folder, task.point.top_of(ACCELERATOR), task.clock_ns)
        counted = again.area("count.ys"), again.period(FLOW)
        mapped = again.area("map.ys"), again.period(OWN)
        least = least_area((folder / OWN).read_text(), asked.library.read_text())
    ours, _ = found.netlists.flow
    print_rows(
        f"{task.point} in {TECH}, {asked.library.name}",
        words({"netlist": 0}) + numbers(1, {"area\num2": 1}) + numbers(3, {"period\nns": 2}),
        [
            ("the flow's, as it says", *found.netlists.flow),
            ("the same, by the foundry's library", *counted),
            ("of plain yosys, by the foundry's library", *mapped),
            ("its registers alone, each the least", least, None),
        ],
    )
    wrong = {
        "our area is not that of the foundry's cells": abs(counted[0] / ours - 1) > 1e-4,
        "plain yosys needs more than 10 % above ours": mapped[0] > MORE * ours,
        "an area is less than that of the registers": least > min(ours, mapped[0]),
    }
    if said := [what for what, is_so in wrong.items() if is_so]:
        raise SystemExit("; ".join(said))


if __name__ == "__main__":
    main()
