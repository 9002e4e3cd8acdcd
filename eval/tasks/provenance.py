"""How a row was made: by which commit, on which machine, and how long each step took."""

import os
import platform
import re
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import ClassVar, TypeVar

from eval.tasks.unit import OnStep
from flow.results.record import Record
from sim.paths import ROOT

T = TypeVar("T")
NO_COMMIT = "not in a git checkout"
CHANGED = ", with changes"  # after a commit
# What `pages --measure` writes while it measures: the numbers, and the pages that quote them.
WRITTEN = ("eval/atlas/quoted.jsonl", "*.md")
STARTING = "getting ready"  # until a first step is told
_EVENT = re.compile(r" (started|failed|up to date|finished in .*)$")


class Provenance(Record):
    """Says how a row was made; what rows within it took is said of these."""

    seconds: float
    steps: dict[str, float]
    commit: str
    machine: str
    date: str = ""


class Watch:
    """Takes the time of a measurement's steps as they are told; while another runs within it, as of
    a row that it needs, that other one's."""

    _running: ClassVar[list["Watch"]] = []

    def __init__(self, on_step: OnStep) -> None:
        self.on_step = on_step
        self.steps: dict[str, float] = {}
        self._step, self._since = STARTING, 0.0

    def say(self, step: str) -> None:
        """Tell the step, and take the time of the one before."""
        if self._running[-1] is self:
            self._take()
            self._step = _EVENT.sub("", step).rpartition(", ")[2]
        self.on_step(step)

    def run(self, compute: Callable[[], T]) -> T:
        """Compute under the watch."""
        if self._running:
            self._running[-1]._take()
        self._running.append(self)
        self._since = time.monotonic()
        try:
            return compute()
        finally:
            self._take()
            self._running.pop()
            if self._running:
                self._running[-1]._since = time.monotonic()

    def _take(self) -> None:
        now = time.monotonic()
        self.steps[self._step] = self.steps.get(self._step, 0.0) + now - self._since
        self._since = now

    def made(self) -> Provenance:
        """Return what was found, to a hundredth of a second."""
        steps = {step: round(seconds, 2) for step, seconds in self.steps.items()}
        return Provenance(round(sum(self.steps.values()), 2), steps, commit(), machine(), today())


def today() -> str:
    """Return the date."""
    return datetime.now(UTC).date().isoformat()


@cache
def commit() -> str:
    """Name the commit of the checkout, and whether files differ from it, but for those that change
    while figures are measured."""
    if not (ROOT / ".git").exists():  # installed, perhaps below somebody else's checkout
        return NO_COMMIT
    try:
        name = _git("rev-parse", "--short=12", "HEAD")
        left_out = [f":!{file}" for file in WRITTEN]
        changes = _git("status", "--porcelain", "--untracked-files=no", "--", ".", *left_out)
    except (OSError, subprocess.CalledProcessError):
        return NO_COMMIT
    return f"{name}{CHANGED}" if changes else name


def _git(*words: str) -> str:
    asked = ["git", "--no-optional-locks", *words]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@cache
def machine() -> str:
    """Name the processor, its cores, the memory and the system."""
    found = re.search(r"^model name\s*: (.*)$", _read("/proc/cpuinfo"), re.MULTILINE)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        system = platform.system()
    processor = found[1].strip() if found else platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {memory:.0f} GB, {system}"


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
