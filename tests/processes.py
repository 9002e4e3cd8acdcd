"""What a command or a sweep has left behind."""

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 300  # seconds after which what still lives does not end by itself


def left_of(folder: Path) -> list[str]:
    """Wait until no process has this folder in its environment; what is known of those left."""
    return left(lambda process: str(folder).encode() in (process / "environ").read_bytes())


def left(one: Callable[[Path], bool]) -> list[str]:
    """Wait until no process, zombies and this one apart, is such a one; describe those left."""
    deadline = time.monotonic() + PATIENCE
    while (found := _those(one)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return [described(folder) for folder in found]


def described(folder: Path) -> str:
    """Say what a process is: command, state, parent, group, ignored signals, open pipes."""
    told = [folder.name]
    with contextlib.suppress(OSError):
        told.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        status = dict(line.split(":\t", 1) for line in (folder / "status").read_text().splitlines())
        stat = (folder / "stat").read_text().rpartition(")")[2].split()
        told.append(f"state {status['State']}, group {stat[2]}, session {stat[3]}")
        told += [f"{name} {status[name]}" for name in ("SigBlk", "SigIgn", "SigCgt", "SigPnd")]
        told.append(f"waits in {(folder / 'wchan').read_text()}")
        told.append(f"parent {_command(status['PPid'])}")
        links = [os.readlink(file) for file in (folder / "fd").iterdir()]
        told.append(f"open {sorted(link for link in links if 'pipe' in link)}")
    return "; ".join(told)


def _command(pid: str) -> str:
    with contextlib.suppress(OSError):
        return f"{pid} ({Path('/proc', pid, 'cmdline').read_bytes().decode(errors='replace')})"
    return pid


def _those(one: Callable[[Path], bool]) -> list[Path]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            zombie = ") Z" in (folder / "stat").read_text()
            if one(folder) and not zombie and int(folder.name) != os.getpid():
                found.append(folder)
    return found
