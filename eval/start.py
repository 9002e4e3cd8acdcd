"""The console script `modexplorer`: what holds from its first moment to its last.

The command line itself takes 60 ms to import. A request to stop, whether from the keyboard, from a
terminal that is closed or by SIGTERM, may come before that; it ends all that was started, too.
"""

import atexit
import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path

from sim.garbage import collect_less

EXIT_INTERRUPTED = 130
BE_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of <sys/prctl.h>


def main() -> None:
    """Run the command line; of what it started, nothing goes on after it."""
    atexit.register(_end_descendants)  # the first is called last
    collect_less()
    try:
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:  # and not ignored, as under nohup
                signal.signal(number, signal.default_int_handler)
        # Children whose parent has died become ours: compilers, whose driver is killed.
        ctypes.CDLL(None).prctl(BE_SUBREAPER, 1, 0, 0, 0)
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.reconfigure(errors="backslashreplace")  # a terminal may lack a character
        from eval.cli import cli

        cli.main(prog_name="modexplorer")
    except KeyboardInterrupt:
        print("modexplorer: note: interrupted", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end_descendants() -> None:
    """Kill whatever goes back to this process; what dies may leave children to it."""
    killed: set[int] = set()
    while new := _descendants() - killed:
        for pid in new:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        killed |= new


def _descendants() -> set[int]:
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
