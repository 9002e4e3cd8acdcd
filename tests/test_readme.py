"""The READMEs' examples print what they say that they print, and their table lists the designs."""

import re
import warnings

import pytest

from cl.xcel import xcel_cycles
from eval.catalog import DESIGNS
from eval.catalog.workloads import WORKLOADS
from eval.printed.documents import DOCUMENTS
from eval.report.readme import files, is_stale
from tests.command_line import run
from tests.places import ROOT

README = (ROOT / "README.md").read_text()
EXAMPLE = re.compile(r"^\$ modexplorer (?P<args>[^\n]*)\n(?P<output>.*?)(?=^```|^\$ )", re.M | re.S)
PAGES = [*files(ROOT), ROOT / "flow/README.md"]
# The others take minutes where nothing is built yet, or name files that only the text has.
QUICK = ("simulate", "verilog", "run proc/app", "dots", "pseudo", "keygen", "documents")
LONGER = ("rsa",)
ROW = re.compile(r"^\| `(\S+)` \| (.*?) \| (\d+) / (\d+) \| (\S+) \| (\S+) \|$", re.MULTILINE)
COMPARED_AT = 32


def examples(commands: tuple[str, ...]) -> list[tuple[str, str]]:
    found = [e for file in PAGES for e in EXAMPLE.findall(file.read_text())]
    return [(args, output) for args, output in found if args.startswith(commands)]


def check_example(monkeypatch, args, output):
    monkeypatch.chdir(ROOT)
    assert run(args).stdout.strip() == output.strip()


@pytest.mark.quick
def test_there_are_examples():
    assert examples(QUICK)


@pytest.mark.parametrize(("args", "output"), examples(QUICK), ids=lambda text: text.splitlines()[0])
def test_example_prints_what_the_readme_says(monkeypatch, args, output):
    check_example(monkeypatch, args, output)


@pytest.mark.long
@pytest.mark.parametrize(
    ("args", "output"), examples(LONGER), ids=lambda text: text.splitlines()[0]
)
def test_longer_example_prints_what_the_readme_says(monkeypatch, args, output):
    check_example(monkeypatch, args, output)


@pytest.mark.quick
def test_the_documents_are_introduced():
    rows = re.findall(r"^\| (00\d) \| (.*?) \| (.*?) \| (.*?) \|$", README, re.MULTILINE)
    assert rows == [(d.number, d.authors, d.when, f"{d.title} ({d.form})") for d in DOCUMENTS]


@pytest.mark.quick
def test_the_table_lists_every_design_with_its_cycles():
    rows = {name: cells for name, *cells in ROW.findall(README)}
    assert list(rows) == [name for name, d in DESIGNS.items() if d.widths[0] <= COMPARED_AT]
    for name, (title, e, d, _area, slack) in rows.items():
        design = DESIGNS[name]
        requests = [w.request(COMPARED_AT, design.moduli.key) for w in WORKLOADS.values()]
        cycles = [
            xcel_cycles(COMPARED_AT, design.cycles(COMPARED_AT, r.base, r.exp, r.mod))
            for r in requests
        ]
        assert (title, [int(e), int(d)]) == (design.title, cycles)
        assert slack[0] in "+-"


@pytest.mark.quick
@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_lead_to_files(file):
    links = re.findall(r"\]\(([^)#:]+)\)", file.read_text())
    assert all((file.parent / link).exists() for link in links), links


@pytest.mark.quick
def test_measured_tables_say_when_they_are_of_other_code():
    text = (ROOT / "README.md").read_text()
    assert is_stale(text.replace("<!-- measured tables: code ", "<!-- measured tables: code 0"))
    if is_stale(text):
        warnings.warn("README.md has tables of other code than this: make readme", stacklevel=1)
