"""The figures that are kept, of the commands that texts quote: kept.json, a part of the package.

Of each command it has the commit at which its rows were measured, the keys of these rows, the
values and lines that are quoted, the commit that printed them, and the seconds that it took, which
are of one machine.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from sim.paths import build_dir

FILE = Path(__file__).with_name("kept.json")
UNKNOWN = "unknown"  # the commit of figures that are older than this file


@dataclass(frozen=True)
class RowKey:
    """The key of a row: its digest, and the parts that people read."""

    digest: str
    kind: str
    design: str
    nbits: int
    parameters: str
    workload: str = ""


@dataclass
class Answers:
    """What is kept of a command."""

    commit: str = UNKNOWN
    rows: list[RowKey] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    printed: dict[str, list[str]] = field(default_factory=dict)
    seconds: float | None = None  # on the machine that measured, on the wall
    printed_at: str = ""  # the commit; rows may be older

    @property
    def count(self) -> int:
        """Count what is quoted: an excerpt counts as one."""
        return len(self.values) + len(self.printed)


class Kept:
    """What is kept, by command."""

    def __init__(self, answers: dict[str, Answers]) -> None:
        self.answers = answers

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.answers))

    def __getitem__(self, command: str) -> Answers:
        return self.answers[command]

    def of(self, command: str) -> Answers:
        """Return what is kept of a command, an empty entry if nothing was."""
        return self.answers.setdefault(command, Answers())

    @contextmanager
    def updating(self, file: Path = FILE) -> Iterator[None]:
        """Change entries of the file as it is by now: others may have put theirs there."""
        with (build_dir("locks") / "figures").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.answers = load(file).answers
            yield
            self.save(file)

    def save(self, file: Path = FILE) -> None:
        """Write the file, whole or not at all; equal contents give an equal file."""
        shown = {command: _shown(self.answers[command]) for command in self}
        other = file.with_suffix(f".{os.getpid()}")
        other.write_text(json.dumps(shown, indent=1, ensure_ascii=False) + "\n")
        other.replace(file)


def load(file: Path = FILE) -> Kept:
    """Read the file."""
    entries = json.loads(file.read_text()) if file.exists() else {}
    return Kept({command: _read(entry) for command, entry in entries.items()})


@cache
def kept() -> Kept:
    """Return the package's figures."""
    return load()


def _shown(answers: Answers) -> dict[str, Any]:
    shown = asdict(answers)
    shown["values"] = dict(sorted(answers.values.items()))
    shown["printed"] = dict(sorted(answers.printed.items()))
    return {name: value for name, value in shown.items() if value not in ([], {}, None, "")}


def _read(entry: dict[str, Any]) -> Answers:
    rows = [RowKey(**row) for row in entry.get("rows", [])]
    return Answers(**(entry | {"rows": rows}))
