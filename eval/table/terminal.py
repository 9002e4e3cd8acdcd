"""Tables for terminals and pipes: as wide as these or as COLUMNS says, nothing cut off, no colour
when piped."""

import os
import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table as Drawn

from eval.table import Columns, Grid, Table

WIDTH = 100  # of a pipe, and of text
NARROWEST, WIDEST = 40, 200  # for which tables are made
BORDER = 3  # columns for a border and the space on either side of it
LONGEST = 20  # a longer word may be broken where a part of it ends
PART = re.compile(r"[^,(/]*[,(/]+|[^,(/]+")
WHOLE = 40  # what is longer and has no parts may be broken anywhere


def print_table(
    title: str,
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    left: Iterable[int] = (0,),
) -> None:
    """Print a table to stdout; numbers stand flush right, the columns in `left` hold words."""
    out, rows, words = console(), list(rows), set(left)
    columns = list(zip(headings, *rows, strict=True))
    out.print(title, style="bold")
    for part in fitting(columns, out.width):
        table = Drawn(box=box.ASCII2, show_header=any(headings))
        widths = column_widths([columns[number] for number in part], out.width)
        for number, width in zip(part, widths, strict=True):
            table.add_column(
                headings[number],
                justify="left" if number in words else "right",
                overflow="fold",
                width=width,
            )
        for row in rows:
            cells = zip((row[number] for number in part), widths, strict=True)
            table.add_row(*(broken(cell, width) for cell, width in cells))
        out.print(table)


def fitting(columns: Sequence[Sequence[str]], room: int) -> list[list[int]]:
    """Divide columns into tables that fit the room with lines broken between words, in each of them
    the first columns, by which rows are told apart, if these leave half of the room."""
    least = [least_width(column) + BORDER for column in columns]
    telling = range(telling_apart(columns))
    if sum(least[i] for i in telling) > room / 2:
        telling = range(1)
    parts = [[*telling]]
    for number in range(len(telling), len(columns)):
        full = sum(least[i] for i in parts[-1]) + least[number] + 1 > room
        if full and len(parts[-1]) > len(telling):
            parts.append([*telling])
        parts[-1].append(number)
    return parts


def telling_apart(columns: Sequence[Sequence[str]]) -> int:
    """Count the first columns by which all rows differ; 1 if none do."""
    rows = list(zip(*columns, strict=True))
    counts = range(1, len(columns) + 1)
    return next((n for n in counts if len({row[:n] for row in rows}) == len(rows)), 1)


def column_widths(columns: Sequence[Sequence[str]], room: int) -> list[int]:
    """Choose widths for the table to fit the room, the widest columns narrowed first."""
    widths = [longest(text.splitlines() for text in column) for column in columns]
    least = [least_width(column) for column in columns]
    while sum(widths) + BORDER * len(widths) + 1 > room:
        spare, wide, column = max((widths[i] - least[i], widths[i], i) for i in range(len(widths)))
        if spare <= 0:  # no word fits whole: the widest column is broken anywhere
            wide, column = max((wide, i) for i, wide in enumerate(widths))
        if wide == 1:
            break
        widths[column] -= 1
    return widths


def least_width(column: Sequence[str]) -> int:
    """The width of a column that is broken between words, and between parts of long ones."""
    return min(longest(parts(word) for text in column for word in text.split()), WHOLE)


def parts(word: str) -> list[str]:
    """Divide a long word, such as `mont(steps=8,units=1)`, where it may be broken."""
    return PART.findall(word) if len(word) > LONGEST else [word]


def broken(text: str, width: int) -> str:
    """Break the lines of a text that are too long, between words or parts of words."""
    lines: list[str] = []
    for line in text.splitlines():
        if len(line) <= width:
            lines.append(line)
            continue
        shown = ""
        for word in line.split():
            for number, part in enumerate(parts(word)):
                space = " " * bool(shown and not number)
                if shown and len(shown + space + part) > width:
                    lines.append(shown)
                    shown = part
                else:
                    shown += space + part
        lines.append(shown)
    return "\n".join(lines)


def longest(texts: Iterable[Sequence[str]]) -> int:
    """The length of the longest of all parts of texts."""
    return max((len(part) for parts in texts for part in parts), default=0)


def print_grid(grid: Grid) -> None:
    """Print a grid alone."""
    print_table(grid.title, grid.headings, [line.cells for line in grid.lines], grid.words)


def print_rows(title: str, columns: Columns, rows: Iterable[Any]) -> None:
    """Print a table of rows, if there are any."""
    if grid := Table(title, columns).of(rows):
        print_grid(grid)


def print_grids(grids: Iterable[Grid], seen: set[str] | None = None) -> None:
    """Print grids with their notes and the commands that reproduce them.

    A command is printed once; those in `seen` were printed before, and the new ones join them.
    """
    seen = set() if seen is None else seen
    for grid in grids:
        print_grid(grid)
        if grid.note:
            click.echo(textwrap.fill(grid.note, text_width()))
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
        click.echo(textwrap.fill(item, text_width(), initial_indent="- ", subsequent_indent="  "))
    click.echo()


def text_width() -> int:
    """The width of text: no wider than is read with ease."""
    return min(WIDTH, console().width)


def console() -> Console:
    """A console on stdout, as wide as a terminal or COLUMNS is, within limits."""
    out = Console(file=sys.stdout, highlight=False, markup=False)
    known = out.is_terminal or os.environ.get("COLUMNS", "").isdecimal()
    out.width = min(max(NARROWEST, out.width), WIDEST) if known else WIDTH
    return out
