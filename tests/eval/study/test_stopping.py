"""Workers of a sweep that are told to stop in awkward moments: nothing of theirs goes on.

The windows are a few instructions wide; here they are held open.
"""

import multiprocessing
import os
import signal
import subprocess
import time
from collections.abc import Callable
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

from eval.study import stopping
from eval.study.stopping import lead_group, stoppable
from tests.processes import PATIENCE, left_of

LONG = "600"  # seconds that nobody waits


def nap() -> subprocess.Popen:
    return subprocess.Popen(["sleep", LONG])


def told() -> None:
    """Be told to stop as run_tasks tells a worker: its group first."""
    os.killpg(0, signal.SIGTERM)


def before_a_start_is_over() -> None:
    """A program starts just after the signal came, and before anything is raised for it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    told()
    nap()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def in_another_session() -> None:
    """The same, of a program with a session of its own, as mflowgen's make has."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    told()
    subprocess.Popen(["sleep", LONG], start_new_session=True)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def again_while_it_ends() -> None:
    """The second signal raises nothing where the first is being handled."""
    try:
        told()
    finally:
        told()
        nap()


class Dropped:
    """Is told to stop where Python drops what is raised."""

    def __del__(self) -> None:
        told()


def where_it_is_dropped() -> None:
    """The work goes on, and is a long one."""
    held = Dropped()
    del held
    nap().wait()


def where_it_is_dropped_at_the_end() -> None:
    """The work is over, and the worker must not take the next."""
    held = Dropped()
    nap()
    del held


def when_the_parent_is_killed() -> None:
    """Nobody tells the worker, which has begun."""
    napping = nap()
    Path(os.environ["MODEXPLORER_BUILD"], "begun").write_text("")
    napping.wait()


def be_worker(work: Callable[[], None]) -> None:
    stopping.PATIENCE = 0.5
    lead_group()
    stoppable(work)
    time.sleep(float(LONG))


def be_parent(work: Callable[[], None], folder: Path) -> None:
    worker = multiprocessing.get_context("fork").Process(target=be_worker, args=[work])
    worker.start()
    if work is when_the_parent_is_killed:
        while not (folder / "begun").exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGKILL)
    worker.join()


@pytest.mark.parametrize(
    "work",
    [
        before_a_start_is_over,
        in_another_session,
        again_while_it_ends,
        where_it_is_dropped,
        where_it_is_dropped_at_the_end,
        when_the_parent_is_killed,
    ],
    ids=lambda work: work.__name__,
)
def test_nothing_goes_on(work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resource_tracker.ensure_running()  # which lives as long as the tests: without the folder
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    parent = multiprocessing.get_context("spawn").Process(target=be_parent, args=[work, tmp_path])
    parent.start()
    parent.join(PATIENCE)
    assert left_of(tmp_path) == []
