"""One figure that a document prints of a design of the catalog."""

from dataclasses import dataclass

SAME, SAME_RADIX = "same", "radix"


@dataclass(frozen=True)
class Published:
    """A figure of a document, to be shown beside ours. One of an FPGA names the device that our
    unit is mapped to, and says how alike the algorithms are."""

    design: str  # ours beside it
    what: str  # the metric
    of: str  # what has it: the document's design, or a part of it
    nbits: int
    value: float
    source: str  # the document and the place in it
    note: str = ""
    device: str = ""
    algorithm: str = SAME
