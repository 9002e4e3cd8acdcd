"""Sweeps on a Dask cluster: tasks go to its workers, rows come back into the store as they finish.

Workers have the package and a build folder of their own. What they measure with must be what is
here: that is checked before the first task, and again of every row, whose key says it.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from eval.catalog.user_designs import folders
from eval.study.sweep import Progress, cores, in_order, main_left_out, rows_of
from eval.study.worker import Found, in_process, tools
from eval.tasks.store import Key, Store, Values
from eval.tasks.task import Row, Task, row_of
from sim.errors import RunError, UserError

if TYPE_CHECKING:
    from distributed import Client, Future

ANSWER_SECONDS = 10  # of a scheduler, and for its first worker


def run_on_cluster(
    client: "Client", tasks: Sequence[Task], on_progress: Progress = lambda done, running: None
) -> list[Row]:
    """Run all tasks on the client's cluster, and return their rows in order; RunError names every
    task that failed.

    Rows that are in the store are not measured. An interrupt takes back all tasks, and workers end
    what they have begun.
    """
    from distributed import as_completed

    check_workers(client)
    outcomes: dict[Task, Row | RunError] = {}
    keys = {}
    for task, (key, values, made) in zip(tasks, known(tasks), strict=True):
        keys[task] = key
        if values is not None:
            outcomes[task] = row_of(task, values, made)
    waiting = [task for task in in_order(tasks) if task not in outcomes]
    threads = sum(client.nthreads().values())
    on_progress(len(outcomes), waiting[:threads])
    brought = folders()
    futures = {
        # A name of its own: one who asks again, while it runs, waits for the same.
        client.submit(
            in_process,
            task,
            brought,
            key=f"modexplorer-{keys[task].digest}",
            priority=-n,
            pure=False,
        ): task
        for n, task in enumerate(waiting)
    }
    try:
        with Store() as store:
            for future in as_completed(futures):
                task = futures[future]
                outcomes[task] = received(task, keys[task], future, store)
                waiting.remove(task)
                on_progress(len(outcomes), waiting[:threads])
    finally:
        client.cancel([future for future in futures if not future.done()])
    return rows_of(tasks, outcomes)


def received(task: Task, key: Key, future: "Future", store: Store) -> Row | RunError:
    """Keep what a worker has made of a task, if it is what would be made here."""
    error = future.exception()
    if isinstance(error, CancelledError):  # its scheduler is gone
        raise error
    if error:
        return RunError(f"{type(error).__name__}: {error}")
    found = future.result()
    if not isinstance(found, Found):
        return found
    if found.key != key:
        return RunError(f"a worker made it {difference(vars(found.key), vars(key))}; not kept")
    store.put(key, found.values)
    if found.made:
        store.note(key, found.made["seconds"], found.made)
    return row_of(task, found.values, found.made, reused=False)


def known(tasks: Sequence[Task]) -> Iterator[tuple[Key, Values | None, Values | None]]:
    """Find the key of each task, what the store has under it, and how that was made. A key needs
    the design's Verilog: this machine's cores find them."""
    with ProcessPoolExecutor(min(cores(), len(tasks)), get_context("spawn")) as pool:
        with main_left_out():
            found = pool.map(look_up, tasks, chunksize=4)
        yield from found


def look_up(task: Task) -> tuple[Key, Values | None, Values | None]:
    """Find what the store has of a task."""
    key = task.key
    with Store() as store:
        return key, store.get(key), store.made(key)


def check_workers(client: "Client") -> None:
    """Raise RunError unless there are workers, and each of them has the tools that are here."""
    from distributed.exceptions import WorkerStartTimeoutError

    if not client.scheduler:
        raise CancelledError("the client has no scheduler any more")
    try:
        client.wait_for_workers(1, timeout=ANSWER_SECONDS)
    except WorkerStartTimeoutError:
        raise RunError(
            f"the scheduler has no worker after {ANSWER_SECONDS} s; start some, where ModExplorer "
            f"is installed: dask worker {client.scheduler.address}"
        ) from None
    here = tools()
    asked: dict[str, Future] = {
        address: client.submit(in_process, None, workers=[address], pure=False)
        for address in client.nthreads()
    }
    for address, future in asked.items():
        there: Any = future.exception() or future.result()
        if isinstance(there, CancelledError):
            raise there
        if isinstance(there, Exception):
            raise RunError(f"worker {address} cannot measure: {there}")
        if there != here:
            raise RunError(
                f"worker {address} measures {difference(there, here)}; make them equal: "
                "no task was sent"
            )


def difference(there: Mapping[str, object], here: Mapping[str, object]) -> str:
    """Say in what two mappings differ."""
    names = [name for name in {**here, **there} if here.get(name) != there.get(name)]
    return ", ".join(f"with {name} {there.get(name)}, here {here.get(name)}" for name in names)


@contextlib.contextmanager
def reporting_loss() -> Iterator[None]:
    """Raise RunError, which says what to do, where the cluster does not start or is lost."""
    try:
        yield
    except (OSError, RuntimeError, CancelledError) as error:  # of Dask, whose OSErrors name no file
        if getattr(error, "filename", None) or isinstance(error, RecursionError):
            raise
        said = str(error).partition("\n")[0] or type(error).__name__
        raise RunError(
            f"the Dask cluster does not work ({said}): its scheduler or workers did not start, or "
            "were ended; start them again, and the same command goes on from the finished rows"
        ) from error


@contextlib.contextmanager
def cluster_at(address: str) -> Iterator["Client"]:
    """Connect to the scheduler at an address; UserError if none answers."""
    import dask
    from distributed import Client

    dask.config.set({"distributed.comm.timeouts.connect": f"{ANSWER_SECONDS} s"})
    try:
        client = Client(address, timeout=ANSWER_SECONDS)
    except (OSError, ValueError, TimeoutError) as error:
        raise UserError(
            f"--scheduler: no Dask scheduler answers at {address} ({error}); start one with "
            "`dask scheduler` and give the address that it prints"
        ) from None
    with client:
        yield client


@contextlib.contextmanager
def cluster_of(workers: int) -> Iterator["Client"]:
    """Start a cluster of workers on this machine, which ends with the sweep."""
    from distributed import Client, LocalCluster

    how = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "silence_logs": "ERROR"}
    with LocalCluster(n_workers=workers, **how) as cluster, Client(cluster) as client:
        yield client
