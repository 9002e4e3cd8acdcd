"""Run what synthesis runs beside itself: as much at once as there are cores for."""

import atexit
import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from flow.child import command, failure
from flow.synthesis.candidate import Answer, Job
from sim.errors import RunError

SCRIPT = Path(__file__).with_name("candidate.py")
_here = threading.local()

Item = TypeVar("Item")
Made = TypeVar("Made")


class YosysError(RunError):
    """What yosys said as it stopped."""


class Worker:
    """A process of candidate.py, which does one job after the other."""

    def __init__(self, temporary: Path) -> None:
        """temporary: where yosys keeps a copy of the library, for abc, and its files if stopped.

        It has one thread: what it makes shall not depend on how many there are.
        """
        self._process = subprocess.Popen(
            command(SCRIPT),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"TMPDIR": str(temporary), "YOSYS_MAX_THREADS": "1"},
        )
        assert self._process.stdin
        assert self._process.stdout
        self._jobs, self._answers = self._process.stdin, self._process.stdout
        atexit.register(self.close)

    def do(self, job: Job) -> Answer:
        """Do a job; YosysError if the process ends of it."""
        try:
            self._jobs.write(json.dumps(asdict(job)) + "\n")
            self._jobs.flush()
            return Answer(**json.loads(self._answers.readline()))
        except (OSError, ValueError):
            code = self._process.wait()
            raise YosysError(f"its process ended with exit code {code}") from None

    def close(self) -> None:
        """Let the process end."""
        with contextlib.suppress(OSError):  # it has ended
            self._jobs.close()
        self._process.wait()


def jobs() -> int:
    """Tell how many programs may run at once."""
    return max(1, int(os.environ.get("MODEXPLORER_JOBS") or os.cpu_count() or 1))


POOL = ThreadPoolExecutor(jobs())


def in_turn(work: Callable[[], Made]) -> Made:
    """Do something that takes a program, in turn with all else that does."""
    return POOL.submit(work).result()


def together(work: Callable[[Item], Made], items: Iterable[Item]) -> Generator[Made, None, None]:
    """Do something that takes a program with each item, in turn with all else that does; what
    comes of them, in their order. Whoever has seen enough leaves the rest undone."""
    futures = [POOL.submit(work, item) for item in items]
    try:
        for future in futures:
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


def map_by(job: Job, temporary: Path) -> Answer:
    """Do a job by the worker of this thread; YosysError if yosys can't, TimeoutExpired if it takes
    too long."""
    worker = getattr(_here, "worker", None) or Worker(temporary)
    _here.worker = None  # should it end
    answer = worker.do(job)
    _here.worker = worker
    if answer.code == -signal.SIGALRM:
        raise subprocess.TimeoutExpired("yosys", job.seconds)
    if answer.code:
        raise YosysError(failure(Path(job.out).with_suffix(".log"), answer.code))
    return answer
