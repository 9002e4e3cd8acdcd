"""Which of our units stands beside each figure that documents print of FPGAs.

Document 004 prints its algo 2, 4 and 6 on a Cyclone V, and document 000 its Montgomery
exponentiator; document 002 its systolic array on an Artix-7, by itself and in an exponentiator, and
document 003 its digit-serial processor on a Virtex-E. All of them are in the catalog. Beside the
array stands our iterated unit of the same radix, too, at its least width.
"""

from collections.abc import Iterable
from typing import NamedTuple

from eval.catalog.point import Point
from eval.printed import document_000, document_002, document_003
from eval.printed.document_004 import table_1_of_004
from eval.printed.published import Published
from eval.tasks.fpga.task import OnFpga
from eval.tasks.unit import EXPONENTIATOR, MULTIPLIER

SAME, SAME_RADIX = "same", "radix"
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
        for unit in [MULTIPLIER if figure.of == MULTIPLIER else EXPONENTIATOR]
    ]


def _table_1(column: str, design: str) -> list[Beside]:
    figures = [figure for figure in table_1_of_004(column) if figure.what in COUNTED]
    return _beside(figures, design, "cyclonev")


# The iterated unit is one block of logic, which takes yosys a quarter of an hour at 1024 bits.
SHORTEST_002 = [figure for figure in document_002.FIGURES if figure.nbits == 512]
ARRAYS_002 = [figure for figure in document_002.FIGURES if figure.of == MULTIPLIER]
# R and R^2 are inputs there.
EXPONENTIATORS_002 = [figure for figure in document_002.FIGURES if figure.of == EXPONENTIATOR]
PRINTED = (
    *_beside(document_000.MM_FIGURES, "mm-000", "cyclonev"),
    *sorted(
        _table_1("algo_4", "mmm-004-printed") + _table_1("algo_6", "ssmm-004"),
        key=lambda row: row.figure.nbits,
    ),
    *_table_1("algo_2", "mmred-004-printed"),
    *_beside(SHORTEST_002, "mont-digit-16", "artix7", SAME_RADIX),
    *_beside(ARRAYS_002, "systolic-printed", "artix7"),
    *_beside(EXPONENTIATORS_002, "systolic-given", "artix7"),
    *(
        row
        for printed, figure in zip(document_003.ROWS, document_003.FIGURES, strict=True)
        for row in _beside([figure], f"serial-pz-{printed.word_bits}", "virtexe")
    ),
)


def tasks_to(nbits: int) -> tuple[OnFpga, ...]:
    """List our units beside the documents' figures of at most so many bits, each once."""
    return tuple(dict.fromkeys(row.ours for row in PRINTED if row.figure.nbits <= nbits))
