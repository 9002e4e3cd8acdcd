"""Audits of the atlas: results drawn at random are measured again and compared."""

import contextlib
import json
import os
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from eval.atlas.compare import Difference
from eval.atlas.rows import Entry, read, studies, values_of, write
from eval.atlas.use import FRESH
from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.tasks.kinds import classes_of
from eval.tasks.provenance import commit, today
from eval.tasks.store import Values
from eval.tasks.task import Task
from sim.errors import RunError, UserError

EQUAL, DIFFERS = "equal", "differs"
OTHER_DESIGN, OLDER, LOST = "other Verilog", "older version", "not measured any more"
VERDICTS = (EQUAL, DIFFERS, OTHER_DESIGN, OLDER, LOST)


@dataclass(frozen=True)
class Audited:
    """A result that was measured again: the verdict, and what differs."""

    study: str
    entry: Entry
    verdict: str
    moved: list[Difference]
    seconds: float


def task_of(entry: Entry) -> Task:
    """Return the task of a result; RunError if no kind has such a request any more."""
    for kind in classes_of(entry.key.kind):
        try:
            task = msgspec.convert(_with_targets(entry.request), kind)
        except (msgspec.ValidationError, TypeError, UserError):
            continue
        if isinstance(task, Task) and task.asked == entry.key.asked:
            return task
    raise RunError(f"{entry.name}: is {LOST}")


def _with_targets(request: Values) -> Values:
    """Make the target of a request: a design point, or a processor."""
    target = request.get("point")
    if not isinstance(target, dict):
        return request
    made = Point(**target) if "design" in target else Processor(**target)
    return request | {"point": made}


def drawn(rows: int, seed: int, budget: float | None = None) -> list[tuple[str, Entry]]:
    """Draw results of the atlas at random, of those that took less than the budget in seconds."""
    found = [
        (study, entry)
        for study in studies()
        for entry in read(study)
        if budget is None or entry.made.get("seconds", 0.0) <= budget
    ]
    return random.Random(seed).sample(found, min(rows, len(found)))


def audit(chosen: Sequence[tuple[str, Entry]], budget: float | None = None) -> Iterator[Audited]:
    """Measure results again, without what is cached; end where the budget in seconds does."""
    started = time.monotonic()
    for study, entry in chosen:
        if budget is not None and time.monotonic() - started > budget:
            return
        since = time.monotonic()
        verdict, moved = _again(entry)
        yield Audited(study, entry, verdict, moved, time.monotonic() - since)


def _again(entry: Entry) -> tuple[str, list[Difference]]:
    if reason := state(entry):
        return reason, []
    with empty_build():
        moved = entry.moved(values_of(task_of(entry).compute(lambda step: None)))
    return (DIFFERS if moved else EQUAL), moved


@contextlib.contextmanager
def empty_build() -> Iterator[None]:
    """Let nothing be found that is cached or in the atlas."""
    names = ("MODEXPLORER_BUILD", FRESH)
    before = {name: os.environ[name] for name in names if name in os.environ}
    with tempfile.TemporaryDirectory(prefix="modexplorer-audit-") as folder:
        os.environ.update(zip(names, (folder, "1"), strict=True))
        try:
            yield
        finally:
            for name in names:
                del os.environ[name]
            os.environ.update(before)


def confirm(found: Sequence[Audited]) -> None:
    """Note in the atlas which results were confirmed."""
    for study in {one.study for one in found}:
        equal = {one.entry.key for one in found if one.study == study and one.verdict == EQUAL}
        entries = [
            entry.confirmed(commit(), today()) if entry.key in equal else entry
            for entry in read(study)
        ]
        write(study, entries)


def state(entry: Entry) -> str | None:
    """Say why a result is not of this checkout: an older version of a stage, other Verilog, or a
    command that measures it no more; None if it is."""
    try:
        key = task_of(entry).key
    except RunError:
        return LOST
    if json.loads(key.stages) != json.loads(entry.key.stages):
        return OLDER
    return None if key.verilog == entry.key.verilog else OTHER_DESIGN


def changes(before: Path, after: Path) -> Iterator[dict[str, str]]:
    """List what moved between two folders with atlases, and how it compares with noise."""
    from eval.report.changes import Bands, Change, kind_of

    bands = Bands()
    for study in sorted({*studies(before), *studies(after)}):
        old = {entry.key.asked: entry for entry in read(study, before)}
        new = {entry.key.asked: entry for entry in read(study, after)}
        for asked in sorted(old.keys() | new.keys()):
            entry = new.get(asked) or old[asked]
            name = f"{study}: {entry.name}"
            if asked not in old or asked not in new:
                yield {"name": name, "what": "added" if asked in new else "removed"}
                continue
            for one in old[asked].moved(new[asked].values):
                kind = kind_of(one.path.rpartition(".")[2])
                numbers = all(type(v) in (int, float) for v in (one.before, one.after))
                verdict = ""
                if numbers and kind:
                    change = Change("", one.path, one.before, one.after, bands.of(kind))
                    verdict = f", {change.verdict}"
                yield {"name": name, "what": f"{one}{verdict}"}
