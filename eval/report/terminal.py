"""Tables for terminals and pipes: at most 100 columns, nothing cut off, no colour when piped."""

import sys
import textwrap
from collections.abc import Iterable, Sequence

import click
from rich import box
from rich.console import Console
from rich.table import Table

from eval.tasks.grid import Grid

WIDTH = 100
BORDER = 3  # columns for a border and the space on either side of it
LONGEST = 20  # what is longer may be broken anywhere


def print_table(
    title: str,
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    left: Iterable[int] = (0,),
) -> None:
    """Print a table to stdout; numbers stand flush right, the columns in `left` hold words."""
    table = Table(box=box.ASCII2, show_header=any(headings))
    out, rows, words = console(), list(rows), set(left)
    widths = column_widths(list(zip(headings, *rows, strict=True)), out.width)
    for number, heading in enumerate(headings):
        justify = "left" if number in words else "right"
        table.add_column(heading, justify=justify, overflow="fold", width=widths[number])
    for row in rows:
        table.add_row(*row)
    out.print(title, style="bold")
    out.print(table)


def column_widths(columns: Sequence[Sequence[str]], room: int) -> list[int] | list[None]:
    """Widths for the table to fit the room, lines broken between words; None if that can't be."""
    widths = [longest(text.splitlines() for text in column) for column in columns]
    least = [min(longest(text.split() for text in column), LONGEST) for column in columns]
    while sum(widths) + BORDER * len(widths) + 1 > room:
        spare, column = max((widths[i] - least[i], i) for i in range(len(widths)))
        if spare <= 0:
            return [None] * len(widths)
        widths[column] -= 1
    return widths


def longest(texts: Iterable[Sequence[str]]) -> int:
    """The length of the longest of all parts of texts."""
    return max((len(part) for parts in texts for part in parts), default=0)


def print_grids(grids: Iterable[Grid], seen: set[str] | None = None) -> None:
    """Print grids with their notes and the commands that reproduce them.

    A command is printed once; those in `seen` were printed before, and the new ones join them.
    """
    seen = set() if seen is None else seen
    for grid in grids:
        print_table(grid.title, grid.headings, [line.cells for line in grid.lines], grid.words)
        if grid.note:
            click.echo(textwrap.fill(grid.note, WIDTH))
        commands = [c for line in grid.lines for c in line.commands]
        fresh = [c for c in dict.fromkeys(commands) if c not in seen]
        seen.update(fresh)
        if fresh:
            click.echo("Reproduce with:")
        for command in fresh:
            click.echo(f"  {command}")
        click.echo()


def print_list(title: str, items: Sequence[str]) -> None:
    """Print a title and wrapped items, if there are any."""
    if not items:
        return
    console().print(title, style="bold")
    for item in items:
        click.echo(textwrap.fill(item, WIDTH, initial_indent="- ", subsequent_indent="  "))
    click.echo()


def console() -> Console:
    """A console on stdout, as wide as a terminal is, and never above 100 columns."""
    out = Console(file=sys.stdout, highlight=False, markup=False)
    out.width = min(WIDTH, out.width) if out.is_terminal else WIDTH
    return out
