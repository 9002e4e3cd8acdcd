"""Updates of the atlas: a study is run, and what it measured is stored."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from eval.atlas.rows import Entry, compared, read, write
from eval.atlas.use import FRESH
from eval.study.studies import STUDIES
from eval.tasks.answering import LOG
from eval.tasks.kinds import result_class
from eval.tasks.provenance import today
from eval.tasks.store import Key, Store
from sim.errors import RunError, UserError


def update(study: str, budget: float | None = None) -> tuple[int, int]:
    """Run a study, cached results included, and store its results; how many are new, and all.

    Where the budget in seconds ends first, what is finished is stored.
    """
    if study not in STUDIES:
        raise UserError(f"STUDY: {study!r} is none; choose from {', '.join(STUDIES)}")
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch, "rows")
        program = str(Path(sys.executable).parent / "modexplorer")
        words = [program, "report", study, "--out", f"{scratch}/page.html"]
        process = subprocess.Popen(
            words, env=os.environ | {LOG: str(log), FRESH: "1"}, stdout=subprocess.DEVNULL
        )
        try:
            code = process.wait(budget)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            process.wait()
            code = 0
        except BaseException:
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
        if code not in (0, 3):
            raise RunError(f"study {study} failed; `modexplorer report {study}` says why")
        found = {entry.key: entry for entry in logged(log)}
    if not found:
        raise RunError(f"study {study}: no result was finished")
    before = {entry.key: entry for entry in read(study)}
    added = [entry for key, entry in found.items() if key not in before]
    asked = {entry.key.asked for entry in added}
    older = [entry for entry in before.values() if entry.key.asked not in asked]
    write(study, [*older, *added])
    return len(added), len(older) + len(added)


def logged(log: Path) -> Iterator[Entry]:
    """Go through the results that a run logged, as entries of the atlas."""
    lines = log.read_text().splitlines() if log.exists() else []
    with Store() as store:
        for line in {json.dumps(json.loads(one)["key"]): one for one in lines}.values():
            told = json.loads(line)
            key = Key(**told["key"])
            values = store.get(key)
            if values is not None:
                found = compared(result_class(key.kind), values)
                request, command = told["request"], told["command"]
                yield Entry(key.identity, request, command, found, _made(told["made"]))


def _made(made: dict[str, Any] | None) -> dict[str, Any]:
    made = made or {}
    found = {name: made[name] for name in ("commit", "seconds") if name in made}
    return found | {"date": made.get("date") or today()}
