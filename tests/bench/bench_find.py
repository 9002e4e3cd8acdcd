"""How long `modexplorer find` takes for the needs of the exhaustive tables, and what it finds.

`python -m tests.bench.bench_find` answers each need twice: from an empty store on all cores, and
again, from what that left. Best of all is the best netlist of tests/eval/find/exhaustive_*.json;
a search may find a better one, at a clock of its own. One that is not over in its budget says so.
The needs at 32 bits are those of tests/eval/find/test_search.py.
"""

import argparse
import tempfile
from shlex import split
from typing import Any

from rich.progress import track

from eval.find.need import Need, command_of, read_need
from eval.find.quantities import QUANTITIES
from eval.table.terminal import print_table
from tests.bench.commands import run
from tests.eval.find import test_search
from tests.eval.find.exhaustive import NEEDS, ROWS, best_of_all

Found = dict[str, Any]


def found(need: Need, folder: str) -> tuple[Found, float]:
    """What a search prints as JSON, and its seconds."""
    _, *arguments = split(command_of(need))
    answer, seconds, _ = run(arguments, folder, check=False)
    return answer, seconds


def needs() -> list[Need]:
    """All needs; of those at 32 bits, the ones that have one best."""
    wide = [
        read_need(nbits, operation, [least], at_most=[at_most], designs=ROWS, **more)
        for nbits, operation, least, at_most, more in NEEDS
    ]
    narrow = [
        test_search.need_of(least, at_most, constant_time=constant)
        for least, at_most, constant, _ in test_search.NEEDS
        if len(least) == 1
    ]
    return [*wide, *narrow]


def main() -> None:
    """Search for each need from nothing, and again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", type=int, action="append", help="the N-th need alone")
    args = parser.parse_args()
    rows, asked = [], needs()
    for number in track(args.only or range(1, len(asked) + 1), "needs"):
        need = asked[number - 1]
        [least] = need.least
        with tempfile.TemporaryDirectory() as folder:
            cold, seconds = found(need, folder)
            again, warm_seconds = found(need, folder)
        over = cold["steps"]["in_time"]
        if over and cold["rows"] != again["rows"]:
            raise SystemExit(f"{need.text}: other rows when it was asked again")
        steps, best, text = cold["steps"], cold["rows"][0], QUANTITIES[least].text
        made = f"{steps['composed']}, {steps['curves']}, {steps['mapped']}"
        values = text(best_of_all(need)), text(best[least])
        cells = (
            f"{seconds:.0f} s" + ", not over" * (not over),
            f"{warm_seconds:.1f} s",
            made,
            *values,
            best["design"],
        )
        rows.append((need.text, *cells))
    made = "composed, curves, flow runs"
    headings = ("need", "from nothing", "again", made, "best of all", "found", "design")
    print_table("Searches", headings, rows)


if __name__ == "__main__":
    main()
