"""What reports show of documents: beside the rows of a kind of measurement, and of all rows."""

from collections.abc import Iterator

from eval.documents.document import stated
from eval.documents.on_fpga import BESIDE
from eval.tasks.section import Section, tables

ALL = ""  # the kind of a section that takes a StudyResult
OF_EACH = {"fpga": Section(results=tables(BESIDE))}


def sections(kind: str) -> Iterator[Section]:
    """Yield what stands beside a kind: what is of every document, then SECTIONS of each."""
    for by_kind in (OF_EACH, *stated("views", "SECTIONS")):
        if kind in by_kind:
            yield by_kind[kind]
