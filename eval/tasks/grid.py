"""Tables as data: the page and the terminal show the same grids."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from eval.tasks.marks import meanings


@dataclass(frozen=True)
class Line:
    """A row of a grid, the commands that reproduce its numbers, the card of the page that its first
    cell leads to, where the logs are, and the values that the cells show."""

    cells: tuple[Any, ...]
    commands: tuple[str, ...] = ()
    card: str = ""
    logs: str = ""
    values: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Grid:
    """A table: `words` are the columns that hold words, the others hold numbers."""

    title: str
    headings: tuple[str, ...]
    lines: tuple[Line, ...]
    words: tuple[int, ...] = (0,)
    note: str = ""

    @property
    def has_commands(self) -> bool:
        """Whether any line says how to reproduce it."""
        return any(line.commands for line in self.lines)


class Column(NamedTuple):
    """A heading and the digits after the point of the numbers below it; None for words."""

    heading: str
    digits: int | None

    def show(self, value: Any) -> str:
        """Write a cell: a dash for None, and text as it is."""
        if value is None:
            return "-"
        return value if isinstance(value, str) else f"{value:.{self.digits}f}"


def line(*cells: Any, commands: tuple[str, ...] = (), card: str = "", logs: str = "") -> Line:
    """Make a line of cells."""
    return Line(cells, commands, card, logs)


def words(*headings: str) -> list[Column]:
    """Make columns of words."""
    return [Column(heading, None) for heading in headings]


def numbers(digits: int, *headings: str) -> list[Column]:
    """Make columns of numbers with so many digits after the point."""
    return [Column(heading, digits) for heading in headings]


def grid(
    title: str, columns: Sequence[Column], lines: Iterable[Line], note: str = ""
) -> Grid | None:
    """Make a grid of lines whose cells are values, its marks explained; None without any line."""
    shown = tuple(
        replace(
            line,
            cells=tuple(c.show(v) for c, v in zip(columns, line.cells, strict=True)),
            values=line.cells,
        )
        for line in lines
    )
    where = tuple(i for i, column in enumerate(columns) if column.digits is None)
    explained = meanings(cell for line in shown for cell in line.cells)
    note = " ".join(part for part in (note, explained) if part)
    return Grid(title, tuple(c.heading for c in columns), shown, where, note) if shown else None
