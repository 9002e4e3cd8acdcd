"""A grid: a table whose cells are filled, which every writer writes."""

from dataclasses import dataclass
from typing import Any


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
