"""How long the flow takes from nothing to a timed netlist of designs at short clocks.

Run as `python -m tests.bench.bench_mapping`, on a machine that does nothing else. Each run begins
with empty folders. The seconds include the simulation that checks the answers.
"""

import argparse
import tempfile

from rich.progress import track

from eval.table.terminal import print_table
from tests.bench.commands import run

NBITS = 1024
POINTS = "array-4@0.926,array-8@0.95,array-8@0.84,array-16@1.016"


def measure(design: str, nbits: int, clock: str) -> tuple[str, ...]:
    """Run the flow of a design in an empty folder: a row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        ran = run(["flow", design, "--nbits", str(nbits), "--clock", clock], folder)
    metrics = ran.found["metrics"]
    slack, area = metrics["setup_slack_ns"], metrics["area_um2"]
    return design, clock, f"{slack:.3f}", f"{area:.0f}", *(f"{one:.0f}" for one in ran[1:])


def main() -> None:
    """Take the time of each design at its clock."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", default=POINTS, help="DESIGN@CLOCK, separated by commas")
    parser.add_argument("--nbits", type=int, default=NBITS)
    args = parser.parse_args()
    points = [point.split("@") for point in args.points.split(",")]
    rows = [measure(design, args.nbits, clock) for design, clock in track(points, "designs")]
    print_table(
        f"Time from nothing to a timed netlist, {args.nbits} bits",
        ("design", "clock ns", "slack ns", "um2", "s", "CPU s"),
        rows,
    )


if __name__ == "__main__":
    main()
