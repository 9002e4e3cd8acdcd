"""The documents that a report's figures and designs are from."""

from eval.documents.document import documents
from eval.table import Table, words
from eval.tasks.section import Section, tables

DOCUMENTS_TITLE = "The documents"
SOURCES = Table(
    DOCUMENTS_TITLE,
    words({"document": "number", "authors": "authors", "year": "when"})
    + words({"title": lambda d: f"{d.title} ({d.form})", "what of it is here": "has"}),
    "Year: that printed in the document, or that of the newest work it cites.",
    rows=lambda found: documents(),
)
SECTION = Section(details=tables(SOURCES))
