"""The processes that go back to this one, also those of other groups and sessions."""

import contextlib
import os
import signal
from pathlib import Path


def end_descendants() -> None:
    """Kill whatever goes back to this process; what dies may leave children to it."""
    killed: set[int] = set()
    while new := descendants() - killed:
        for pid in new:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        killed |= new


def descendants() -> set[int]:
    """Find the children of this process, and theirs."""
    children: dict[int, list[int]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parent = int(file.read_text(errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(file.parent.name))
    found: set[int] = set()
    waiting = [os.getpid()]
    while waiting:
        waiting += (mine := children.get(waiting.pop(), []))
        found.update(mine)
    return found
