"""How a worker process of a sweep stops when it is told to, and all that it has started with it.

A request, SIGTERM, comes at any moment: between the start of a program and the moment in which one
knows of it, while what an earlier request raised is being handled, or where Python drops what is
raised (in `__del__`). So only the first request raises anything; whatever becomes of that, the
worker then kills its process group and what goes back to it. A program that was just being started
is of the group from its first moment on.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from types import FrameType
from typing import NoReturn, TypeVar

from eval.descendants import end_descendants
from eval.signals import start_without_requests

PATIENCE = 10.0  # seconds in which a worker may end its work in an orderly way

T = TypeVar("T")
_told: list[int] = []  # the request that is being followed
_bell: list[int] = []  # a pipe's end, which wakes who watches


def lead_group() -> None:
    """Have this worker lead a process group, which ends with the worker's parent, and some time
    after a request that the worker does not follow."""
    os.setpgid(0, 0)  # a terminal's interrupt reaches only the parent
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    heard, rung = os.pipe()
    _bell.append(rung)
    start_without_requests(threading.Thread(target=_watch, args=[heard], daemon=True))


def stoppable(work: Callable[[], T]) -> T:
    """Do a worker's work; if it is told to stop meanwhile, end the worker."""
    try:
        # At work it must end what it has started; idle, the signal may end it at once.
        signal.signal(signal.SIGTERM, _follow)
        try:
            return work()
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            if _told:  # and what was raised is lost, perhaps
                end_group()
    except SystemExit:
        end_group()


def end_group() -> NoReturn:
    """Kill what goes back to this process, and the process with all of the group that it leads."""
    end_descendants()
    if os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _follow(number: int, frame: FrameType | None) -> None:
    if not _told:
        _told.append(number)
        for pipe in _bell:
            os.write(pipe, b"!")
        sys.exit(1)


def _watch(bell: int) -> None:
    parent = multiprocessing.parent_process()
    assert parent, "no worker"
    if parent.sentinel in wait([parent.sentinel, bell]):
        os.killpg(0, signal.SIGTERM)
    time.sleep(PATIENCE)
    end_group()
