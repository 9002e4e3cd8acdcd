"""A build folder of mflowgen: which of its steps are done, and how the others are made."""

import contextlib
import fcntl
import graphlib
import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import yaml

from flow.digest import step_digest
from flow.process import error_lines, mflowgen, run_logged
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
    """A step of the graph, its folder in the build folder, and a hash of all that it depends on."""

    name: str
    folder: Path
    digest: str

    def record(self) -> Done | None:
        """Read what was noted when the step finished; None if it must run (again)."""
        with contextlib.suppress(OSError, ValueError):
            record: Done = json.loads((self.folder / RECORD).read_text())
            if record["digest"] == self.digest:
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
        digests: dict[str, str] = {}
        steps = []
        for name in graphlib.TopologicalSorter(before).static_order():
            digests[name] = step_digest(found[name], digests, tools)
            steps.append(BuildStep(found[name]["name"], self.folder / name, digests[name]))
        return steps

    def make(self, step: BuildStep) -> Done:
        """Run a step whose predecessors are done, and note that; RunError says why it failed."""
        log = self.logs / f"{step.name}.log"
        start = time.monotonic()
        command = ["make", "--no-print-directory", step.name]
        if run_logged(command, self.folder, log, self.lock):
            raise failure(f"step {step.name}", log)
        record = Done(digest=step.digest, seconds=round(time.monotonic() - start, 1))
        (step.folder / RECORD).write_text(json.dumps(record) + "\n")
        return record

    def drop_stale(self, steps: list[BuildStep]) -> None:
        """Remove the folders of steps that must run: begun for something else, or interrupted."""
        for step in steps:
            if step.record() is None:
                shutil.rmtree(step.folder, ignore_errors=True)


def nearly_full(folder: Path) -> list[str]:
    """Say so, in a line, if there is hardly any space left on the folder's disk."""
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    return [f"{free_mb} MB are left on the disk of {folder}"] if free_mb < LITTLE_MB else []


def failure(what: str, log: Path) -> RunError:
    """Make the error of a step that failed, with what its log says and where that is."""
    lines = [*error_lines(log), *nearly_full(log.parent), f"log: {log}"]
    return RunError("\n  ".join([f"{what} failed:", *lines]))
