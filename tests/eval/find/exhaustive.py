"""The table of exhaustive_1024.json: netlists of designs at clocks, each made once by the flow.

`python -m tests.eval.find.exhaustive` writes what the store has of them. With --measure it makes
what is missing first, one after the other: about 20 s of CPU for a netlist whose clock is long, and
up to two minutes for one at a short clock.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from eval.catalog.point import Point
from eval.study.engine import Engine
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.store import Store
from eval.tasks.unit import ACCELERATOR

NBITS = 1024
FILE = Path(__file__).with_name("exhaustive_1024.json")
ROWS = [f"array-{digit}{kind}" for kind in ("", "-ct") for digit in (1, 2, 4, 8)]
OTHERS = ["systolic-16", "systolic-8", "systolic-late-16", "systolic-scaled-16", "systolic-twin-16"]
SUB_SPACE = {  # the clocks of each design
    **dict.fromkeys([*ROWS, "array-4-kept", "array-8-kept"], (3.0, 2.0, 1.5, 1.0, 0.85)),
    **dict.fromkeys([*OTHERS, "scaled-low-1", "scaled-low-4"], (3.0, 2.5)),
}


def tasks() -> Iterator[FlowRun]:
    """Go through the runs of the flow, those for the longest clocks first."""
    clocks = sorted({clock for clocks in SUB_SPACE.values() for clock in clocks}, reverse=True)
    for clock_ns in clocks:
        for design in (design for design, its in SUB_SPACE.items() if clock_ns in its):
            yield FlowRun(Point(design, NBITS), ACCELERATOR, clock_ns)


def main() -> None:
    """Measure what is missing, if that is asked, and write the table."""
    if "--measure" in sys.argv[1:]:
        for task in tasks():
            print(task, task.clock_ns, flush=True)
            Engine(jobs=1).run([task])
    table: dict[str, dict[str, list[float]]] = {}
    with Store() as store:
        for task in tasks():
            if found := store.get(task.key):
                figures = [found["metrics"][name] for name in ("area_um2", "period_reached_ns")]
                table.setdefault(task.point.design, {})[f"{task.clock_ns:g}"] = figures
    lines = (f" {json.dumps(design)}: {json.dumps(its)}" for design, its in sorted(table.items()))
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{sum(map(len, table.values()))} of {sum(map(len, SUB_SPACE.values()))}")


if __name__ == "__main__":
    main()
