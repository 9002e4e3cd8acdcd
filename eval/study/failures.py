"""Rows that failed, beside those that did not."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from eval.tasks.task import Row, Task
from sim.errors import RunError

if TYPE_CHECKING:
    from eval.study.results import StudyResult


class RowsFailed(RunError):
    """Tells which rows failed and why, and has the others.

    founds: what these say of each study that was run, the failures among it.
    """

    founds: Sequence["StudyResult"] = ()

    def __init__(self, failures: Mapping[Task, str], rows: Sequence[Row]) -> None:
        count = len(failures) + len(rows)
        told = [f"{task}: {reason}" for task, reason in failures.items()]
        super().__init__(
            f"{len(failures)} of {count} rows failed, the others are kept\n" + "\n".join(told)
        )
        self.failures, self.rows = failures, rows
