"""The tables of exhaustive_*.json: netlists of a sub-space, each made once by the flow.

`python -m tests.eval.find.exhaustive` says how much of each table there is. With --measure it makes
what is missing, those of few bits and for long clocks first, on all cores. Stopped, it goes on
where it was: the store has the netlists that were made. A netlist of 1024 bits takes 15 to 60 s of
CPU, one of 2048 bits twice as much. The table of 32 bits is that of test_search.py, at one clock.
"""

import json
import sys
from itertools import product
from pathlib import Path
from typing import Any

from eval.catalog import find
from eval.catalog.point import Point
from eval.find.formula import cycles_of
from eval.find.need import Need
from eval.study.engine import Engine
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.unit import ACCELERATOR

WIDTHS = (1024, 2048)
CLOCKS_NS = (3.0, 2.0, 1.5, 1.0, 0.85)
DIGITS, LOOPS = (1, 2, 4, 8), ("left-to-right", "windows-1", "windows-2")  # of rows of elements
ROWS = [find(f"array(digit={digit},loop={loop})").name for loop in LOOPS for digit in DIGITS]
POINTS = len(CLOCKS_NS) * len(ROWS)  # of each width
Table = dict[str, dict[str, list[float]]]  # by design and clock: area in um2 and period in ns

# What tests and tests/bench/bench_find.py search the sub-space for: width, operation, what is to be
# least, limit, and more of the need.
NEEDS: tuple[tuple[int, str, str, str, dict[str, Any]], ...] = (
    (1024, "sign", "area", "time=2ms", {}),
    (1024, "sign", "time", "area=0.15mm2", {"constant_time": True}),
    (1024, "verify", "area", "time=10us", {}),
    (1024, "sign", "area", "time=0.47ms", {"constant_time": True}),
    (1024, "sign", "time", "area=0.15mm2", {"clock": "1"}),
    (2048, "sign", "area", "time=4ms", {}),
    (2048, "sign", "time", "area=0.3mm2", {"constant_time": True}),
)


def file_of(nbits: int) -> Path:
    """Name the file of a width's table."""
    return Path(__file__).with_name(f"exhaustive_{nbits}.json")


def table_of(nbits: int) -> Table:
    """Read what was measured at a width."""
    found: Table = json.loads(file_of(nbits).read_text()) if file_of(nbits).exists() else {}
    return found


def write(nbits: int, table: Table) -> None:
    """Write a table, a design a line."""
    lines = (f" {json.dumps(design)}: {json.dumps(its)}" for design, its in sorted(table.items()))
    file_of(nbits).write_text("{\n" + ",\n".join(lines) + "\n}\n")


def best_of_all(need: Need) -> float:
    """Look at every netlist of a table: the least of all that keep to the limits."""
    [least] = need.least
    found = []
    for design, by_clock in table_of(need.nbits).items():
        if need.constant_time and not find(design).constant_time:
            continue
        cycles = cycles_of(design, need.nbits, need.workload)
        for area, period in by_clock.values():
            values = {"area": area, "time": cycles * (need.clock_ns or period) / 1000}
            meets = need.clock_ns is None or period <= need.clock_ns
            if meets and all(values[name] <= most for name, most in need.at_most.items()):
                found.append(values[least])
    return min(found)


def measure() -> None:
    """Make what is missing of the tables, and write it clock by clock."""
    for nbits, clock_ns in product(WIDTHS, CLOCKS_NS):
        clock, table = f"{clock_ns:g}", table_of(nbits)
        missing = [design for design in ROWS if clock not in table.get(design, {})]
        print(f"{nbits} bits, {clock} ns: {len(missing)} to make", flush=True)
        tasks = [FlowRun(Point(design, nbits), ACCELERATOR, clock_ns) for design in missing]
        for design, row in zip(missing, Engine().run(tasks), strict=True):
            metrics = row.result.metrics
            figures = [metrics[name] for name in ("area_um2", "period_ns")]
            table.setdefault(design, {})[clock] = figures
        write(nbits, table)


def main() -> None:
    """Measure what is missing, if that is asked, and count."""
    if "--measure" in sys.argv[1:]:
        measure()
    for nbits in WIDTHS:
        made = sum(map(len, table_of(nbits).values()))
        print(f"{nbits} bits: {made} of {POINTS}")


if __name__ == "__main__":
    main()
