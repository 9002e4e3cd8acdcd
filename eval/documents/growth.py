"""What documents say of how their designs grow with the width n, or with the bits S of a word."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from eval.documents.document import stated


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
def statements() -> tuple[Statement, ...]:
    """Collect the statements, document by document."""
    return tuple(one for said in stated("beside", "STATEMENTS") for one in said)
