"""Sweeps: tasks run on this machine's cores, every finished row kept."""

import contextlib
import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import spawn
from types import ModuleType

from eval.catalog.user_designs import blamed
from eval.study.failures import RowsFailed
from eval.study.stopping import lead_group, stoppable
from eval.tasks.task import Row, Task, measure
from sim.errors import RunError, UserError
from sim.garbage import collect_less
from sim.paths import build_dir
from sim.toolchain import run_tool

Progress = Callable[[int, Sequence[Task]], None]  # is told how many are done, and which run


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0))


def run_tasks(
    tasks: Sequence[Task],
    jobs: int,
    on_progress: Progress = lambda done, running: None,
) -> list[Row]:
    """Run all tasks and return their rows in order; RunError names every task that failed.

    A failed task does not stop the others. An interrupt stops all of them and what they
    started; rows finished by then are in the store. on_progress is told how many are done
    and which are running.
    """
    if not tasks:
        return []
    outcomes: dict[Task, Row | RunError] = {}
    waiting = in_order(tasks)
    context = multiprocessing.get_context("spawn")
    _check_start()
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), context, _start_worker)
    try:
        with main_left_out():
            futures = {pool.submit(_attempt, task): task for task in waiting}
        on_progress(0, waiting[:jobs])
        for future in as_completed(futures):
            task = futures[future]
            outcomes[task] = future.result()
            waiting.remove(task)
            on_progress(len(outcomes), waiting[:jobs])  # they are taken in this order
    except BrokenProcessPool:
        raise RunError(
            "a worker process was killed, perhaps for want of memory; finished rows are kept, "
            "try again with --jobs 1"
        ) from None
    finally:
        unfinished = len(outcomes) < len(tasks)
        for worker in multiprocessing.active_children() if unfinished else ():
            if worker.pid:
                _stop(worker.pid)
        pool.shutdown(cancel_futures=True)
    return rows_of(tasks, outcomes)


def rows_of(tasks: Sequence[Task], outcomes: Mapping[Task, Row | RunError]) -> list[Row]:
    """Return the rows of tasks in order; RowsFailed names every task that failed."""
    rows = [row for task in tasks if isinstance(row := outcomes[task], Row)]
    failures = {t: str(outcomes[t]) for t in tasks if isinstance(outcomes[t], RunError)}
    if failures:
        raise RowsFailed(failures, rows)
    return rows


@contextlib.contextmanager
def main_left_out() -> Iterator[None]:
    """Start workers that do not run a script again which has no guard against it: none of a task is
    of its making."""
    main, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _check_start() -> None:
    """Raise RunError if this Python does not run again: of workers, nobody would hear why."""
    try:
        run_tool([os.fsdecode(spawn.get_executable()), "-c", ""])
    except (OSError, RunError) as error:
        raise RunError(f"worker processes cannot be started: {error}") from None


def _attempt(task: Task) -> Row | RunError:
    """Measure in a worker, which ends when it is told to stop: the pool must not give it the next
    task."""
    return stoppable(partial(attempt, task))


def attempt(task: Task) -> Row | RunError:
    """Return the row of a task, or an error that says why there is none."""
    try:
        return measure(task)
    except (RunError, UserError) as error:
        return RunError(str(error))
    except Exception as error:  # a design under way may fail in any way: the others go on
        log = build_dir("logs") / "failed-rows.txt"
        with log.open("a") as file:
            traceback.print_exc(file=file)
        return RunError(f"{blamed(error) or f'{type(error).__name__}: {error}'} (see {log})")


def in_order(tasks: Sequence[Task]) -> list[Task]:
    """Sort by rank, and the largest first. A task whose steps another one does before it comes a
    rank later: it would only wait. The workloads of a point stand apart, so that one builds its
    model."""

    def rank(task: Task) -> tuple[int, str, int]:
        return task.rank, task.runs, -task.subject()[1]

    first: dict[str, Task] = {}
    for task in sorted(tasks, key=rank):
        first.setdefault(task.folder, task)

    def rank_after(task: Task) -> tuple[int, str, int]:
        number, name, nbits = rank(task)
        return number + (task.folder != "" and first[task.folder] is not task), name, nbits

    return sorted(tasks, key=rank_after)


def _start_worker() -> None:
    """Let a worker stop when told to, or when its parent is gone, with all that it started."""
    lead_group()
    os.environ["MODEXPLORER_JOBS"] = "1"  # the flow's own; the cores have work already
    collect_less()


def _stop(worker: int) -> None:
    """End a worker: all of its process group, if it has come that far."""
    with contextlib.suppress(ProcessLookupError):
        try:
            os.killpg(worker, signal.SIGTERM)
        except ProcessLookupError:
            os.kill(worker, signal.SIGTERM)
