"""Grades for a folder of submissions: each is copied, and marked in a process of its own.

Answers are marked by a process that runs no code of the submission. Its code runs in another one:
in a session of its own, as a user of its own if we are root, and, where the system lets us, without
a network and in a namespace of processes. When its time is over all of them are killed.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from eval.labs.containing import WRITTEN, landlock_version
from eval.labs.lab import Lab
from sim.errors import UserError

MOST_BYTES, MOST_FILES = 8 << 20, 300  # of a submission that is copied
TRUSTED_SECONDS = 1800  # for what the flow finds
POLL = 0.05  # seconds
PROCESSES = 8  # of a submission; more are named
TOLD = 1 << 20  # bytes of marks
ALONE = ("--net", "--pid", "--fork", "--kill-child")
MOST_WRITTEN = 128 << 20  # bytes of all files of a submission
HANGS, FLOODS, FORKS = "hangs", "floods its output", "starts processes"
LEAST_FILE = 4096  # bytes that an empty file counts for
FILLS = "fills the disk"


@dataclass
class Graded:
    """Says what a submission earned, and what it did that it should not."""

    submission: str
    name: str = ""
    marks: list[dict[str, Any]] = field(default_factory=list)
    did: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def got(self) -> int:
        """Return its points."""
        return sum(mark["got"] for mark in self.marks)

    @property
    def points(self) -> int:
        """Return the points that there are."""
        return sum(mark["points"] for mark in self.marks)


@dataclass(frozen=True)
class Grader:
    """Grades submissions to a lab. seed: of the class; seconds: for the code of each."""

    lab: Lab
    teacher: str
    seed: str
    seconds: int

    def grade(
        self, folders: Sequence[Path], jobs: int, done: Callable[[int], None]
    ) -> list[Graded]:
        """Grade folders, so many at a time."""
        finished: list[Graded] = []

        def one(folder: Path) -> Graded:
            graded = self.one(folder)
            finished.append(graded)
            done(len(finished))
            return graded

        with ThreadPoolExecutor(jobs) as pool:
            found = list(pool.map(one, folders))
        for graded in found:
            same = [g.submission for g in found if g.name == graded.name and g is not graded]
            if graded.name and same:
                graded.said.append(f"has the name of {', '.join(same)}")
        return found

    def one(self, folder: Path) -> Graded:
        """Grade a folder in a copy."""
        graded = Graded(folder.name)
        with tempfile.TemporaryDirectory(prefix="modexplorer-lab-") as scratch:
            place = Path(scratch, "work", self.lab.name)
            try:
                copy_plain(folder, place)
            except UserError as error:
                graded.said.append(str(error))
                return graded
            self._take(graded, self._trusted("answers", place))
            if self.lab.check_code:
                told = self._code(place)
                if not told.get("marks"):  # it was stopped
                    told["marks"] = [
                        vars(mark) for mark in self.lab.without_points(self.teacher, "not checked")
                    ]
                self._take(graded, told)
                if self.lab.leaves and any(mark["got"] < mark["points"] for mark in told["marks"]):
                    with contextlib.suppress(OSError):  # the submission may have written it itself
                        (place / self.lab.leaves).unlink()
            if self.lab.measure:
                self._take(graded, self._trusted("measure", place))
        return graded

    def _take(self, graded: Graded, told: dict[str, Any]) -> None:
        graded.name = told.get("name", graded.name)
        if (seed := told.get("seed", self.seed)) != self.seed:
            graded.said.append(f"answers the questions of seed {seed!r}, not {self.seed!r}")
        graded.marks += told.get("marks", [])
        if told.get("kept") is False and landlock_version() > 0:
            graded.said.append("could have changed files outside its folder")
        if told.get("limited") is False:
            graded.said.append("could have started any number of processes")
        graded.did += told.get("noticed", [])
        if said := told.get("error"):
            graded.said.append(said)

    def _trusted(self, what: str, place: Path) -> dict[str, Any]:
        """Mark what needs none of the submission's code; the flow may start what it needs."""
        words = child(what, self.lab.number, place, "", TRUSTED_SECONDS)
        return watched(words, place.parent, TRUSTED_SECONDS, dict(os.environ), trusted=True)

    def _code(self, place: Path) -> dict[str, Any]:
        words = child("code", self.lab.number, place, self.teacher, self.seconds)
        env = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(place.parent),
            "TMPDIR": str(place.parent),
            "MODEXPLORER_BUILD": str(place.parent / "build"),
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),  # where our packages are
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPYCACHEPREFIX": os.environ.get("PYTHONPYCACHEPREFIX", ""),
            "OPENBLAS_NUM_THREADS": "1",
            "LANG": "C.UTF-8",
        }
        return watched([*alone(), *words], place.parent, self.seconds, env)


def child(what: str, number: str, place: Path, teacher: str, seconds: int) -> list[str]:
    """Write the command of a child process; the pipe's number follows."""
    module = (sys.executable, "-P", "-m", "eval.labs.child")
    return [*module, what, number, str(place), teacher, str(seconds)]


@cache
def alone() -> tuple[str, ...]:
    """Return what starts a program without network, and with processes that end with it; nothing
    where the system does not let us."""
    tool = shutil.which("unshare")
    user = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    for ways in (ALONE, ALONE[:1]) if tool else ():
        words = (str(tool), *user, *ways)
        if subprocess.run((*words, "true"), capture_output=True).returncode == 0:
            return words
    return ()


def watched(
    words: list[str], work: Path, seconds: int, env: dict[str, str], trusted: bool = False
) -> dict[str, Any]:
    """Run a child until it ends, or its time is over, or it does what it may not; return what it
    told, and what it did. A trusted one may start processes and write files."""
    ours, theirs = os.pipe()
    printed = work.parent / "printed"
    did: list[str] = []
    with printed.open("wb") as out:
        process = subprocess.Popen(
            [*words, str(theirs)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            cwd=work,
            env=env,
            pass_fds=(theirs,),
            start_new_session=True,
        )
    os.close(theirs)
    text = b""
    try:
        ends = time.monotonic() + seconds
        while process.poll() is None and not did:
            text += _read(ours, POLL)
            if time.monotonic() > ends:
                did.append(f"{HANGS}: not finished after {seconds} s")
            elif len(text) > TOLD or _size(printed) >= WRITTEN:
                did.append(FLOODS)
            elif not trusted and len(_descendants(process.pid)) > PROCESSES:
                did.append(FORKS)
            elif not trusted and _written(work) > MOST_WRITTEN:
                did.append(FILLS)
    finally:
        _end(process)
    text += _read(ours, 0)
    os.close(ours)
    if not did and _size(printed) >= WRITTEN:
        did.append(FLOODS)
    return _told(text, process.returncode, did, printed)


def _told(text: bytes, code: int, did: list[str], printed: Path) -> dict[str, Any]:
    """Read the last thing that a child told."""
    told: dict[str, Any] = {}
    for line in text[:TOLD].splitlines():
        with contextlib.suppress(ValueError):
            read = json.loads(line)
            told |= read if isinstance(read, dict) else {}
    told["noticed"] = [*told.get("noticed", []), *did]
    if "marks" not in told and not told["noticed"]:
        with printed.open("rb") as file:
            last = file.read(WRITTEN).decode(errors="replace").splitlines()[-1:]
        told["error"] = f"ended by itself, with code {code}: {' '.join(last)[:200]}"
    return told


def _read(pipe: int, wait: float) -> bytes:
    """Read what stands in a pipe, after some time if nothing does."""
    ready, _, _ = select.select([pipe], [], [], wait)
    found = os.read(pipe, 1 << 16) if ready else b""
    if ready and not found:
        time.sleep(wait)
    return found


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _written(folder: Path) -> int:
    """Count the bytes below a folder, up to somewhat more than the most that there may be."""
    found = 0
    waiting = [str(folder)]
    while waiting and found <= MOST_WRITTEN:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    found += max(entry.stat(follow_symlinks=False).st_size, LEAST_FILE)
    return found


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill all of a session, and what has left it."""
    for _ in range(100):
        left = _descendants(process.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not left:
            break
    process.wait()


def _descendants(root: int) -> set[int]:
    """Find what goes back to a process, and all of its session."""
    children: dict[int, list[int]] = {}
    found: set[int] = set()
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            words = file.read_text(errors="replace").rpartition(")")[2].split()
            pid, state, parent, session = int(file.parent.name), words[0], *map(int, words[1:4:2])
            if state == "Z":
                continue
            children.setdefault(parent, []).append(pid)
            if session == root and pid != root:
                found.add(pid)
    waiting = [root, *found]
    while waiting:
        mine = set(children.get(waiting.pop(), [])) - found
        found |= mine
        waiting += mine
    return found


def copy_plain(folder: Path, place: Path) -> None:
    """Copy plain files and folders; UserError if there are links, devices, or too much."""
    place.mkdir(parents=True)
    left, files = MOST_BYTES, 0
    for root, folders, names in os.walk(folder):
        inside = Path(root).relative_to(folder)
        for name in (*folders, *names):
            mode = (Path(root) / name).lstat().st_mode
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                raise UserError(
                    f"{inside / name}: is no plain file; submit files and folders alone"
                )
        for name in folders:
            (place / inside / name).mkdir()
        for name in names:
            files += 1
            left -= (Path(root) / name).stat().st_size
            if left < 0 or files > MOST_FILES:
                raise UserError(
                    f"has more than {MOST_BYTES >> 20} MB or {MOST_FILES} files; submit the "
                    "lab's files alone"
                )
            shutil.copyfile(Path(root) / name, place / inside / name)


def submissions(folder: Path) -> list[Path]:
    """List the subfolders; UserError if there are none."""
    try:
        found = sorted(place for place in folder.iterdir() if place.is_dir())
    except OSError as error:
        raise UserError(f"folder: {folder}: {error.strerror}; give one of submissions") from None
    if not found:
        raise UserError(f"folder: {folder} has no subfolders; each submission is one")
    return found


def contained() -> list[str]:
    """Say what is contained on this system, and what is not."""
    words = alone()
    ways = {
        "time, memory and output": True,
        "changes of files": landlock_version() > 0,
        "network": "--net" in words,
        "processes that leave the session": "--pid" in words,
    }
    return [f"{what}: {'contained' if held else 'not contained'}" for what, held in ways.items()]


def as_csv(graded: Iterable[Graded]) -> list[list[str]]:
    """Write rows: a heading, then a line for each submission."""
    found = list(graded)
    items = list(dict.fromkeys(mark["item"] for one in found for mark in one.marks))
    rows = [["submission", "name", "points", "of", *items, "did", "said"]]
    for one in found:
        got = {mark["item"]: str(mark["got"]) for mark in one.marks}
        row = [one.submission, one.name, str(one.got), str(one.points)]
        rows.append(
            [*row, *(got.get(i, "") for i in items), "; ".join(one.did), " ".join(one.said)]
        )
    return rows
