"""Tables of a report as files: numbers as they were measured, or as the report shows them."""

import re
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path

from eval.report.page import FIELDS, PAGE
from eval.report.records import RECORDS, records
from eval.report.report import Report
from eval.table import Grid
from eval.table.text import write_latex, write_markdown
from eval.table.values import write_csv, write_json, write_parquet


def tables_of(report: Report) -> dict[str, Grid]:
    """Return all tables of a report, and its points as rows, by names that files can have."""
    grids = [
        item
        for place in PAGE
        if place in FIELDS
        for item in report[place]
        if isinstance(item, Grid)
    ]
    if rows := RECORDS.of(records([report.found])):
        grids.append(rows)
    found: dict[str, Grid] = {}
    for grid in grids:
        name = re.sub(r"[^a-z0-9]+", "-", grid.title.lower()).strip("-")[:60].rstrip("-")
        free = (name if i == 1 else f"{name}-{i}" for i in count(1))
        found[next(each for each in free if each not in found)] = grid
    return found


FORMATS: dict[str, tuple[str, Callable[[Grid, Path], None]]] = {
    "csv": (".csv", write_csv),
    "parquet": (".parquet", write_parquet),
    "latex": (".tex", write_latex),
    "markdown": (".md", write_markdown),
    "json": (".json", write_json),
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
