"""One declaration, six outputs: each has every column and every cell, in the same order."""

import csv
import html as escapes
import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import eval.table.terminal
from eval.table import Column, Grid, Row, Table, numbers, percent, ratio, words
from eval.table.html import html
from eval.table.marks import MEANINGS, meanings, unmarked
from eval.table.text import write_latex, write_markdown
from eval.table.values import columns_of, write_csv, write_json

pytestmark = pytest.mark.quick
NAMES = st.text("abcdefgh", min_size=1, max_size=8)
NUMBERS = st.none() | st.integers(0, 9999) | st.floats(0, 9999)


@st.composite
def declared(draw: st.DrawFn) -> tuple[Table, list[dict]]:
    """A table of words and numbers with rows; a word may have marks, a number be missing."""
    digits = draw(st.lists(st.none() | st.integers(0, 3), min_size=1, max_size=5))
    headings = draw(st.lists(NAMES, min_size=len(digits), max_size=len(digits), unique=True))
    columns = tuple(map(Column, headings, digits, headings))
    marked = st.builds(str.__add__, NAMES, st.sampled_from(("", "#", "!", "#!")))
    row = st.fixed_dictionaries(
        {c.heading: (marked if c.digits is None else NUMBERS) for c in columns}
    )
    return Table(draw(NAMES), columns, "A note."), draw(st.lists(row, min_size=1, max_size=4))


def of_terminal(grid: Grid, path: Path) -> list[list[str]]:
    """The headings and cells that a wide terminal shows."""
    out = Console(width=200, highlight=False, markup=False)
    with pytest.MonkeyPatch.context() as patch, out.capture() as capture:
        patch.setattr(eval.table.terminal, "console", lambda: out)
        shown = [line.cells for line in grid.lines]
        eval.table.terminal.print_table(grid.title, grid.headings, shown, grid.words)
    rows = [row for row in capture.get().splitlines() if row.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def of_html(grid: Grid, path: Path) -> list[list[str]]:
    """Those of a page."""
    rows = re.findall(r"<tr>(.*?)</tr>", html(grid), re.DOTALL)
    cells = (re.findall(r"<t[hd][^>]*>\s*(.*?)</t[hd]>", row, re.DOTALL) for row in rows)
    return [[escapes.unescape(cell) for cell in row] for row in cells]


def of_markdown(grid: Grid, path: Path) -> list[list[str]]:
    """Those of Markdown."""
    write_markdown(grid, path)
    head, _, *rows = re.findall(r"^\| (.*) \|$", path.read_text(), re.MULTILINE)
    return [row.split(" | ") for row in (head, *rows)]


def of_latex(grid: Grid, path: Path) -> list[list[str]]:
    """Those of LaTeX."""
    write_latex(grid, path)
    rows = re.findall(r"^(.*) \\\\$", path.read_text(), re.MULTILINE)
    return [row.replace(r"\#", "#").split(" & ") for row in rows]


@given(declared())
@pytest.mark.seconds
def test_columns_and_cells_agree_in_all_outputs(table_and_rows: tuple[Table, list[dict]]) -> None:
    table, rows = table_and_rows
    grid = table.of(rows)
    heads = [column.heading for column in table.columns]
    values = [[row[heading] for heading in heads] for row in rows]
    plain = [[re.sub("[#!]", "", v) if isinstance(v, str) else v for v in row] for row in values]
    shown = [
        [
            "-" if v is None else v if isinstance(v, str) else f"{v:.{c.digits}f}"
            for c, v in zip(table.columns, row, strict=True)
        ]
        for row in values
    ]
    assert [list(line.cells) for line in grid.lines] == shown
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table"
        for read in (of_terminal, of_html, of_markdown, of_latex):
            assert read(grid, path) == [heads, *shown], read.__name__
        write_csv(grid, path)
        with path.open() as file:
            texts = [["" if v is None else str(v) for v in row] for row in plain]
            assert list(csv.reader(file)) == [heads, *texts]
        write_json(grid, path)
        whole = json.loads(path.read_text())
    assert [list(row.items()) for row in whole["rows"]] == [
        list(zip(heads, row, strict=True)) for row in plain
    ]
    cells = " ".join(cell for line in shown for cell in line)
    for mark, meaning in MEANINGS.items():
        assert (meaning in grid.note) == (mark in cells)
    assert grid.note.startswith("A note.")
    assert whole["title"] == table.title


def test_no_rows_make_no_grid():
    assert Table("none", words({"a": "a"})).of([]) is None


class Task:
    """A task as tables take it."""

    command = "modexplorer simulate"
    point = "mul-rem-8"
    traces = 5


class Result:
    """A result with metrics."""

    traces = 7
    metrics = {"area_um2": 2.5}
    none = None


def test_a_cell_is_got_by_path_or_by_function():
    table = Table(
        lambda results: f"{len(results)} tasks",
        words({"point": "point", "own": lambda row: row.task.point[:3]})
        + numbers(0, {"traces": "traces", "of the task": "task.traces", "missing": "energy_nj"})
        + numbers(1, {"area": "area_um2", "half": ratio("area_um2", lambda row: 2)})
        + numbers(1, {"of none": "none.value", "share": percent("area_um2")}),
        lambda results: "Two." if len(results) == 2 else "One.",
    )
    grid = table.of({Task(): Result(), Task: None})
    assert (grid.title, grid.note) == ("2 tasks", "Two.")
    [line] = grid.lines  # one was not measured
    assert line.cells == ("mul-rem-8", "mul", "7", "5", "-", "2.5", "1.2", "-", "250.0")
    assert line.commands == (Task.command,)
    assert (line.card, line.logs) == ("", "")


def test_what_a_line_has_besides_its_cells():
    row = Row(Task(), Result(), card="there", more=("a", "b"))
    columns = words({"point": "point"})
    [line] = Table("t", columns, commands="more", logs=lambda row: "here").of([row]).lines
    assert (line.commands, line.card, line.logs) == (("a", "b"), "there", "here")
    [line] = Table("t", columns).of([{"point": "by itself"}]).lines
    assert (line.cells, line.commands, line.card, line.logs) == (("by itself",), (), "", "")


def test_a_name_that_nothing_has_is_refused():
    with pytest.raises(AttributeError, match="'absent'"):
        Table("t", words({"a": "absent"})).of([Row(Task(), object())])


@pytest.mark.parametrize(
    ("cell", "plain", "marks"),
    [
        ("mul-rem!", "mul-rem", "!"),
        ("mul-rem-8!, gated clocks", "mul-rem-8, gated clocks", "!"),
        ("near-power-4#^, ssmm?", "near-power-4, ssmm", "#^?"),
        ("mont(steps=2)@ *", "mont(steps=2) *", "@"),
        ("what? if", "what if", "?"),
        ("# of rows, 2 ^ 3, a!b", "# of rows, 2 ^ 3, a!b", ""),
    ],
)
def test_marks_stand_at_the_end_of_a_name(cell: str, plain: str, marks: str) -> None:
    assert unmarked(cell) == plain
    assert meanings([None, 3.0, cell]) == " ".join(MEANINGS[m] for m in MEANINGS if m in marks)


def test_columns_of_one_heading_get_numbers() -> None:
    """Broken lines and hyphens at their ends are no part of a name."""
    headings = ("design", "area\num2", "gated", "area\num2", "gated", "area um2", "bro-\nken", "")
    assert columns_of(Grid("", headings, ())) == [
        *("design", "area um2", "gated", "area um2 (2)", "gated (2)", "area um2 (3)", "broken"),
        "name",
    ]


@pytest.mark.parametrize(
    ("row", "plain", "times"),
    [
        ({"a": 1.0, "b": 4.0}, 0.25, 25.0),
        ({"a": 0.0, "b": 4.0}, 0.0, 0.0),
        ({"a": 0.0, "b": 0.0}, 0.0, 0.0),
        ({"a": None, "b": 4.0}, None, None),
        ({"a": 1.0, "b": None}, None, None),
    ],
)
def test_a_ratio_is_multiplied_by_its_factor(
    row: dict[str, float | None], plain: float | None, times: float | None
) -> None:
    assert ratio("a", "b")(row) == plain
    assert ratio("a", "b", 100)(row) == times
    assert percent("a")(row) == (None if row["a"] is None else 100 * row["a"])
