"""What a sweep over widths and clocks costs beside its points one by one, in CPU time.

Run as `python -m tests.bench.bench_sweep`. Either begins with empty folders, so that a point by
itself makes all that points of a sweep share: programs, simulations, modules.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from itertools import product
from pathlib import Path

from rich.progress import track

from eval.report.terminal import print_table

# What becomes of a module depends a little on which of the designs that share it is mapped first.
MOST_DIFFERENT = 0.002
DESIGNS = "ssmm-small,mont-small,array-4,scaled-low-4"
WIDTHS = "16,24,32"
CLOCKS = "4,3.5,3,2.5,2"


def explore(designs: str, widths: str, clocks: str) -> tuple[float, list[float]]:
    """Measure points in an empty folder: the CPU seconds, and the areas, in order of size."""
    with tempfile.TemporaryDirectory() as folder:
        before = cpu_seconds()
        done = subprocess.run(
            [Path(sys.executable).with_name("modexplorer"), "explore", "--designs", designs]
            + ["--nbits", widths, "--clock", clocks, "--json"],
            env=os.environ | {"MODEXPLORER_BUILD": folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        return cpu_seconds() - before, sorted(areas(json.loads(done.stdout)))


def cpu_seconds() -> float:
    """Sum up what the processes below this one have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def areas(data: object) -> Iterable[float]:
    """Find every area of a point in what a command has printed."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from [value] if key == "area_um2" else areas(value)
    elif isinstance(data, list):
        for value in data:
            yield from areas(value)


def main() -> None:
    """Run the sweep, then its points; their areas must be the same but for MOST_DIFFERENT."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--designs", default=DESIGNS)
    parser.add_argument("--nbits", default=WIDTHS)
    parser.add_argument("--clock", default=CLOCKS)
    args = parser.parse_args()
    asked = (args.designs, args.nbits, args.clock)
    points = list(product(*(text.split(",") for text in asked)))
    together, found = explore(*asked)
    one_by_one, each = 0.0, []
    for point in track(points, "points"):
        seconds, area = explore(*point)
        one_by_one += seconds
        each += area
    if len(each) != len(found):
        raise SystemExit(f"{len(found)} areas in the sweep, {len(each)} one by one")
    different = max(abs(one / other - 1) for one, other in zip(sorted(each), found, strict=True))
    if different > MOST_DIFFERENT:
        raise SystemExit(f"areas differ between the sweep and its points by {different:.2%}")
    rows = [("sweep", together), ("one by one", one_by_one)]
    print_table(
        f"{len(points)} points from nothing; areas differ by {different:.3%} at most",
        ("how", "CPU seconds", "of one by one"),
        [(how, f"{seconds:.0f}", f"{seconds / one_by_one:.2f}") for how, seconds in rows],
    )


if __name__ == "__main__":
    main()
