"""CONTRIBUTING and CHANGELOG name what there is."""

import re
import shlex
from importlib.metadata import version

import click
import pytest

from eval.cli import cli
from tests.places import ROOT

pytestmark = pytest.mark.quick
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
TEXTS = {"CONTRIBUTING.md": CONTRIBUTING, "CHANGELOG.md": CHANGELOG}
# Of one that somebody adds.
MADE_UP = re.compile(r"my-mul|my_mul|NAME|NNN|the command")
VERSION = re.compile(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)(?: \(`[0-9a-f]{7}`\))?$")
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def quotes(text: str) -> list[str]:
    """What stands between backquotes, and the lines of blocks."""
    blocks = re.findall(r"^```\n(.*?)^```$", text, re.M | re.S)
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    text = re.sub(r"^```\n.*?^```$", "", text, flags=re.M | re.S)
    return lines + [" ".join(quote.split()) for quote in re.findall(r"`([^`]+)`", text)]


@pytest.mark.parametrize("name", TEXTS)
def test_links_lead_to_files_and_headings(name) -> None:
    for link in re.findall(r"\]\(([^):]+)\)", TEXTS[name]):
        file, _, heading = link.partition("#")
        assert (ROOT / file).is_file(), link
        headings = re.findall(r"^#+ (.*)$", (ROOT / file).read_text(), re.M)
        assert not heading or heading in {h.lower().replace(" ", "-") for h in headings}, link


@pytest.mark.parametrize("name", TEXTS)
def test_commands_are_there(name) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
    for quote in quotes(TEXTS[name]):
        program, *words = shlex.split(quote) if " " in quote else [quote]
        if program == "make":
            assert words[0] in targets, quote
        if program == "modexplorer" and words and not words[0].startswith("-"):
            known = cli.get_command(click.Context(cli), words[0])
            assert known or MADE_UP.search(words[0]), quote


def test_files_are_there() -> None:
    for quote in quotes(CONTRIBUTING):
        if re.fullmatch(r"[\w./]+/[\w./]*", quote) and not MADE_UP.search(quote):
            assert (ROOT / quote).exists() or quote.startswith("inputs/"), quote


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("eval/catalog/files.py", "FILES"),
        ("eval/tasks/noise_section.py", "TASK"),
        ("eval/tasks/noise_section.py", "SECTION"),
        ("tests/eval/documents/d000/__init__.py", "HAS"),
        ("flow/fpga/devices.py", "FAMILIES"),
        ("flow/fpga/graph.py", "DEVICES"),
    ],
)
def test_names_are_where_they_are_said_to_be(file, name) -> None:
    assert f"`{name}`" in CONTRIBUTING
    assert re.search(rf"^{name}\b.* = ", (ROOT / file).read_text(), re.M)


def test_versions_are_newest_first_with_their_dates() -> None:
    heads = [line for line in CHANGELOG.splitlines() if line.startswith("## ")]
    found = [VERSION.match(head) for head in heads if head != "## [Unreleased]"]
    assert all(found), heads
    versions = [tuple(map(int, one[1].split("."))) for one in found]
    assert versions == sorted(set(versions), reverse=True)
    dates = [one[2] for one in found]
    assert dates == sorted(dates, reverse=True)
    assert set(re.findall(r"^### (.*)$", CHANGELOG, re.M)) <= KINDS


def test_the_newest_version_is_that_of_the_package() -> None:
    newest = re.search(r"^## \[(\d.*)\]", CHANGELOG, re.M)[1]
    setup = (ROOT / "setup.py").read_text()
    assert re.search(r'^    version="(.*)",$', setup, re.M)[1] == newest
    assert version("modexplorer") == newest, "make setup"
