"""Rows of a table of measurements: a task, its result, and what else a line needs."""

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any


class Row(SimpleNamespace):
    """A task with its result, None if it was not measured, and whatever else is given by name."""

    def __init__(self, task: Any, result: Any, **more: Any) -> None:
        super().__init__(task=task, result=result, **more)

    @property
    def point(self) -> Any:
        """What the task measures."""
        return self.task.point

    @property
    def metrics(self) -> Mapping[str, float]:
        """The metrics of the result; none if there is none."""
        return self.result.metrics if self.result else {}

    @property
    def commands(self) -> tuple[str, ...]:
        """The command that reproduces the result."""
        return (self.task.command,)


def rows_of(results: Mapping[Any, Any]) -> Iterator[Row]:
    """Make a row of each task that has a result."""
    return (Row(task, result) for task, result in results.items() if result is not None)
