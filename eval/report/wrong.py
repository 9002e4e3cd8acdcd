"""Rows that failed, such as those of a design whose answer is wrong: what was asked shows it."""

from eval.study.results import StudyResult
from eval.table import Grid, Table, numbers, words
from eval.tasks.section import Section

WRONG = Table(
    "Rows that failed",
    words({"design": lambda row: row[0].subject()[0]})
    + numbers(0, {"bits": lambda row: row[0].about.nbits if row[0].about else None})
    + words({"row": lambda row: str(row[0]), "what was wrong": lambda row: row[1]}),
    "No figure of theirs stands in the other tables.",
)


def wrong(found: StudyResult) -> list[Grid | None]:
    """List the rows that failed, if there are any."""
    return [WRONG.of([*found.failures.items()])]


SECTION = Section(fronts=wrong)
