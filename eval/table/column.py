"""Columns of a table: a heading, how cells are written, and how a cell is got from a row."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Get = Callable[[Any], Any] | str | int


class Column(NamedTuple):
    """A heading, the digits after the point of the numbers below it, None for words, and how a cell
    is got: by a function of the row, by a path from it, or by its place in it."""

    heading: str
    digits: int | None
    get: Get = ""

    def value(self, row: Any) -> Any:
        """Get the cell's value from a row; what is no number is a word."""
        value = got(self.get, row)
        return value if self.digits is not None or value is None else str(value)

    def show(self, value: Any) -> str:
        """Write a cell: a dash for None, and text as it is."""
        if value is None:
            return "-"
        return value if isinstance(value, str) else f"{value:.{self.digits}f}"


Columns = tuple[Column, ...]


def words(columns: Mapping[str, Get]) -> Columns:
    """Make columns of words, each with its heading and how a cell is got."""
    return tuple(Column(heading, None, get) for heading, get in columns.items())


def numbers(digits: int, columns: Mapping[str, Get]) -> Columns:
    """Make columns of numbers with so many digits after the point."""
    return tuple(Column(heading, digits, get) for heading, get in columns.items())


def got(get: Get, row: Any) -> Any:
    """Get something from a row. A path such as `result.metrics.cells` goes through attributes and
    keys; it ends with None where there is None or no such key."""
    if callable(get):
        return get(row)
    if isinstance(get, int):
        return row[get]
    for name in get.split("."):
        if row is None:
            break
        row = row.get(name) if isinstance(row, Mapping) else getattr(row, name)
    return row


def ratio(above: Get, below: Get, times: float = 1) -> Callable[[Any], float | None]:
    """Divide what is got of a row, and multiply by a factor; None where either is not known."""

    def of(row: Any) -> float | None:
        a, b = got(above, row), got(below, row)
        return None if a is None or b is None else a and times * a / b

    return of


def percent(get: Get) -> Callable[[Any], float | None]:
    """Show a part as percents."""

    def of(row: Any) -> float | None:
        part = got(get, row)
        return None if part is None else 100 * part

    return of
