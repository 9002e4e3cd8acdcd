"""Tables by position, for what does not declare its columns with their cells yet."""

from collections.abc import Iterable, Sequence
from typing import Any

from eval.table import Column, Grid, Line, Table

__all__ = ["Column", "Grid", "Line", "grid", "line", "numbers", "words"]


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
    placed = tuple(
        each._replace(get=lambda row, i=i: row.cells[i]) for i, each in enumerate(columns)
    )
    return Table(title, placed, note).of(tuple(lines))
