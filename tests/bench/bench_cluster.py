"""What a Dask cluster adds to a sweep: tasks a second, and its own time per task.

Run as `python -m tests.bench.bench_cluster`. The tasks sleep, so that the cores are the engine's.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.progress import track

from eval.study.engine import Engine
from eval.study.sweep import run_tasks
from eval.table.terminal import print_table
from tests.eval.study.test_sweep import naps

WORKERS = (1, 2, 4)


def seconds(run: Callable[[list], object], count: int, sleep: float) -> float:
    """Time a sweep of so many naps, none of which is in a store."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MODEXPLORER_BUILD"] = folder
        tasks = naps(Path(folder), count + 4, sleep)[:count]  # the last four are short
        start = time.perf_counter()
        run(tasks)
        return time.perf_counter() - start


def main() -> None:
    """Time sweeps of few and many tasks; what many take longer is the tasks' own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=40)
    parser.add_argument("--sleep", type=float, default=2.0, help="seconds of a task")
    args = parser.parse_args()
    few, rows = 4, []
    for workers in track(WORKERS, "sweeps"):
        engines = {
            "processes": lambda tasks, n=workers: run_tasks(tasks, n),
            "Dask": lambda tasks, n=workers: Engine(workers=n).run(tasks, lambda *_: None),
        }
        for name, run in engines.items():
            start, whole = (seconds(run, n, args.sleep) for n in (few, few + args.tasks))
            took = whole - start
            over = (took * workers / args.tasks - args.sleep) * 1000
            rows.append((name, str(workers), f"{args.tasks / took:.2f}", f"{over:.0f}"))
    print_table(
        f"{args.tasks} tasks that sleep for {args.sleep:g} s",
        ("engine", "workers", "tasks a second", "ms per task besides"),
        rows,
    )


if __name__ == "__main__":
    main()
