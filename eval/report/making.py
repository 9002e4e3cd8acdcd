"""How the page and its rows were made: commit, machine, and how long each step took."""

import platform
from collections import defaultdict
from collections.abc import Iterator

from eval.study.results import StudyResult
from eval.table import Table, numbers, words
from eval.tasks.provenance import commit, machine
from eval.tasks.section import Section, tables


def _makers(found: StudyResult) -> Iterator[tuple[str, str, str]]:
    """Say which commits and machines made the page and its rows."""
    yield "the page", commit(), f"{machine()}, Python {platform.python_version()}"
    if made := [row.made for row in found.rows if row.made]:
        by_commit, on = (
            ", ".join(dict.fromkeys(getattr(each, name) for each in made))
            for name in ("commit", "machine")
        )
        yield f"{len(made)} rows", by_commit, on


def _unknown(found: StudyResult) -> str:
    unknown = sum(not row.made for row in found.rows)
    note = f"Of {unknown} of {len(found.rows)} rows it is not known: older ones do not say."
    return note * bool(unknown)


MAKERS = Table(
    "How this was made", words({"what": 0, "by commit": 1, "on": 2}), _unknown, rows=_makers
)


def _steps(found: StudyResult) -> list[tuple]:
    """List kind, step, rows and seconds of the steps of measurements, then the longest of them."""
    by_step: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for row in found.rows:
        for step, seconds in row.made.steps.items() if row.made else ():
            by_step[row.task.kind, step].append((seconds, str(row.task)))
    steps = [
        (*key, len(took), sum(s for s, _ in took), *max(took)) for key, took in by_step.items()
    ]
    return sorted((step for step in steps if step[3] >= 0.05), key=lambda step: -step[3])


STEPS = Table(
    "How long each step took",
    words({"kind": 0, "step": 1})
    + numbers(0, {"rows": 2})
    + numbers(1, {"all\ns": 3, "longest\ns": 4})
    + words({"of": 5}),
    "Of rows measured for a row of another kind it is said there.",
    rows=_steps,
)


TOOLS = Table(
    "Tools",
    words({"tool": 0, "version": 1}),
    rows=lambda found: found.tools.items(),
)
SECTION = Section(making=tables(MAKERS, STEPS, TOOLS))
