"""One figure that a document prints."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """A figure of a document, to be shown beside ours."""

    what: str  # the metric
    of: str  # what has it: the document's design, or a part of it
    nbits: int
    value: float
    source: str  # the document and the place in it
    note: str = ""
