"""No item of a document is left out, and what shows a finding is a command."""

import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import click
import pytest

from eval.catalog import find
from eval.cli import cli
from eval.documents.document import numbers
from eval.documents.item import (
    ARITHMETIC,
    BETTERED,
    BUILT,
    OPEN,
    OTHER,
    OTHERWISE,
    OUR_DESIGN,
    REFUTED,
    REPRODUCED,
    SAME,
    SAYS_NOTHING,
    THEIR_DESIGN,
    THEIR_FIGURES,
    VERDICTS,
    Basis,
    Item,
)
from eval.documents.items import _is_supported, items_of
from eval.quoting.source import Source
from eval.report.documents import ITEMS
from eval.study.studies import find_study
from tests.command_line import run, run_json

pytestmark = pytest.mark.quick

# What each document has: the first and the last number of each kind.
HAS = {number: import_module(f"tests.eval.documents.d{number}").HAS for number in numbers()}
# What else an item may be of.
BEYOND = re.compile(r"(equation|claim|section|listing)s?\b")
# The commands that run an algorithm, and those that build or try hardware.
RUNS = ("simulate", "flow", "schedule", "redc", "run", "rsa")
BUILDS = (*RUNS, "check", "fpga", "verilog", "clocks", "timing", "report")
LISTED = [(number, item) for number in numbers() for item in items_of(number)]

each_item = pytest.mark.parametrize(("number", "item"), LISTED, ids=lambda x: getattr(x, "name", x))


def names(number: str) -> Iterator[str]:
    """Name what a document has."""
    for kind, (first, last) in HAS[number].items():
        for n in range(first, last + 1):
            yield f"{kind}{n}" if kind.endswith(".") else f"{kind} {n}"


@pytest.mark.parametrize("number", HAS)
def test_every_item_has_a_line(number: str) -> None:
    expected, listed = [*names(number)], [item.name for item in items_of(number)]
    assert [n for n in listed if n in expected or not BEYOND.match(n)] == expected
    assert len(set(listed)) == len(listed)
    shown = ITEMS.of(number)
    assert len(shown.lines) == len(items_of(number))
    assert all(all(line.cells) for line in shown.lines)


@each_item
def test_a_finding_has_a_command_or_says_why_there_is_none(number: str, item: Item) -> None:
    assert item.verdict in VERDICTS
    assert item.says
    assert item.found
    assert item.command or item.verdict in {OPEN, SAYS_NOTHING}
    if item.command:
        check_command(item.command)


def check_command(line: str) -> dict[str, Any]:
    """The parameters of a command that there is, for a design or study that there is."""
    name, *words = shlex.split(line)
    command = cli.get_command(click.Context(cli), name)
    assert command, f"no command {name}"
    given = command.make_context(name, words, parent=click.Context(cli)).params
    if name == "report":
        find_study(given["study"])
    elif "design" in given and not given["design"].startswith("processor"):
        find(given["design"])
    return given


@pytest.mark.parametrize(
    ("verdict", "basis", "supported"),
    [
        *((REFUTED, Basis(against), True) for against in (ARITHMETIC, THEIR_FIGURES)),
        (REFUTED, Basis(THEIR_DESIGN, SAME), True),
        (REFUTED, Basis(THEIR_DESIGN, OTHER), False),
        (REFUTED, Basis(OUR_DESIGN, SAME), False),
        (BUILT, Basis(THEIR_DESIGN, SAME), True),
        *((BUILT, basis, False) for basis in (Basis(THEIR_DESIGN), Basis(ARITHMETIC))),
        *((verdict, Basis(OUR_DESIGN), True) for verdict in (REPRODUCED, BETTERED, OTHERWISE)),
    ],
)
def test_what_supports_a_verdict(verdict: str, basis: Basis, supported: bool) -> None:
    assert basis.supports(verdict) is supported
    assert _is_supported(verdict, basis) is supported


@pytest.mark.parametrize("verdict", VERDICTS)
def test_all_but_what_is_open_or_says_nothing_needs_a_basis(verdict: str) -> None:
    """And what says nothing has none."""
    assert _is_supported(verdict, None) is (verdict in {OPEN, SAYS_NOTHING})
    assert _is_supported(verdict, Basis(THEIR_DESIGN, SAME)) is (verdict != SAYS_NOTHING)


@each_item
def test_what_is_built_is_run_by_its_command(number: str, item: Item) -> None:
    """By hardware or by the algorithm's own steps: a design at level fl may be Python's pow."""
    if item.verdict != BUILT:
        return
    given, name = check_command(item.command), shlex.split(item.command)[0]
    assert name in BUILDS
    assert (name, given.get("level")) != ("simulate", "fl")
    if not item.name.startswith("algorithm"):
        return
    assert name in RUNS
    if name == "schedule":
        source = run_json(item.command)["source"]
        assert re.search(rf"\b{number}, {re.escape(item.name)}\b", source), source
    elif "design" in given:
        assert find(given["design"]).source.startswith("document")


@each_item
@pytest.mark.seconds
def test_a_finding_quotes_rows_of_commands(number: str, item: Item) -> None:
    """Commands that end at once are run for what is quoted of them."""
    for command, path in quoted(item):
        check_command(command)
        assert path
        if command.startswith(("schedule", "dots", "pseudo")):
            assert isinstance(at_path(run_json(command), path), int | float)


def quoted(item: Item) -> list[tuple[str, str]]:
    """The commands and paths of the figures of ours in a finding."""
    source = Source({}, missing=True)
    assert "{" not in item.told(source.render)
    return [(command, path) for command, paths in source.values.items() for path in paths]


def at_path(answer: Any, path: str) -> Any:
    """What stands at a path: names and [name=value] of a list's entries."""
    for name, key, wanted in re.findall(r"([^.\[\]]+)(?:\[(\w+)=([^\]]*)\])?", path):
        answer = answer[name]
        if key:
            [answer] = [entry for entry in answer if str(entry[key]) == wanted]
    return answer


def test_as_another_item_says_names_one() -> None:
    for number, item in LISTED:
        if found := re.fullmatch(r"as ((figure|table|algorithm) \d+)", item.found):
            assert found[1] in {other.name for other in items_of(number)}


def test_the_command_shows_them() -> None:
    assert re.search(r"^\| 003 .* \|    12 \|", run("documents").stdout, re.M)
    assert "algorithm 17.1.1" in run("documents 003").stdout
    assert run_json("documents 003")["003"][0]["verdict"] == "built"
    assert run("documents 3").stdout == run("documents 003").stdout
    refused = run("documents 005")
    assert refused.exit_code == 2
    assert "no document '005'; choose from 000, 001" in refused.stderr


def test_what_verdicts_compare_is_shown() -> None:
    told = run("documents 000").stdout
    head, first = told.splitlines()[2:4], told.splitlines()[5]
    assert [cell.strip() for line in head for cell in line.split("|")[1:-1]] == [
        *("", "", "verdict,", ""),
        *("item", "what it says", "compared with", "what we find"),
    ]
    assert "| refuted: " in first
    assert "| arithmetic " in told.splitlines()[6]
    assert max(map(len, told.split("Reproduce with:")[0].splitlines())) == 100
    [first, *_] = run_json("documents 000")["000"]
    assert first["basis"]["against"] == first["compared_with"] == "arithmetic"


def test_what_follows_from_a_documents_own_figures_is_shown() -> None:
    told = run("documents 000 --derived").stdout
    assert re.search(r"^\| T13: cells .* \| 23 of 24 +\|$", told, re.M)
    assert max(map(len, told.splitlines())) == 100
    [found] = [one for one in run_json("documents --derived")["000"] if "T11" in one["name"]]
    assert (found["says"], found["gives"]) == ("46974; 10^7 in the abstract", "46974")
    refused = run("documents 003 --derived")
    assert refused.exit_code == 2
    assert "--derived: nothing of 003; give 000" in refused.stderr
