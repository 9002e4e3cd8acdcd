"""The documents that a report's figures and designs are from."""

import re

from eval.documents.document import Document, documents
from eval.study.results import StudyResult
from eval.table import Table, words
from eval.tasks.section import Section, tables

DOCUMENTS_TITLE = "The documents"


def documents_of(found: StudyResult) -> list[Document]:
    """List the documents of a study: of one's own, those that its designs are from; else all."""
    if not found.study.own:
        return [*documents()]
    sources = " ".join(p.point.entry.source for p in found.points)
    used = set(re.findall(r"\b(\d{3})\b", sources))
    return [document for document in documents() if document.number in used]


SOURCES = Table(
    DOCUMENTS_TITLE,
    words({"document": "number", "authors": "authors", "year": "when"})
    + words({"title": lambda d: f"{d.title} ({d.form})", "what of it is here": "has"}),
    "Year: that printed in the document, or that of the newest work it cites.",
    rows=documents_of,
)
SECTION = Section(details=tables(SOURCES))
