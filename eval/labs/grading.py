"""Grades for a folder of submissions: each is copied, and marked by a process of its own.

That process runs no Python of the submission, which runs in a sandbox (confining.py), and computes
all marks itself. What either of them does is the row of this submission alone.
"""

import csv
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TextIO

from eval.labs.answers import read_answers
from eval.labs.confining import CLOCK, end, way
from eval.labs.lab import Items, Lab
from eval.labs.marking import SECONDS
from sim.errors import RunError, UserError

MOST_BYTES, MOST_FILES, DEEPEST = 8 << 20, 300, 20  # of a submission: files and folders
TRUSTED_SECONDS = 1800  # for answers and what the flow finds
TOLD = 1 << 22  # bytes of marks
SHOWN = 1000  # letters of what is said of a submission
FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # with which a cell of a spreadsheet would begin one


def plain(text: object, most: int = SHOWN) -> str:
    """Return text of a submission without what a terminal or a reader obeys: control characters,
    changes of direction, and bytes that are no text, are written as escapes."""
    shown = str(text)[: most + 1]
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in shown)
    return shown if len(shown) <= most else f"{shown[:most]}..."


def cell(text: str) -> str:
    """Return text that a spreadsheet takes for no formula."""
    return f"'{text}" if text.startswith(FORMULAS) else text


@dataclass
class Graded:
    """Says what a submission earned, and what it did that it should not: in plain text, and of the
    items that there are."""

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
    """Grades submissions to a lab. seed: of the class; seconds: of CPU, for the code of each."""

    lab: Lab
    teacher: str
    seed: str
    seconds: int

    @cached_property
    def items(self) -> Items:
        """List what there are points for."""
        questions = self.lab.questions("", self.seed)
        asked = tuple((question.name, question.points) for question in questions)
        return (*asked, *self.lab.items(self.teacher), *self.lab.measured)

    def grade(self, folders: Sequence[Path], jobs: int) -> Iterator[Graded]:
        """Grade folders, so many at a time; yield each as it is done."""
        sharing: dict[str, list[str]] = defaultdict(list)
        names = {folder: name_of(folder) for folder in folders}
        for folder, name in names.items():
            sharing[name].append(plain(folder.name))
        with ThreadPoolExecutor(jobs) as pool:
            try:
                for future in as_completed([pool.submit(self._safely, one) for one in folders]):
                    folder, graded = future.result()
                    name = names[folder]
                    graded.name = plain(name)
                    others = [other for other in sharing[name] if other != graded.submission]
                    if name and others:
                        graded.said.append(plain(f"has the name of {', '.join(others)}"))
                    yield graded
            finally:
                pool.shutdown(cancel_futures=True)

    def _safely(self, folder: Path) -> tuple[Path, Graded]:
        """Grade a folder; whatever goes wrong is said of this one."""
        graded = Graded(plain(folder.name))
        told: dict[str, tuple[int, str]] = {}
        try:
            self._one(folder, graded, told)
        except UserError as error:
            graded.said.append(plain(error))
        except Exception as error:
            graded.said.append(plain(f"could not be graded: {type(error).__name__}: {error}"))
        for item, points in self.items:
            got, said = told.get(item, (0, "not checked"))
            graded.marks.append({"item": item, "points": points, "got": got, "said": said})
        return folder, graded

    def _one(self, folder: Path, graded: Graded, told: dict[str, tuple[int, str]]) -> None:
        """Grade a folder in a copy."""
        scratch = Path(tempfile.mkdtemp(prefix="modexplorer-lab-"))
        try:
            place = scratch / "work" / self.lab.name
            copy_plain(folder, place)
            asked: dict[str, Any] = {
                "lab": self.lab.number,
                "place": str(place),
                "teacher": self.teacher,
            }
            hidden = [str(folder.parent.absolute()), tempfile.gettempdir()]
            asked |= {"teacher": self.teacher, "seconds": self.seconds}
            asked |= {"by": way(), "hidden": hidden}
            for line in _marking(asked, graded, CLOCK * self.seconds + SECONDS + TRUSTED_SECONDS):
                self._take(line, graded, told)
        finally:
            remove(scratch)

    def _take(self, line: dict[str, Any], graded: Graded, told: dict[str, tuple[int, str]]) -> None:
        """Take what was marked, of the items that there are."""
        points = dict(self.items)
        for mark in line.get("marks", []):
            item, got = mark["item"], mark["got"]
            if item not in points or item in told or not 0 <= got <= points[item]:
                raise RunError(f"no mark of this lab: {item}, {got}")
            told[item] = got, plain(mark["said"])
        if (seed := line.get("seed", self.seed)) != self.seed:
            graded.said.append(plain(f"answers the questions of seed {seed!r}, not {self.seed!r}"))
        graded.did += map(plain, line.get("noticed", []))
        if "error" in line:
            graded.said.append(plain(line["error"]))


def _marking(asked: dict[str, Any], graded: Graded, seconds: int) -> Iterator[dict[str, Any]]:
    """Start the process that marks, and yield what it writes, all of it if it was ended."""
    with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "eval.labs.marking", str(told.fileno())],
            stdin=subprocess.PIPE,
            stdout=printed,
            stderr=printed,
            pass_fds=(told.fileno(),),
            start_new_session=True,
        )
        said = ""
        try:
            process.communicate(json.dumps(asked).encode() + b"\n", timeout=seconds)
            if process.returncode:
                said = f"the check ended with code {process.returncode}: {_last(printed)}"
        except subprocess.TimeoutExpired:
            said = f"the check was not finished after {seconds} s"
        finally:
            end(process)
        told.seek(0)
        for line in told.read(TOLD).splitlines():
            yield json.loads(line)
    if said:
        graded.said.append(plain(said))


def _last(printed: Any) -> str:
    printed.seek(0)
    return " ".join(printed.read(TOLD).decode(errors="replace").splitlines()[-1:])


def name_of(folder: Path) -> str:
    """Return the name that a submission gives; "" if it gives none."""
    try:
        _plain_file(folder / "answers.toml")
        return read_answers(folder).name
    except Exception:  # of whatever kind: the check of the answers says what is wrong
        return ""


def _plain_file(file: Path) -> os.stat_result:
    """Look at a file; UserError unless it is one, or a folder."""
    seen = file.lstat()
    if not (stat.S_ISREG(seen.st_mode) or stat.S_ISDIR(seen.st_mode)):
        raise UserError(f"{file.name}: is no plain file; submit files and folders alone")
    return seen


def copy_plain(folder: Path, place: Path) -> None:
    """Copy plain files and folders; UserError if there are links, devices, or too much."""
    _plain_file(folder)
    place.mkdir(parents=True)
    left, entries, waiting = MOST_BYTES, 0, [Path()]
    while waiting:
        inside = waiting.pop()
        try:
            names = [entry.name for entry in os.scandir(folder / inside)]
            for name in names:
                source, target = folder / inside / name, place / inside / name
                seen = _plain_file(source)
                entries += 1
                is_folder = stat.S_ISDIR(seen.st_mode)
                left -= 0 if is_folder else seen.st_size
                if left < 0 or entries > MOST_FILES or len(inside.parts) > DEEPEST:
                    raise UserError(
                        f"has more than {MOST_BYTES >> 20} MB or {MOST_FILES} files, or folders "
                        f"{DEEPEST} deep; submit the lab's files alone"
                    )
                if is_folder:
                    target.mkdir()
                    waiting.append(inside / name)
                else:
                    shutil.copyfile(source, target)
        except OSError as error:
            where = inside if error.filename is None else Path(os.fsdecode(error.filename)).name
            raise UserError(f"{where}: {error.strerror}; make it readable") from None


def remove(folder: Path) -> None:
    """Remove a folder, however deep and of whatever modes what is in it."""
    for words in (("chmod", "-R", "u+rwX"), ("rm", "-rf")):
        subprocess.run([*words, "--", str(folder)], capture_output=True)


def submissions(folder: Path) -> list[Path]:
    """List the subfolders; UserError if there are none."""
    try:
        found = sorted(place for place in folder.iterdir() if place.is_dir())
    except OSError as error:
        raise UserError(f"folder: {folder}: {error.strerror}; give one of submissions") from None
    if not found:
        raise UserError(f"folder: {folder} has no subfolders; each submission is one")
    return found


class Rows:
    """Writes a CSV file: a heading, then a line for each submission as it is graded."""

    def __init__(self, out: TextIO, items: Items) -> None:
        self._out, self._items = out, [item for item, _ in items]
        self._write(["submission", "name", "points", "of", *self._items, "did", "said"])

    def add(self, one: Graded) -> None:
        """Write the line of a submission."""
        got = {mark["item"]: str(mark["got"]) for mark in one.marks}
        row = [one.submission, one.name, str(one.got), str(one.points)]
        row += [got.get(item, "") for item in self._items]
        self._write([*row, "; ".join(one.did), " ".join(one.said)])

    def _write(self, row: list[str]) -> None:
        csv.writer(self._out).writerow([cell(text) for text in row])
        self._out.flush()
