"""Tables on terminals of any width: every word whole, nothing lost, nothing wider than the room."""

import re
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import eval.table.terminal
from eval.table.terminal import BORDER, NARROWEST, WIDEST, broken, console, least_width
from tests.command_line import run
from tests.faults import faults, plant

# In the narrowest table two columns of such words fit beside each other.
WORDS = st.text("abcdef-0.", min_size=1, max_size=(NARROWEST - 2 * BORDER - 1) // 2)
CELLS = st.lists(WORDS, max_size=4).map(" ".join)


def printed(
    monkeypatch: pytest.MonkeyPatch,
    width: int,
    rows: list[list[str]],
    module: ModuleType = eval.table.terminal,
) -> list[str]:
    """The lines of a table, its headings the first row, on a terminal so wide."""
    out = Console(width=width, highlight=False, markup=False)
    monkeypatch.setattr(module, "console", lambda: out)
    with out.capture() as capture:
        module.print_table("title", rows[0], rows[1:], left=range(0, len(rows[0]), 2))
    return capture.get().splitlines()


def check_words(lines: list[str], width: int, rows: list[list[str]]) -> None:
    """No line is too wide, and each word is there, whole."""
    assert max(map(len, lines)) <= width
    shown = re.sub(r"[|+]", " ", "\n".join(lines)).split()
    assert {word for row in rows for cell in row for word in cell.split()} <= set(shown)


@given(
    st.integers(NARROWEST, WIDEST),
    st.integers(1, 12).flatmap(
        lambda columns: st.lists(
            st.lists(CELLS, min_size=columns, max_size=columns), min_size=2, max_size=4
        )
    ),
)
def test_words_are_whole_and_all_there(width: int, rows: list[list[str]]) -> None:
    rows[0] = [heading or "x" for heading in rows[0]]
    with pytest.MonkeyPatch.context() as monkeypatch:
        lines = printed(monkeypatch, width, rows)
    check_words(lines, width, rows)


@pytest.mark.quick
def test_a_table_that_is_too_wide_goes_on_below_with_its_first_column(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [["design", *(f"head-{n}" for n in range(8))], ["mont-best", *"12345678"]]
    narrow = printed(monkeypatch, 60, rows)
    assert [line.count("mont-best") for line in narrow].count(1) == 2
    wide = printed(monkeypatch, 200, rows)
    assert [line.count("mont-best") for line in wide].count(1) == 1


@pytest.mark.quick
def test_its_parts_have_the_columns_that_tell_rows_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    heads = [f"head-{n}" for n in range(8)]
    rows = [["design", "bits", *heads], ["one", "8", *"12345678"], ["one", "16", *"12345678"]]
    lines = [line.split() for line in printed(monkeypatch, 60, rows) if " one " in line]
    assert [line[1:4:2] for line in lines] == [["one", "8"], ["one", "16"]] * 2


@pytest.mark.quick
@pytest.mark.parametrize(("columns", "width"), [(20, 40), (40, 40), (80, 80), (500, 200)])
def test_a_table_is_as_wide_as_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int, width: int
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert console().width == 100  # of a pipe
    monkeypatch.setenv("COLUMNS", str(columns))
    assert console().width == width
    monkeypatch.setenv("FORCE_COLOR", "1")  # what a terminal is to rich
    assert console().width == width


@pytest.mark.quick
@pytest.mark.parametrize("columns", [40, 60, 100])
def test_commands_print_tables_as_wide_as_asked(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """Names of configurations are broken where a parameter ends, alone."""
    monkeypatch.setenv("COLUMNS", str(columns))
    text = run("list mont array").stdout
    table = [line for line in text.splitlines() if line.startswith(("|", "+"))]
    assert columns - 15 < max(map(len, table)) <= columns
    cells = [cell.strip() for line in table for cell in line.strip("|").split("|")]
    for cell in cells:
        if "=" in cell and " " not in cell and cell.count("(") + cell.count(","):
            assert cell.endswith((",", "(", ")")), cell


@pytest.mark.quick
def test_a_long_word_is_broken_where_a_part_ends() -> None:
    name = "mont(steps=8,units=1,loop=always,adder=ripple)"
    assert broken(name, 20) == "mont(steps=8,\nunits=1,loop=always,\nadder=ripple)"
    assert broken("a table of words", 8) == "a table\nof words"
    assert broken("array-8-window-4-kept", 20) == "array-8-window-4-kept"
    assert least_width(["array-8-window-4-kept", name]) == 21
    assert least_width(["f" * 64]) == 40


@pytest.mark.quick
@faults(
    {
        "a column too many": ("+ least[number] + 1 > room", "+ 1 > room"),
        "words broken": (
            "for text in column for word in text.split()), WHOLE)",
            "for word in ()), 3)",
        ),
        "a column lost": ("        parts[-1].append(number)\n    return", "    return"),
        "borders forgotten": ("least_width(column) + BORDER for", "least_width(column) for"),
    }
)
def test_a_wrong_table_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sound: str, faulty: str
) -> None:
    rows = [[f"head-{n}" for n in range(9)], [f"cell-{n} words" for n in range(9)]]
    wrong = plant(tmp_path, eval.table.terminal, sound, faulty)
    with pytest.raises(AssertionError):
        check_words(printed(monkeypatch, 60, rows, wrong), 60, rows)
    check_words(printed(monkeypatch, 60, rows), 60, rows)
