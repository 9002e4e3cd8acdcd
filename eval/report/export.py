"""Tables of a report as files: numbers as they were measured, or as the report shows them."""

import csv
import re
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Any

from eval.report.page import FIELDS, PAGE
from eval.report.records import records, records_grid
from eval.report.report import Report
from eval.table.marks import unmarked
from eval.tasks.grid import Grid

_LATEX = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def tables_of(report: Report) -> dict[str, Grid]:
    """Return all tables of a report, and its points as rows, by names that files can have."""
    grids = [
        item
        for place in PAGE
        if place in FIELDS
        for item in report[place]
        if isinstance(item, Grid)
    ]
    if rows := records_grid(records([report.found])):
        grids.append(rows)
    found: dict[str, Grid] = {}
    for grid in grids:
        name = re.sub(r"[^a-z0-9]+", "-", grid.title.lower()).strip("-")[:60].rstrip("-")
        free = (name if i == 1 else f"{name}-{i}" for i in count(1))
        found[next(each for each in free if each not in found)] = grid
    return found


def columns_of(grid: Grid) -> list[str]:
    """Name the columns in one line each; those of one name get a number."""
    names: list[str] = []
    for heading in grid.headings:
        name = " ".join(heading.replace("-\n", "").split()) or "name"
        seen = sum(re.sub(r" \(\d+\)$", "", each) == name for each in names)
        names.append(f"{name} ({seen + 1})" if seen else name)
    return names


def values_of(grid: Grid) -> list[list[Any]]:
    """List the values of the rows, without marks; None for what was not measured."""
    return [
        [
            None if value == "-" else unmarked(value) if isinstance(value, str) else value
            for value in line.values or line.cells
        ]
        for line in grid.lines
    ]


def write_csv(grid: Grid, path: Path) -> None:
    """Write the values, commas between them."""
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns_of(grid), *values_of(grid)])


def frame_of(grid: Grid) -> Any:
    """Make a pandas frame of the values."""
    import pandas

    return pandas.DataFrame(values_of(grid), columns=columns_of(grid))


def write_parquet(grid: Grid, path: Path) -> None:
    """Write the values with their types; a column that has words and numbers is one of words."""
    frame = frame_of(grid)
    for name, kind in frame.dtypes.items():
        if kind == "object":
            frame[name] = frame[name].map(str, na_action="ignore")
    frame.to_parquet(path, index=False)


def write_markdown(grid: Grid, path: Path) -> None:
    """Write the table as the report shows it, with its title and its note."""
    sides = [":--" if i in grid.words else "--:" for i in range(len(grid.headings))]
    rows = [columns_of(grid), sides, *(line.cells for line in grid.lines)]
    lines = ["| " + " | ".join(_plain(c).replace("|", r"\|") for c in row) + " |" for row in rows]
    parts = [f"## {grid.title}", "\n".join(lines), *([grid.note] if grid.note else [])]
    path.write_text("\n\n".join(parts) + "\n")


def write_latex(grid: Grid, path: Path) -> None:
    """Write the table as the report shows it, for \\input, by booktabs, its note as the caption."""
    sides = "".join("l" if i in grid.words else "r" for i in range(len(grid.headings)))
    head, *rows = (
        " & ".join(_latex(_plain(cell)) for cell in row) + r" \\"
        for row in (columns_of(grid), *(line.cells for line in grid.lines))
    )
    caption = _latex(" ".join(filter(None, (f"{grid.title}.", grid.note))))
    lines = [
        *(r"\begin{table}", r"\centering", rf"\caption{{{caption}}}"),
        *(rf"\begin{{tabular}}{{{sides}}}", r"\toprule", head, r"\midrule", *rows),
        *(r"\bottomrule", r"\end{tabular}", r"\end{table}"),
    ]
    path.write_text("\n".join(lines) + "\n")


FORMATS: dict[str, tuple[str, Callable[[Grid, Path], None]]] = {
    "csv": (".csv", write_csv),
    "parquet": (".parquet", write_parquet),
    "latex": (".tex", write_latex),
    "markdown": (".md", write_markdown),
}


def write_tables(tables: dict[str, Grid], folder: Path, formats: Iterable[str]) -> list[Path]:
    """Write all tables in all formats, and return the files."""
    written = []
    for kind in formats:
        suffix, write = FORMATS[kind]
        for name, grid in tables.items():
            write(grid, path := folder / f"{name}{suffix}")
            written.append(path)
    return written


def _plain(text: str) -> str:
    """Put a cell into one line."""
    return " ".join(text.split())


def _latex(text: str) -> str:
    return "".join(_LATEX.get(c, c) for c in text)
