"""No item of a document is left out, and what shows a finding is a command."""

import re
import shlex
from collections.abc import Iterator

import click
import pytest

from eval.catalog import find
from eval.cli import cli
from eval.printed.items import ITEMS
from eval.printed.items.item import OPEN, SAYS_NOTHING, VERDICTS, Item
from eval.report.documents import document_grid
from eval.study.studies import find_study
from tests.command_line import run, run_json

pytestmark = pytest.mark.quick

# What each document has: the first and the last number of each kind.
HAS = {
    "000": {"algorithm": (1, 8), "figure": (1, 38), "table": (1, 18)},
    "001": {
        **{"algorithm": (1, 4), "figure": (1, 18), "table": (1, 3), "listing": (1, 4)},
        **{"section": (4, 4), "section 5.": (1, 3)},
    },
    "002": {
        "algorithm": (1, 5),
        "equation": (3, 3),
        "figure": (1, 6),
        "table": (1, 5),
        "claim": (1, 5),
    },
    "003": {"algorithm 17.1.": (1, 2), "figure 17.": (1, 4), "claim": (1, 6)},
    "004": {"algorithm": (0, 6), "figure": (1, 7), "table": (1, 1), "claim": (1, 1)},
}
LISTED = [(number, item) for number, items in ITEMS.items() for item in items]


def names(number: str) -> Iterator[str]:
    """Name what a document has."""
    for kind, (first, last) in HAS[number].items():
        for n in range(first, last + 1):
            yield f"{kind}{n}" if kind.endswith(".") else f"{kind} {n}"


@pytest.mark.parametrize("number", HAS)
def test_every_item_has_a_line(number: str) -> None:
    assert [item.name for item in ITEMS[number]] == [*names(number)]
    shown = document_grid(number)
    assert len(shown.lines) == len(ITEMS[number])
    assert all(all(line.cells) for line in shown.lines)


@pytest.mark.parametrize(("number", "item"), LISTED, ids=lambda x: getattr(x, "name", x))
def test_a_finding_has_a_command_or_says_why_there_is_none(number: str, item: Item) -> None:
    assert item.verdict in VERDICTS
    assert item.says
    assert item.found
    assert item.command or item.verdict in {OPEN, SAYS_NOTHING}
    if not item.command:
        return
    name, *words = shlex.split(item.command)
    command = cli.get_command(click.Context(cli), name)
    given = command.make_context(name, words, parent=click.Context(cli)).params
    if name == "report":
        find_study(given["study"])
    elif "design" in given and not given["design"].startswith("processor"):
        find(given["design"])


def test_as_another_item_says_names_one() -> None:
    for number, item in LISTED:
        if found := re.fullmatch(r"as ((figure|table|algorithm) \d+)", item.found):
            assert found[1] in {other.name for other in ITEMS[number]}


def test_the_command_shows_them() -> None:
    assert re.search(r"^\| 003 .* \|    12 \|", run("documents").stdout, re.M)
    assert "algorithm 17.1.1" in run("documents 003").stdout
    assert run_json("documents 003")["003"][0]["verdict"] == "built"
    refused = run("documents 005")
    assert refused.exit_code == 2
    assert "no document '005'; choose from 000, 001" in refused.stderr
