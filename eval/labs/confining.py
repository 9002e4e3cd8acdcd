"""A process that runs the code of a submission: started in a sandbox, watched, and ended.

The sandbox is Debian's bubblewrap where it works: the process sees the system, our packages and a
copy of the submission, all read-only, and writes into a file system in memory of limited size. Its
namespaces hide the network, other processes and other submissions, and end with it. Elsewhere
`unshare` gives it namespaces without network and processes, where the system permits it, and the
files that it writes are counted.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from eval.labs.containing import WRITTEN, landlock_version
from sim.paths import ROOT, SHARED

POLL, LOOK = 0.05, 0.4  # seconds between looks at its answers, and at its processes
PROCESSES = 10  # of a submission, with those of the sandbox; more are named
LINE = 4 << 20  # bytes of what it answers to a request
CLOCK = 5  # times as long as its CPU time may a submission take by the clock
MOST_WRITTEN = 128 << 20  # bytes of all files of a submission
MOST_ENTRIES = 4096  # files and folders
LONGEST_PATH = 1024  # letters; what is deeper could not be counted
LEAST_FILE = 4096  # bytes that an empty file counts for
HANGS, FLOODS, FORKS, FILLS = (
    "hangs",
    "floods its output",
    "starts processes",
    "fills the disk",
)

BUBBLEWRAP, UNSHARE, NONE = WAYS = ("bubblewrap", "unshare", "none")
NAMESPACES = ("--net", "--pid", "--fork", "--kill-child")
INSIDE, JAIL = Path("/scratch"), Path("/jail")
# What the sandbox's shell does as the root of its namespaces: it limits what can be written, copies
# the submission, and enters a chroot, in which the kernel makes no further namespaces.
ENTER = (
    f"mount -t tmpfs -o size={MOST_WRITTEN},nr_inodes={MOST_ENTRIES} tmpfs {INSIDE} &&"
    f" cp -r --no-preserve=mode /submission {INSIDE}/work && mount --rbind / {JAIL} &&"
    f' exec chroot {JAIL} /bin/sh -c \'cd {INSIDE}/work && exec "$@"\' sh "$@"'
)
RIGHTS = ("SYS_ADMIN", "SYS_CHROOT", "DAC_READ_SEARCH", "DAC_OVERRIDE", "CHOWN", "SETUID", "SETGID")
SYSTEM = ("/etc/alternatives", "/etc/ld.so.cache")


class Ended(Exception):
    """Tells why a submission's process has ended before it answered."""


@cache
def way() -> str:
    """Return the strongest sandbox that works here: each is tried once."""
    if shutil.which("bwrap"):
        with tempfile.TemporaryDirectory() as folder:
            words = [*_bubblewrap(Path(folder)), "true"]
            if subprocess.run(words, capture_output=True).returncode == 0:
                return BUBBLEWRAP
    return UNSHARE if _namespaces() else NONE


@cache
def _namespaces() -> tuple[str, ...]:
    """Return what starts a program without network, and with processes that end with it; nothing
    where the system permits neither."""
    tool = shutil.which("unshare")
    user = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    for ways in (NAMESPACES, NAMESPACES[:1]) if tool else ():
        words = (str(tool), *user, *ways)
        if subprocess.run((*words, "true"), capture_output=True).returncode == 0:
            return words
    return ()


def contained(by: str) -> list[str]:
    """Say what a sandbox contains, and what it does not."""
    whole, words = by == BUBBLEWRAP, _namespaces() if by == UNSHARE else ()
    ways = {
        "CPU time, memory, output, files and folders": True,
        "changes of files elsewhere": whole or landlock_version() > 0,
        "network": whole or "--net" in words,
        "processes that leave the session": whole or "--pid" in words,
        "reading other submissions and your files": whole,
        "local sockets": whole,
    }
    remedy = "" if whole else "; weaker than bubblewrap: install it, and permit it namespaces"
    lines = [f"{what}: {'contained' if held else 'not contained'}" for what, held in ways.items()]
    return [f"sandbox: {by}{remedy}", *lines]


def _bubblewrap(submission: Path, hidden: tuple[Path, ...] = ()) -> list[str]:
    """Write what starts a program with a copy of a folder; hidden: what it does not see even where
    that is below what it needs."""
    user = ["--unshare-user", "--uid", "0", "--gid", "0"] if os.geteuid() else []
    links = [name for name in ("bin", "sbin", "lib", "lib64") if Path("/", name).is_symlink()]
    needed = _needed()
    masked = [p for p in hidden if p.is_dir() and any(_below(p, place) for place in needed)]
    bytecode = [Path(sys.pycache_prefix)] if sys.pycache_prefix else []
    above = sorted({folder for p in (*needed, *masked, *bytecode) for folder in p.parents[:-1]})
    words = [word for folder in above for word in ("--perms", "0755", "--dir", str(folder))]
    named: tuple[tuple[str, Sequence[str | Path]], ...] = (
        ("--ro-bind", ["/usr"]),
        ("--ro-bind-try", SYSTEM),
        ("--ro-bind", needed),
        ("--ro-bind-try", bytecode),
        ("--ro-bind", [submission]),
    )
    for option, places in named:
        for place in places:
            words += [option, str(place), "/submission" if place is submission else str(place)]
        if places is needed:
            words += [word for place in masked for word in ("--tmpfs", str(place))]
    writable = ["/dev", "/tmp", *map(str, masked), "/"]
    return [
        *("bwrap", *user, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
        *("--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *(word for right in RIGHTS for word in ("--cap-add", f"CAP_{right}")),
        *(word for name in links for word in ("--symlink", f"usr/{name}", f"/{name}")),
        *("--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"),
        *("--dir", str(INSIDE), "--dir", str(JAIL), *words),
        *(word for place in writable for word in ("--remount-ro", place)),
        *("/bin/sh", "-c", ENTER, "sh"),
    ]


def _needed() -> list[Path]:
    """List the folders outside /usr that Python and our packages are in."""
    places: list[str | Path] = [ROOT, sys.prefix, sys.base_prefix, *sys.path]
    found = {Path(place).resolve() for place in places if place and Path(place).is_dir()}
    outer = [p for p in found if p != Path("/") and not _below(p, Path("/usr"))]
    return sorted(p for p in outer if not any(_below(p, other) for other in outer if other != p))


def _below(place: Path, folder: Path) -> bool:
    return place.resolve().is_relative_to(folder)


class Confined:
    """Runs the program that a module is, on a copy of a submission, and answers requests by lines
    of JSON.

    by: one of WAYS. scratch: a folder for it alone. seconds: of CPU time.
    noticed: what it did that it should not.
    """

    def __init__(
        self, by: str, submission: Path, scratch: Path, seconds: int, hidden: tuple[Path, ...]
    ) -> None:
        self.seconds, self.work = seconds, scratch / "work"
        self.noticed: list[str] = []
        self.counted = by != BUBBLEWRAP  # its files are on the disk
        self._waiting, self._started, self._watched = b"", time.monotonic(), 0.0
        self._cpu = 0.0  # seconds that were seen
        if by == BUBBLEWRAP:
            words, inside = _bubblewrap(submission, (*hidden, ROOT / "build")), INSIDE / "work"
        else:
            shutil.copytree(submission, self.work)
            words = [*_namespaces()] if by == UNSHARE else []
            inside = self.work
        self.printed = scratch / "printed"
        self._theirs, told = os.pipe()
        with self.printed.open("wb") as out:
            self.process = subprocess.Popen(
                [*words, sys.executable, "-P", "-m", "eval.labs.child", str(inside), f"{told}"],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=out,
                cwd=scratch if by == BUBBLEWRAP else self.work,
                env=_environment(inside),
                pass_fds=(told,),
                start_new_session=True,
            )
        os.close(told)
        assert self.process.stdin is not None
        os.set_blocking(self.process.stdin.fileno(), False)

    def __enter__(self) -> "Confined":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all of its processes."""
        end(self.process)
        if self.printed.stat().st_size >= WRITTEN:  # where the kernel refused more
            self._notice(FLOODS)
        if self._theirs >= 0:
            os.close(self._theirs)
            self._theirs = -1

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request; Ended if none comes."""
        assert self.process.stdin is not None
        pipe, text = self.process.stdin.fileno(), json.dumps(request).encode() + b"\n"
        while text:
            self._watch()
            if select.select([], [pipe], [], POLL)[1]:
                try:
                    text = text[os.write(pipe, text) :]
                except BrokenPipeError:
                    break  # the answer's end of file says why
        return self.receive()

    def receive(self) -> dict[str, Any]:
        """Return the next answer; Ended if none comes."""
        while True:
            line, found, rest = self._waiting.partition(b"\n")
            if found:
                self._waiting = rest
                answer = _read(line)
                for attempt in _texts(answer.get("noticed")):
                    self._notice(attempt)
                if "noticed" not in answer:
                    return answer
                continue
            if select.select([self._theirs], [], [], POLL)[0]:
                if not (text := os.read(self._theirs, 1 << 16)):
                    self._gone()
                self._waiting += text
            self._watch()

    def _notice(self, attempt: str) -> None:
        if attempt not in self.noticed and len(self.noticed) < 10:
            self.noticed.append(attempt)

    def _gone(self) -> None:
        """Say how it ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        self._watched = 0.0
        self._watch()
        with self.printed.open("rb") as file:
            last = file.read(WRITTEN).decode(errors="replace").splitlines()[-1:]
        code = self.process.returncode
        killed = (signal.SIGXCPU, signal.SIGKILL)
        if code in (*(-one for one in killed), *(128 + one for one in killed)) and (
            self._cpu > self.seconds / 2
        ):
            self._stop(f"{HANGS}: takes more than {self.seconds} s of CPU time")
        raise Ended(f"ended by itself, with code {code}: {' '.join(last)[:200]}")

    def _watch(self) -> None:
        """Stop it if it does what it may not; looked at now and then."""
        if time.monotonic() < self._watched + LOOK:
            return
        self._watched = time.monotonic()
        processes, cpu = descendants(self.process.pid)
        self._cpu = max(cpu, self._cpu)
        if cpu > self.seconds:
            self._stop(f"{HANGS}: takes more than {self.seconds} s of CPU time")
        if time.monotonic() - self._started > CLOCK * self.seconds:
            self._stop(f"{HANGS}: not finished after {CLOCK * self.seconds} s")
        if len(self._waiting) > LINE or self.printed.stat().st_size >= WRITTEN:
            self._stop(FLOODS)
        if len(processes) > PROCESSES:
            self._stop(FORKS)
        if self.counted and is_full(self.work):
            self._stop(FILLS)

    def _stop(self, what: str) -> None:
        self._notice(what)
        raise Ended("was stopped")


def _environment(inside: Path) -> dict[str, str]:
    """Return what the submission finds in its environment: nothing of ours but where Python is."""
    kept = ("PATH", "PYTHONPATH", "PYTHONPYCACHEPREFIX", SHARED)
    return {name: os.environ[name] for name in kept if name in os.environ} | {
        "HOME": str(inside),
        "TMPDIR": str(inside.parent if inside.parent == INSIDE else inside),
        "MODEXPLORER_BUILD": str(inside / "build"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "LANG": "C.UTF-8",
    }


def _read(line: bytes) -> dict[str, Any]:
    """Read a line of JSON; an object without names if it is none."""
    try:
        read = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _texts(found: object) -> list[str]:
    return [one[:100] for one in found if isinstance(one, str)] if isinstance(found, list) else []


def is_full(folder: Path) -> bool:
    """Return whether files and folders below a folder are more than there may be, or hidden from
    being counted."""
    size = entries = 0
    waiting = [str(folder)]
    while waiting:
        place = waiting.pop()
        if len(place) > LONGEST_PATH:
            return True
        try:
            with os.scandir(place) as found:
                for entry in found:
                    entries += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        size += max(entry.stat(follow_symlinks=False).st_size, LEAST_FILE)
                    if size > MOST_WRITTEN or entries > MOST_ENTRIES:
                        return True
        except PermissionError:
            return True
        except OSError:  # it has gone in between
            continue
    return False


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill all of a session, and what has left it."""
    for _ in range(100):
        left, _cpu = descendants(process.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not left:
            break
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def descendants(root: int) -> tuple[set[int], float]:
    """Find what goes back to a process, and all of its session; return them without it, and the
    CPU time of all."""
    children: dict[int, list[int]] = {}
    seconds: dict[int, float] = {}
    found: set[int] = set()
    tick = os.sysconf("SC_CLK_TCK")
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError):
            with open(f"/proc/{name}/stat", "rb", 0) as file:  # a Path takes ten times as long
                words = file.read().rpartition(b")")[2].split()
            pid, parent, session = int(name), *map(int, words[1:4:2])
            seconds[pid] = sum(map(int, words[11:15])) / tick
            if words[0] == b"Z":
                continue
            children.setdefault(parent, []).append(pid)
            if session == root and pid != root:
                found.add(pid)
    waiting = [root, *found]
    while waiting:
        mine = set(children.get(waiting.pop(), [])) - found
        found |= mine
        waiting += mine
    return found, sum(seconds.get(pid, 0.0) for pid in {root, *found})
