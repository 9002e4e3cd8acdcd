"""Tables as files of values, as they were measured: CSV, JSON, Parquet."""

import csv
import json
import re
from pathlib import Path
from typing import Any

from eval.table.grid import Grid
from eval.table.marks import unmarked


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


def write_json(grid: Grid, path: Path) -> None:
    """Write title and note, and an object for each row."""
    columns = columns_of(grid)
    rows = [dict(zip(columns, values, strict=True)) for values in values_of(grid)]
    shown = {"title": grid.title, "rows": rows, "note": grid.note}
    path.write_text(json.dumps(shown, indent=2) + "\n")


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
