"""Canaries: small measurements of every stage and family, with stored values.

A result that ships is used only where the canaries of its stages gave their stored values with the
code of this checkout. What passed is noted in the build folder, by the digests of the stages.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec

from eval.atlas.compare import Difference
from eval.atlas.rows import CANARIES, Entry, read, values_of, write
from eval.tasks.provenance import commit, today
from eval.tasks.store import Key, as_text
from eval.tasks.task import Task, measure
from sim.paths import build_dir
from sim.stages import APART, ENTRIES, FILE, HARDWARE, stages

# Stages on which no result of the atlas rests: checks of designs, published vectors.
WITHOUT = {APART, HARDWARE, ENTRIES, "check", "conform"}


@cache
def canaries() -> Mapping[str, Task]:
    """Return the canaries by their names."""
    from eval.atlas.small import tasks

    found = {str(task): task for task in tasks()}
    return dict(sorted(found.items()))


def request_of(task: Task) -> Any:
    """Return the fields of a task, as JSON has them."""
    return json.loads(json.dumps(msgspec.to_builtins(task)))


def entry_of(task: Task) -> Entry:
    """Measure a task, and make an entry of the atlas of it."""
    row = measure(task)
    made: dict[str, Any] = {"commit": commit(), "date": today()}
    if row.made:
        made |= {"commit": row.made.commit, "seconds": row.made.seconds}
    return Entry(task.key.identity, request_of(task), task.command, values_of(row.result), made)


@cache
def stored() -> Mapping[str, Entry]:
    """Return the stored values of canaries by what was asked for."""
    return {entry.key.asked: entry for entry in read(CANARIES)}


class Moved(Exception):
    """Reports a canary whose values are not the stored ones."""


def check(name: str) -> None:
    """Measure a canary, and note that it passed; Moved says what moved, of which stages."""
    task = canaries()[name]
    entry = stored().get(task.asked)
    if entry is None:
        raise Moved(f"{name}: has no stored values; `modexplorer dev canary --record` stores them")
    moved = entry.moved(values_of(measure(task).result))
    if task.key.verilog != entry.key.verilog:
        moved.append(Difference("Verilog", entry.key.verilog[:12], task.key.verilog[:12]))
    if task.key.tools != entry.key.tools:
        moved.append(Difference("tools", entry.key.tools, task.key.tools))
    if moved:
        raise Moved(report(name, task, moved))
    note(name, task)


def report(name: str, task: Task, moved: list[Difference]) -> str:
    """Say which stages may be the reason, what moved, by how much, and what to do."""
    lines = [f"{name}: {len(moved)} values moved; it rests on {', '.join(task.all_stages())}"]
    lines += [f"  {one}" for one in moved[:12]]
    if len(moved) > 12:
        lines.append(f"  ... and {len(moved) - 12} more")
    lines.append(
        "If the change is meant: `modexplorer dev canary --record STAGE ...` stores the new values "
        "and raises the versions of the stages that you name; older results are then not ranked."
    )
    return "\n".join(lines)


def digests(task: Task) -> dict[str, str]:
    """Return the digests of the stages of a task."""
    return {name: stages().own_digest(name) for name in task.all_stages()}


def note(name: str, task: Task) -> None:
    """Note that a canary passed with the code of its stages."""
    folder = build_dir("canaries")
    file = folder / f"{_file_name(name)}.json"
    part = file.with_suffix(".part")
    part.write_text(json.dumps({"name": name, "stages": digests(task)}))
    part.replace(file)


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name)


def passed(name: str) -> bool:
    """Whether a canary passed with the code of this checkout, here or where it was released."""
    wanted = digests(canaries()[name])
    try:
        noted = json.loads((build_dir("canaries") / f"{_file_name(name)}.json").read_text())
    except (OSError, ValueError):
        return False
    return bool(noted["stages"] == wanted)


@cache
def confirmed(used: frozenset[str]) -> bool:
    """Whether results of these stages may be used: all canaries of no other stages passed."""
    its_own = (name for name, one in canaries().items() if used.issuperset(one.all_stages()))
    return all(map(passed, its_own))


def uncovered() -> set[str]:
    """Find the stages that no canary rests on."""
    covered = {stage for task in canaries().values() for stage in task.all_stages()}
    return set(stages().named) - covered - WITHOUT


def record(raised: Iterable[str], say: Callable[[str, int], None]) -> list[str]:
    """Measure all canaries, store their values, raise the versions of stages; what moved."""
    lines = []
    text = FILE.read_text()
    for stage in raised:
        old = stages().named[stage].version
        head = f"[{stage}]\nversion = {old}\n"
        assert head in text, stage
        text = text.replace(head, f"[{stage}]\nversion = {old + 1}\n")
        lines.append(f"{stage}: version {old} -> {old + 1}")
    entries = []
    for done, (name, task) in enumerate(canaries().items()):
        say(name, done)
        before, entry = stored().get(task.asked), entry_of(task)
        moved = before.moved(entry.values) if before else []
        if before and not moved and before.key.verilog == entry.key.verilog:
            entry = replace(entry, values=before.values, made=before.made)
        lines += [f"{name}: {one}" for one in moved]
        entries.append(entry)
    FILE.write_text(text)
    stages.cache_clear()
    entries = [replace(one, key=_renewed(one)) for one in entries]
    write(CANARIES, entries)
    stored.cache_clear()
    return lines


def _renewed(entry: Entry) -> Key:
    """Return the key of an entry with the present versions of its stages."""
    used = json.loads(entry.key.stages)
    return replace(entry.key, stages=as_text(stages().versions(used)))
