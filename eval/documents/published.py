"""What documents print beside designs of the catalog: figures, and how these grow with the width n,
or with the bits S of a word."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from eval.catalog.point import Point
from eval.documents.document import stated
from eval.tasks.metrics import METRICS
from eval.tasks.unit import ACCELERATOR, EXPONENTIATOR, MULTIPLIER

SAME, SAME_RADIX = "same", "radix"
WHOLES = (ACCELERATOR, EXPONENTIATOR, "system")


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

    @property
    def unit(self) -> str:
        """The unit that it is of: one of WHOLES, or else the multiplier, by its own name."""
        return self.of if self.of in WHOLES else MULTIPLIER


@dataclass(frozen=True)
class Statement:
    """Says that a figure grows as a power of n, or prints the figure at several widths, or both;
    `design` and `metric` are ours beside it."""

    source: str
    of: str
    design: str
    metric: str
    exponent: float | None = None
    figures: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class ByWord(Statement):
    """Prints a figure by the bits S of a word, at one width; {} in the design is S."""

    nbits: int = 0


@cache
def published() -> tuple[Published, ...]:
    """Collect the figures, document by document."""
    return tuple(figure for figures in stated("beside", "PUBLISHED") for figure in figures)


@cache
def statements() -> tuple[Statement, ...]:
    """Collect the statements, document by document."""
    return tuple(one for said in stated("beside", "STATEMENTS") for one in said)


def compared(point: Point) -> list[Published]:
    """Find the figures that documents print for a point and that some task measures."""
    of = point.entry.name, point.nbits
    return [f for f in published() if (f.design, f.nbits) == of and f.what in METRICS]
