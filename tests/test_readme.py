"""The README's examples print what it says that they print."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from eval.cli import cli

README = Path(__file__).resolve().parent.parent / "README.md"
EXAMPLE = re.compile(r"^\$ modexplorer (?P<args>[^\n]*)\n(?P<output>.*?)(?=^```|^\$ )", re.M | re.S)
# The others take minutes where nothing is built yet, or name files that only the text has.
QUICK = ("simulate", "run proc/app")


def examples() -> list[tuple[str, str]]:
    found = EXAMPLE.findall(README.read_text())
    return [(args, output) for args, output in found if args.startswith(QUICK)]


@pytest.mark.quick
def test_there_are_examples():
    assert examples()


@pytest.mark.quick
@pytest.mark.parametrize(("args", "output"), examples(), ids=lambda text: text.splitlines()[0])
def test_example_prints_what_the_readme_says(monkeypatch, args, output):
    monkeypatch.chdir(README.parent)
    result = CliRunner().invoke(cli, args.split(), prog_name="modexplorer")
    assert result.stdout.strip() == output.strip()
