"""The sessions of tutorials print what the pages show, when they are run as they are typed."""

import re
from pathlib import Path

import pytest

from eval.quoting.excerpt import excerpt
from eval.quoting.measuring import prepare, printed_by
from eval.quoting.pages import BLOCK, asked
from tests.places import ROOT

TUTORIALS = ("README.md", "docs/start.md", "docs/authors.md", "docs/levels.md", "docs/refine.md")
WIDEST = 32  # bits: a command takes seconds
SECONDS = re.compile(r"\b\d+(\.\d+)? s\b")


def sessions(page: Path) -> list[tuple[str, str]]:
    """The outputs of a page whose commands take seconds: which command, which tables; the lines."""
    found = [
        (block["what"], block["body"].split("\n", 2)[2].removesuffix("```\n"))
        for block in BLOCK.finditer(page.read_text())
        if block["kind"] == "output"
    ]
    return [one for one in found if bits(one[0]) <= WIDEST]


def bits(command: str) -> int:
    """The width that a command names; that of its designs if none."""
    found = re.search(r"--nbits (\d+)", command)
    return int(found[1]) if found else 0


def values(text: str) -> list[str]:
    """The words and numbers of what is printed, without borders of tables, layout and times."""
    return re.findall(r"[^\s|]+", re.sub(r"^\+[-+]+$", "", SECONDS.sub("", text), flags=re.M))


SESSIONS = [(page, *one) for page in TUTORIALS for one in sessions(ROOT / page)]


@pytest.mark.parametrize(
    ("page", "what", "shown"),
    [
        pytest.param(*one, marks=[pytest.mark.long] * one[1].startswith("report "), id=one[1])
        for one in SESSIONS
    ],
)
def test_a_session_prints_what_the_page_shows(page, what, shown, tmp_path) -> None:
    command, titles, notes = asked(what)
    prepare(tmp_path, command)
    printed = excerpt(printed_by(command, tmp_path), titles, notes)
    assert values(printed) == values(shown), f"modexplorer pages --measure --only '{command}'"


def test_there_are_such_sessions() -> None:
    assert {page for page, *_ in SESSIONS} >= {"docs/start.md", "docs/authors.md", "docs/refine.md"}


def test_values_are_compared_and_layout_is_not() -> None:
    table = "+---+----+\n| a |  b |\n+---+----+\n| x | {} |\n+---+----+\ntook {} s"
    one, same = table.format(17, 0.5), table.replace("-+\n", "---+\n").format("  17 ", 12)
    assert values(one) == values(same) == ["a", "b", "x", "17", "took"]
    assert values(one) != values(table.format(18, 0.5))
