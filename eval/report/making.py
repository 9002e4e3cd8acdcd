"""How the page and its rows were made: commit, machine, and how long each step took."""

import platform
from collections import defaultdict

from eval.study.results import StudyResult
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.made import commit, machine


def made_grid(found: StudyResult) -> Grid | None:
    """Show which commits and machines made the page and its rows."""
    made = [row.made for row in found.rows if row.made]
    by_commit = ", ".join(dict.fromkeys(row.commit for row in made))
    by_machine = ", ".join(dict.fromkeys(row.machine for row in made))
    unknown = len(found.rows) - len(made)
    note = f"Of {unknown} of {len(found.rows)} rows it is not known: older ones do not say."
    return grid(
        "How this was made",
        words("what", "by commit", "on"),
        [
            line("the page", commit(), f"{machine()}, Python {platform.python_version()}"),
            *[line(f"{len(made)} rows", by_commit, by_machine)] * bool(made),
        ],
        note * bool(unknown),
    )


def steps_grid(found: StudyResult) -> Grid | None:
    """Show how long each step of the measurements took; None where nothing is known."""
    by_step: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for row in found.rows:
        for step, seconds in row.made.steps.items() if row.made else ():
            by_step[row.task.kind, step].append((seconds, str(row.task)))
    in_all = {key: sum(seconds for seconds, _ in took) for key, took in by_step.items()}
    return grid(
        "How long each step took",
        words("kind", "step")
        + numbers(0, "rows")
        + numbers(1, "all\ns", "longest\ns")
        + words("of"),
        (
            line(*key, len(by_step[key]), in_all[key], *max(by_step[key]))
            for key in sorted(by_step, key=lambda key: -in_all[key])
            if in_all[key] >= 0.05
        ),
        "Of rows measured for a row of another kind it is said there.",
    )
