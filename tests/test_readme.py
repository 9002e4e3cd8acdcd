"""The README is a start that leads everywhere; designs and documents are on pages of their own."""

import re

import pytest

from cl.xcel import xcel_cycles
from eval.catalog import DESIGNS
from eval.catalog.workloads import WORKLOADS
from eval.documents.document import documents
from eval.quoting.pages import pages
from tests.places import ROOT

README = (ROOT / "README.md").read_text()
DOCUMENTS, CATALOG = (
    (ROOT / "docs" / f"{name}.md").read_text() for name in ("documents", "catalog")
)
LINES = 105  # two screens of 50 lines and a bit, half of them the fronts
ROW = re.compile(r"^\| `(\S+)` \| (.*?) \| (\d+) / (\d+) \| (\S+) \| (\S+) \|$", re.MULTILINE)
COMPARED_AT = 32

pytestmark = pytest.mark.quick


def test_the_readme_is_a_start():
    assert len(README.splitlines()) <= LINES
    assert "![" in README  # one picture
    assert "make report" in README
    assert "make test" in README
    led_to = set(re.findall(r"\]\(([^)#:]+)\)", README))
    assert led_to >= {page.name for page in pages()} - {"README.md"}


def test_the_documents_are_introduced():
    rows = re.findall(r"^\| (00\d) \| (.*?) \| (.*?) \| (.*?) \|$", DOCUMENTS, re.MULTILINE)
    assert rows == [(d.number, d.authors, d.when, f"{d.title} ({d.form})") for d in documents()]


def test_the_table_lists_every_design_with_its_cycles():
    rows = {name: cells for name, *cells in ROW.findall(CATALOG)}
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


@pytest.mark.parametrize(
    "file", [page.file for page in pages()], ids=lambda file: str(file.relative_to(ROOT))
)
def test_links_lead_to_files(file):
    links = re.findall(r"\]\(([^)#:]+)\)", file.read_text())
    assert all((file.parent / link).exists() for link in links), links
