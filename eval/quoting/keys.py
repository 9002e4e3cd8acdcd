"""Whether kept figures are of today's code: a command's rows have the keys that today's code gives.

No row is measured for that: a command is run up to where it would measure its rows.
"""

import contextlib
import io
import json
import shlex
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from eval.quoting.computing import key_of
from eval.quoting.kept import Answers, RowKey
from eval.quoting.measuring import AFRESH, STUDIES, environment, prepare, shortened
from eval.tasks.answering import Asked, only_asked
from eval.tasks.provenance import CHANGED, commit
from eval.tasks.task import Task
from sim.paths import ROOT, build_dir

# Whose files decide rows. What shows them is elsewhere, in eval/report, eval/cli and the like.
PACKAGES = ("fl", "cl", "rtl", "sim", "proc", "flow")
TEXTS = ":!*.md"
DECIDING = (*PACKAGES, "eval/catalog", "eval/tasks", "eval/documents/*.py", "setup.py", TEXTS)
PRINTING = (*DECIDING, "eval", ":!eval/quoting", ":!eval/documents/*.toml")


def tasks_of(command: str) -> list[Task]:
    """Find the rows that a command would measure; none of one that keeps no rows, which must not be
    asked, as it would run."""
    from eval.cli import cli

    silent = io.StringIO()
    try:
        with only_asked(), contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
            cli.main([*shlex.split(command), "--json"], prog_name="modexplorer")
    except Asked as asked:
        return asked.tasks
    except SystemExit:
        pass
    return []


def digests_of(command: str) -> list[str]:
    """Find the digests of the keys that a command's rows have today, as they are kept."""
    named = [_row_key(task) for task in tasks_of(command)]
    return sorted(key.digest for key in shortened(sorted(named, key=lambda key: key.digest)))


def _row_key(task: Task) -> RowKey:
    key = task.key
    return RowKey(key.digest, key.kind, key.design, key.nbits, key.parameters, key.workload)


PRINTED = """
import json, sys
from eval.quoting.keys import digests_of
print(json.dumps(digests_of(sys.argv[1])))
"""


def digests_in_its_folder(command: str) -> list[str]:
    """Find the same of a command that names files, or a design of one's own: in a folder of its
    own, as it is measured."""
    with tempfile.TemporaryDirectory(dir=build_dir("scratch")) as folder:
        place = Path(folder)
        prepare(place, command)
        asked = [sys.executable, "-P", "-c", PRINTED, command]
        env = environment(place, command)
        done = subprocess.run(asked, cwd=place, env=env, capture_output=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def is_current(command: str, answers: Answers) -> bool:
    """Whether the rows of a command are those that today's code would measure."""
    kept = sorted(row.digest for row in answers.rows)
    today = [key.digest for key in key_of(command)] or digests_of(command)
    if in_its_folder := bool(kept) and not today:
        today = digests_in_its_folder(command)
    if today == kept:
        return True
    if command.startswith(STUDIES) and not in_its_folder:
        later = {row for row in answers.rows if row.digest not in today}
        return set(today) <= set(kept) and later <= _that_may_follow(command, later)
    if command.startswith(AFRESH):  # what it asks for depends on what it finds
        return changed_since(answers.commit) is False
    return _one_by_one(today, answers.rows)


def _that_may_follow(command: str, later: set[RowKey]) -> set[RowKey]:
    """Find the keys that today's code gives to rows of these kinds, of the designs of a study:
    which of them it measures depends on results."""
    from eval.catalog.point import Point
    from eval.study.plan import Plan
    from eval.study.studies import find_at_one_clock

    study = find_at_one_clock(parsed(command)["study"])
    plan = Plan(study.clock_ns, study.tech)
    asked_of = {(row.design, row.nbits) for row in later}
    points = dict.fromkeys(
        task.point
        for task in study.tasks
        if isinstance(point := getattr(task, "point", None), Point)
        and (point.design, point.nbits) in asked_of
    )
    kinds = sorted({row.kind for row in later})
    return {_row_key(task) for kind in kinds for task in plan.each(kind, points)}


def _one_by_one(today: list[str], rows: list[RowKey]) -> bool:
    """Whether the first of rows that a command asks for one after the other, of one kind and
    design, is among those that are kept: the same files decide the others."""
    if len(today) != 1 or len({(row.kind, row.design) for row in rows}) != 1:
        return False
    return len(rows) > 1 and today[0] in {row.digest for row in rows}


def of_this_code(command: str, answers: Answers) -> bool:
    """Whether nothing moved since a command was measured: by the keys of its rows, or, where it
    keeps none, by the files that print it as well."""
    if answers.rows and answers.commit != commit():
        return is_current(command, answers)
    return _has_not_moved_since(answers.commit)


def printed_by_this_code(answers: Answers) -> bool:
    """Whether nothing moved since figures were printed that shows them, or makes them of rows."""
    return _has_not_moved_since(answers.printed_at)


def _has_not_moved_since(at: str) -> bool:
    """Whether neither what decides rows nor what shows them changed since a commit."""
    return at == commit() or (CHANGED not in at and changed_since(at, PRINTING) is False)


def changed_since(commits: str, files: tuple[str, ...] = DECIDING) -> bool | None:
    """Whether files, as a rule those that decide rows, changed since any of some commits; None
    where no history tells."""
    found = [_changed_since(name.strip(), files) for name in commits.split(",")]
    return True if True in found else None if None in found else False


@cache
def _changed_since(commit: str, files: tuple[str, ...]) -> bool | None:
    asked = ["git", "diff", "--quiet", commit, "--", *files]
    try:
        done = subprocess.run(asked, cwd=ROOT, capture_output=True)
    except OSError:
        return None
    return {0: False, 1: True}.get(done.returncode)


def parsed(command: str) -> Any:
    """Parse a command as the command line does; UserError or click's error if it is none."""
    import click

    from eval.cli import cli

    words = shlex.split(command)
    with click.Context(cli, info_name="modexplorer") as context:
        name, found, rest = cli.resolve_command(context, words)
        assert found, words
        return found.make_context(name, list(rest), parent=context).params
