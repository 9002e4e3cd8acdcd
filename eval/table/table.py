"""Tables as declared: a title, columns that say how their cells are got from a row, and a note; and
rows of measurements."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eval.table.column import Columns, Get, got
from eval.table.grid import Grid, Line
from eval.table.marks import meanings

Text = str | Callable[[Any], str]


class Row:
    """A task with its result, None if it was not measured.

    A name of a row is what is given by that name, or else a field of the result or of the task, or
    else a metric of the result; None if that was not measured.
    """

    def __init__(self, task: Any, result: Any, /, **more: Any) -> None:
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


def rows_of(source: Any) -> Iterable[Any]:
    """Make a row of each task that has a result; what is no mapping of tasks is rows already."""
    if not isinstance(source, Mapping):
        return source
    return (Row(task, result) for task, result in source.items() if result is not None)


@dataclass(frozen=True)
class Table:
    """Makes a grid of rows, a line of each: tasks with their results, or any objects.

    `rows` chooses or makes the rows of what the table is asked for, of which title and note may be
    functions, too. `commands`, `card` and `logs` are got as cells are; a row may have them itself.
    """

    title: Text
    columns: Columns
    note: Text = ""
    rows: Callable[[Any], Iterable[Any]] = rows_of
    commands: Get = lambda row: getattr(row, "commands", None) or getattr(row, "command", None)
    card: Get = lambda row: getattr(row, "card", None)
    logs: Get = lambda row: getattr(row, "logs", None)

    def of(self, source: Any) -> Grid | None:
        """Make the grid, with the marks in its cells explained; None without any row."""
        lines = tuple(map(self._line, self.rows(source)))
        if not lines:
            return None
        title, note = (s(source) if callable(s) else s for s in (self.title, self.note))
        explained = meanings(cell for line in lines for cell in line.cells)
        return Grid(
            title,
            tuple(column.heading for column in self.columns),
            lines,
            tuple(i for i, column in enumerate(self.columns) if column.digits is None),
            " ".join(part for part in (note, explained) if part),
        )

    def _line(self, row: Any) -> Line:
        values = tuple(column.value(row) for column in self.columns)
        cells = tuple(c.show(value) for c, value in zip(self.columns, values, strict=True))
        commands = got(self.commands, row) or ()
        commands = (commands,) if isinstance(commands, str) else tuple(commands)
        return Line(cells, commands, got(self.card, row) or "", got(self.logs, row) or "", values)
