"""Sweeps: the tasks of a study, run on this machine's cores, every finished row kept."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

from eval.catalog.processor import ALONE, SYSTEM
from eval.study.results import compared, unit_of
from eval.study.studies import Study
from eval.tasks.clocks import Curve
from eval.tasks.execution import Execution
from eval.tasks.harden import TIMING, Target
from eval.tasks.layout import Layout
from eval.tasks.measure import Hardening, Row, Simulation, Task, measure
from eval.tasks.noise import Noise
from eval.tasks.table_004 import Table004, tasks_at
from proc.systems import DIVIDERS
from sim.errors import RunError, UserError
from sim.paths import build_dir


def tasks_of(study: Study) -> list[Task]:
    """What a study measures: workloads, accelerators, multipliers that documents print, systems,
    tables of documents."""
    tasks: list[Task] = []
    for point in study.points:
        tasks += [Simulation(point, workload) for workload in study.workloads]
        tasks += _hardenings(point, "accelerator", study, study.to)
        if any(unit_of(figure) == "multiplier" for figure in compared(point)):
            tasks.append(Hardening(point, "multiplier", study.clock_ns))
    for system in study.systems:
        tasks += [Execution(system.on(divider), system.variant) for divider in DIVIDERS]
    tasks += tasks_at(study.table_004) if study.table_004 else []
    tasks += [Noise(point, study.clock_ns) for point in study.noise]
    tasks += [Curve(point, study.clock_ns) for point in study.clocks]
    tasks += study.fpga
    tasks += [Layout(point, "accelerator", study.clock_ns) for point in study.layouts]
    tasks += study.fixed_multipliers
    # The larger ones are listed last and take longest.
    for processor in reversed(study.processors):
        # By itself it has the accelerator's port, and no program runs.
        to = TIMING if processor.attached == ALONE else study.to
        tasks += _hardenings(processor, SYSTEM, study, to)
    return tasks


def _hardenings(target: Target, unit: str, study: Study, to: str) -> list[Task]:
    """A unit as it is, and with gated clocks if the study wants them."""
    plain = Hardening(target, unit, study.clock_ns, to)
    return [plain, *([replace(plain, gated=True)] if study.gated else [])]


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0))


def run_tasks(
    tasks: Sequence[Task],
    jobs: int,
    on_progress: Callable[[int, Sequence[Task]], None] = lambda done, running: None,
) -> list[Row]:
    """All rows, in the order of the tasks; RunError names every task that failed.

    A failed task does not stop the others. An interrupt stops all of them and what they
    started; rows finished by then are in the store. on_progress is told how many are done
    and which are running.
    """
    outcomes: dict[Task, Row | RunError] = {}
    waiting = in_order(tasks)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), context, _start_worker)
    try:
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
            _stop(worker.pid)
        pool.shutdown(cancel_futures=True)
    failures = [f"{t}: {outcomes[t]}" for t in tasks if isinstance(outcomes[t], RunError)]
    if failures:
        raise RunError(
            f"{len(failures)} of {len(tasks)} rows failed, the others are kept\n"
            + "\n".join(failures)
        )
    return [outcomes[task] for task in tasks]


def _attempt(task: Task) -> Row | RunError:
    """In a worker: the row, or why there is none, as an error that can be sent back."""
    try:
        # At work it must end what it has started; idle, the signal may end it at once.
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
        return measure(task)
    except (RunError, UserError) as error:
        return RunError(str(error))
    except Exception as error:  # a design under way may fail in any way: the others go on
        traceback.print_exc(file=(build_dir("logs") / "failed-rows.txt").open("a"))
        return RunError(f"{type(error).__name__}: {error} (see build/logs/failed-rows.txt)")
    except SystemExit:  # told to stop: the pool must not give this worker the next task
        os._exit(1)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def in_order(tasks: Sequence[Task]) -> list[Task]:
    """The longest first: flow runs of processors, layouts, other flow runs, and then those whose
    steps a layout has done; what goes on from these; simulations at last, the workloads of a point
    apart, so that one builds its model."""
    laid_out = {(task.point, task.unit) for task in tasks if isinstance(task, Layout)}

    def rank(task: Task) -> tuple[int, str, int]:
        if isinstance(task, Layout):
            return 1, "", 0
        if isinstance(task, Hardening):
            done = (task.point, task.unit) in laid_out and not task.gated
            return 0 if task.unit == SYSTEM else 3 if done else 2, "", -task.point.nbits
        if isinstance(task, Simulation | Execution | Table004):
            return 5, task.workload, -task.point.nbits
        return 4, "", 0

    return sorted(tasks, key=rank)


def _start_worker() -> None:
    """A worker stops when told to, or when its parent is gone, with all that it started."""
    os.setpgid(0, 0)  # a terminal's interrupt reaches only the parent
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ["MODEXPLORER_JOBS"] = "1"  # the flow's own; the cores have work already
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    multiprocessing.parent_process().join()
    os.kill(os.getpid(), signal.SIGTERM)


def _stop(worker: int) -> None:
    """End a worker and its process group, if it has come that far."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError):
            kill(worker, signal.SIGTERM)
