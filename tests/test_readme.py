"""The README is a start that leads everywhere; designs and documents are on pages of their own."""

import re

import pytest

from eval.documents.document import documents
from eval.quoting.pages import pages
from tests.places import ROOT

README = (ROOT / "README.md").read_text()
DOCUMENTS = (ROOT / "docs/documents.md").read_text()
BELOW = ("course", "results")  # folders whose pages others lead to
LINES = 105  # two screens of 50 lines and a bit, half of them the fronts

pytestmark = pytest.mark.quick


def test_the_readme_is_a_start():
    shown = re.sub(r"<!-- .*?-->\n", "", README, flags=re.S)
    assert len(shown.splitlines()) <= LINES
    assert "![" in README  # one picture
    assert "make report" in README
    assert "make test" in README
    led_to = set(re.findall(r"\]\(([^)#:]+)\)", README))
    found = {str(page.relative_to(ROOT)) for page in pages() if page.parts[-2] not in BELOW}
    assert led_to >= found - {"README.md"}


def test_the_documents_are_introduced():
    rows = re.findall(r"^\| (00\d) \| (.*?) \| (.*?) \| (.*?) \|$", DOCUMENTS, re.MULTILINE)
    assert rows == [(d.number, d.authors, d.when, f"{d.title} ({d.form})") for d in documents()]


@pytest.mark.parametrize("file", pages(), ids=lambda file: str(file.relative_to(ROOT)))
def test_links_lead_to_files(file):
    links = re.findall(r"\]\(([^)#:]+)\)", file.read_text())
    assert all((file.parent / link).exists() for link in links), links
