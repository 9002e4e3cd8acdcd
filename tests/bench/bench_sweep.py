"""What a sweep over widths and clocks costs beside its points one by one, in CPU time.

Run as `python -m tests.bench.bench_sweep`. Either begins with empty folders, so that a point by
itself makes all that points of a sweep share: programs, simulations, modules.
"""

import argparse
import tempfile
from itertools import product

from rich.progress import track

from eval.table.terminal import print_table
from tests.bench.commands import run

# What becomes of a module depends a little on which of the designs that share it is mapped first.
MOST_DIFFERENT = 0.002
DESIGNS = "ssmm-small,mont-small,array-4,scaled-low-4"
WIDTHS = "16,24,32"
CLOCKS = "4,3.5,3,2.5,2"

Areas = dict[tuple[str, int, float], float]  # by design, width and clock


def explore(designs: str, widths: str, clocks: str) -> tuple[float, Areas]:
    """Measure points in an empty folder: the CPU seconds, and the areas."""
    with tempfile.TemporaryDirectory() as folder:
        asked = ["explore", "--designs", designs, "--nbits", widths, "--clock", clocks]
        ran = run(asked, folder)
    areas = {(row["design"], row["nbits"], row["clock"]): row["area"] for row in ran.found["rows"]}
    return ran.cpu_seconds, areas


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
    one_by_one, each = 0.0, {}
    for point in track(points, "points"):
        seconds, areas = explore(*point)
        one_by_one += seconds
        each |= areas
    if not len(points) == len(each) == len(found):
        raise SystemExit(f"{len(points)} points: {len(found)} in the sweep, {len(each)} alone")
    different = max(abs(area / found[point] - 1) for point, area in each.items())
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
