"""How much of a study is measured again if files change; nothing is measured for that.

    python -m tests.bench.keys_moved [--study default] FILE ...

A change that counts is thought of in each file, not a comment: of what makes hardware, one that
moves the Verilog of every component that is written in it.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pymtl3 import Component

from eval.catalog.processor import SYSTEM, Processor
from eval.study.studies import STUDIES
from eval.tasks.task import Task
from eval.tasks.timing import BUS, PORT, PROGRAM, TimeTells, ways_around
from eval.tasks.unit import ACCELERATOR, PERIPHERAL
from proc.rtl.system import ProcessorSystem
from sim.closure import facts_of
from sim.paths import ROOT
from tests.eval.tasks.keys import changed, planted


def moved(tasks: list[Task], file: Path) -> set[Task]:
    """Find the tasks whose keys move if a file changes."""
    with changed() as code:
        before = {task: task.code() for task in tasks}
        if facts_of(file.suffix, planted(file)).digest == code.facts(file).digest:
            raise SystemExit(f"{file}: nothing that is planted there counts")
        code.let(file, "planted")
        by_code = {task for task in tasks if task.code() != before[task]}
    hardware = {task for task in set(tasks) - by_code if makes(file) and _holds(task, file)}
    return by_code | hardware


def makes(file: Path) -> bool:
    """Tell whether a file makes hardware."""
    return file.is_relative_to(ROOT / "rtl") or file.is_relative_to(ROOT / "proc/rtl")


def _holds(task: Task, file: Path) -> bool:
    return any(str(file) in written for written in _hardware(task))


def _hardware(task: Task) -> Iterator[frozenset[str]]:
    """Yield where the components are written that a task's Verilog is of."""
    if not hasattr(task, "point"):
        yield _written(task.component())
        return
    point = task.point
    if isinstance(point, Processor):
        yield _of_processor(point)
        return
    if task.kind != "table-004" or task.simulated:
        yield _of_point(point, task.unit)
    if isinstance(task, TimeTells):
        for way in ways_around(point):
            if way == PROGRAM:
                yield _of_processor(Processor(point.design, point.nbits))
            else:
                yield _of_point(point, {PORT: ACCELERATOR, BUS: PERIPHERAL}[way])


@cache
def _of_point(point: object, unit: str) -> frozenset[str]:
    return _written(point.component(unit))


@cache
def _of_processor(point: Processor) -> frozenset[str]:
    traced = ProcessorSystem(point.divider, point.accelerator)
    return _written(traced) | _written(point.component(SYSTEM))


def _written(component: Component) -> frozenset[str]:
    """Elaborate a component, and find where it and what is in it are written."""
    component.elaborate()
    kinds = {kind for part in component.get_all_components() for kind in type(part).__mro__}
    modules = {sys.modules[kind.__module__] for kind in kinds}
    return frozenset(getattr(module, "__file__", "") for module in modules)


def main(arguments: list[str]) -> None:
    """Print the counts of tasks by kind, of each file."""
    study = "default"
    if arguments[:1] == ["--study"]:
        study, arguments = arguments[1], arguments[2:]
    tasks = list(STUDIES[study].tasks)
    every = Counter(task.kind for task in tasks)
    print(f"study {study}: {len(tasks)} rows: {_said(every)}")
    for name in arguments:
        found = moved(tasks, ROOT / name)
        of_them = Counter(task.kind for task in found)
        print(f"{name}: {len(found)} of {len(tasks)} rows again: {_said(of_them) or 'none'}")


def _said(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
