"""Which of our units stands beside each figure that documents print of FPGAs.

Document 004 prints its algo 2, 4 and 6 on a Cyclone V, and document 000 its Montgomery
exponentiator: these are in the catalog. Document 002 prints a systolic array of radix 2^16 on an
Artix-7: beside it stands our iterated unit of that radix. Document 003 takes S bits of an operand a
cycle, from table memory on a Virtex-E; we have no such design, and an exponentiator that takes all
of them stands in.
"""

from collections.abc import Iterable
from typing import NamedTuple

from eval.catalog.point import Point
from eval.printed import document_000, document_002, document_003
from eval.printed.document_004 import ALGO_2_FIGURES, table_1_of_004
from eval.printed.published import Published
from eval.tasks.fpga.task import OnFpga
from eval.tasks.unit import EXPONENTIATOR

SAME, SAME_RADIX, STANDS_IN = "same", "radix", "other"
COUNTED = ("alms", "ffs")  # of what document 004's table has


class Beside(NamedTuple):
    """A printed figure, our unit beside it, and how alike their algorithms are."""

    figure: Published
    ours: OnFpga
    relation: str


def _beside(
    figures: Iterable[Published], design: str, device: str, relation: str = SAME
) -> list[Beside]:
    return [
        Beside(figure, OnFpga(Point(design, figure.nbits), device, unit), relation)
        for figure in figures
        for unit in [figure.of if relation == SAME_RADIX else EXPONENTIATOR]
    ]


def _table_1(column: str, design: str) -> list[Beside]:
    figures = [figure for figure in table_1_of_004(column) if figure.what in COUNTED]
    return _beside(figures, design, "cyclonev")


PRINTED = (
    *_beside(document_000.MM_FIGURES, "mm-000", "cyclonev"),
    *sorted(
        _table_1("algo_4", "mmm-004") + _table_1("algo_6", "ssmm-004"),
        key=lambda row: row.figure.nbits,
    ),
    *_beside(ALGO_2_FIGURES, "mmred-004", "cyclonev"),
    *_beside(document_002.FIGURES, "mont-digit-16", "artix7", SAME_RADIX),
    *_beside(document_003.FIGURES, "mont-small", "virtexe", STANDS_IN),
)


def tasks_to(nbits: int) -> tuple[OnFpga, ...]:
    """List our units beside the documents' figures of at most so many bits, each once."""
    return tuple(dict.fromkeys(row.ours for row in PRINTED if row.figure.nbits <= nbits))
