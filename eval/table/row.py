"""Rows of a table of measurements: a task, its result, and what else a line needs."""

from collections.abc import Iterator, Mapping
from typing import Any


class Row:
    """A task with its result, None if it was not measured.

    A name of a row is what is given by that name, or else a field of the result or of the task, or
    else a metric of the result; None if that was not measured.
    """

    def __init__(self, task: Any, result: Any, **more: Any) -> None:
        self.task, self.result = task, result
        vars(self).update(more)

    def __getattr__(self, name: str) -> Any:
        for part in (self.result, self.task):
            if hasattr(part, name):
                return getattr(part, name)
        if self.result is None or hasattr(self.result, "metrics"):
            return self.metrics.get(name)
        raise AttributeError(f"{name!r} of {self.task}")

    @property
    def metrics(self) -> Mapping[str, float]:
        """The metrics of the result; none if there is none."""
        return self.result.metrics if self.result else {}


def rows_of(results: Mapping[Any, Any]) -> Iterator[Row]:
    """Make a row of each task that has a result."""
    return (Row(task, result) for task, result in results.items() if result is not None)
