"""A build folder of mflowgen: which of its steps are done, and how the others are made.

A step is done if its code, its parameters, its tools and the files that it takes are those of its
last run. Where an earlier step runs again and leaves the same files, it does not run again.
"""

import contextlib
import fcntl
import graphlib
import hashlib
import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

import yaml

from flow.digest import hash_files, step_digest
from flow.process import error_lines, mflowgen, run_logged
from sim.closure import hash_data
from sim.errors import RunError

RECORD = "done.json"
LITTLE_MB = 50  # a design of some thousand cells needs as much


@contextlib.contextmanager
def locked(folder: Path, wait: bool = False) -> Iterator[int]:
    """Hold the folder's lock and give its descriptor; RunError if it is held, unless told to
    wait."""
    with (folder / ".lock").open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise RunError(
                f"{folder} is in use by another run of the flow: wait for it or use another name"
            ) from None
        yield handle.fileno()


class Done(TypedDict):
    """What is noted of a step when it finished: the hash of what it depended on, and its time."""

    digest: str
    seconds: float


@dataclass(frozen=True)
class BuildStep:
    """A step of the graph, its folder in the build folder, and what mflowgen knows of it."""

    name: str
    folder: Path
    config: dict[str, Any]
    tools: dict[str, str]

    def digest(self) -> str:
        """Hash all that the step depends on, once the steps before it are done."""
        taken: dict[str, dict[str, str]] = {}
        for edges in self.config["edges_i"].values():
            for edge in edges:
                left = self.folder.parent / edge["step"] / "outputs" / edge["f"]
                taken.setdefault(edge["step"], {})[edge["f"]] = content_hash(left)
        before = {step: hash_data(files) for step, files in taken.items()}
        return step_digest(self.config, before, self.tools)

    def record(self) -> Done | None:
        """Read what was noted when the step finished; None if it must run (again)."""
        with contextlib.suppress(OSError, ValueError):
            record: Done = json.loads((self.folder / RECORD).read_text())
            if record["digest"] == self.digest():
                return record
        return None


class Build:
    """The build folder and the log folder of one design, whose lock the caller holds."""

    def __init__(self, folder: Path, logs: Path, lock: int) -> None:
        self.folder, self.logs, self.lock = folder, logs, lock

    def generate(self, design: Path) -> None:
        """Let mflowgen write the Makefile for a design folder."""
        log = self.logs / "mflowgen.log"
        if run_logged(mflowgen("run", "--design", str(design)), self.folder, log, self.lock):
            raise failure("mflowgen (making the graph)", log)

    def steps(self, tools: dict[str, str]) -> list[BuildStep]:
        """List the steps of the graph in the order to run, from what mflowgen wrote."""
        found = {}
        for path in (self.folder / ".mflowgen").glob("*/configure.yml"):
            config = yaml.safe_load(path.read_text())
            found[config["build_dir"]] = config
        before = {
            name: sorted({e["step"] for edges in found[name]["edges_i"].values() for e in edges})
            for name in sorted(found, key=lambda name: int(found[name]["build_id"]))
        }
        return [
            BuildStep(found[name]["name"], self.folder / name, found[name], tools)
            for name in graphlib.TopologicalSorter(before).static_order()
        ]

    def make(self, step: BuildStep) -> Done:
        """Run a step whose predecessors are done, and note that; RunError says why it failed."""
        # Begun for something else, or interrupted.
        shutil.rmtree(step.folder, ignore_errors=True)
        log, digest = self.logs / f"{step.name}.log", step.digest()
        start = time.monotonic()
        command = ["make", "--no-print-directory", step.name]
        if run_logged(command, self.folder, log, self.lock):
            raise failure(f"step {step.name}", log)
        record = Done(digest=digest, seconds=round(time.monotonic() - start, 1))
        (step.folder / RECORD).write_text(json.dumps(record) + "\n")
        return record

    def keep(self, step: BuildStep) -> None:
        """Tell make that a step is done, though one before it may have run again, in a run that was
        interrupted, too."""
        log = self.logs / f"{step.name}.kept.log"
        command = ["make", "--no-print-directory", "--touch", step.name]
        if run_logged(command, self.folder, log, self.lock):
            raise failure(f"step {step.name} (which is up to date)", log)
        log.unlink()


def content_hash(path: Path) -> str:
    """Hash the content of a file, or of all files in a folder."""
    real = path.resolve(strict=True)
    if real.is_dir():
        return _content_of_folder(real)
    with real.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache
def _content_of_folder(folder: Path) -> str:
    """Hash a kit, whose folder has the hash of its content in its name."""
    return hash_files(folder, folder.rglob("*"))


def nearly_full(folder: Path) -> list[str]:
    """Say so, in a line, if there is hardly any space left on the folder's disk."""
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    return [f"{free_mb} MB are left on the disk of {folder}"] if free_mb < LITTLE_MB else []


def failure(what: str, log: Path) -> RunError:
    """Make the error of a step that failed, with what its log says and where that is."""
    lines = [*error_lines(log), *nearly_full(log.parent), f"log: {log}"]
    return RunError("\n  ".join([f"{what} failed:", *lines]))
