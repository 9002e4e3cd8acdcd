"""What the documents print of FPGAs, and which of our units stands beside each figure.

Document 004 prints its algo 2, 4 and 6 on a Cyclone V, and document 000 its Montgomery
exponentiator (in "logic elements", taken to be ALMs): these are in the catalog. Document 002 prints
a systolic array of radix 2^16 on an Artix-7: beside it stands our iterated unit of that radix.
Document 003 takes S bits of an operand a cycle, from table memory on a Virtex-E; we have no
such design, and an exponentiator that takes all of them stands in.
"""

from dataclasses import dataclass

from eval.catalog.point import Point
from eval.printed.document_004 import SOURCE as TABLE_1_OF_004
from eval.printed.document_004 import TABLE_1
from eval.tasks.fpga import OnFpga

SAME, SAME_RADIX, STANDS_IN = "same", "radix", "other"
ALMS, LUTS, FFS, DSPS, SLICES = "alms", "luts", "ffs", "dsp", "slices"


@dataclass(frozen=True)
class Printed:
    """A design of a document on an FPGA: what it takes, and our unit beside it."""

    source: str
    what: str
    nbits: int
    figures: tuple[tuple[str, int], ...]  # resource, how many
    ours: OnFpga
    relation: str


def _cyclonev(source: str, what: str, design: str, nbits: int, **figures: int) -> Printed:
    ours = OnFpga(Point(design, nbits), "cyclonev")
    return Printed(source, what, nbits, tuple(figures.items()), ours, SAME)


def _of_004() -> list[Printed]:
    rows = []
    for row in TABLE_1:
        for what, design, cell in (
            ("algo 4", "mmm-004", row.algo_4),
            ("algo 6", "ssmm-004", row.algo_6),
        ):
            figures = {ALMS: cell.alms, FFS: cell.registers}
            rows.append(_cyclonev(TABLE_1_OF_004, what, design, row.nbits, **figures))
    for nbits, (alms, ffs) in ALGO_2.items():
        rows.append(_cyclonev(TABLE_1_OF_004, "algo 2", "mmred-004", nbits, alms=alms, ffs=ffs))
    return rows


def _of_000() -> list[Printed]:
    return [
        _cyclonev("000, table 7", "MM (M)", "mm-000", nbits, alms=alms)
        for nbits, alms in MM_OF_000.items()
    ]


ALGO_2 = {64: (1391, 1043), 128: (4982, 1354), 256: (71884, 2619)}  # ALMs, registers

MM_OF_000 = {32: 400, 64: 774, 128: 1521, 256: 3015, 512: 6003, 1024: 11978}  # original modulus

SYSTOLIC = {512: (3098, 2670, 34), 1024: (6736, 5337, 66), 2048: (12854, 10648, 130)}
SYSTOLIC_EXPONENTIATOR = {1024: (7587, 9499, 66)}

DIGIT_SERIAL_SLICES = {32: 995, 64: 1188, 128: 1870, 256: 2902}  # of a datapath of so many bits
DIGIT_SERIAL_NBITS = 1024


def _of_002() -> list[Printed]:
    tables = [
        *((f"002, table {n}", nbits, "multiplier") for n, nbits in enumerate(SYSTOLIC, 1)),
        ("002, table 5", 1024, "exponentiator"),
    ]
    rows = []
    for source, nbits, unit in tables:
        counts = (SYSTOLIC if unit == "multiplier" else SYSTOLIC_EXPONENTIATOR)[nbits]
        figures = tuple(zip((LUTS, FFS, DSPS), counts, strict=True))
        ours = OnFpga(Point("mont-digit-16", nbits), "artix7", unit)
        rows.append(Printed(source, unit, nbits, figures, ours, SAME_RADIX))
    return rows


def _of_003() -> list[Printed]:
    ours = OnFpga(Point("mont-small", DIGIT_SERIAL_NBITS), "virtexe")
    return [
        Printed(
            "003, fig. 17.4",
            f"S = {bits}",
            DIGIT_SERIAL_NBITS,
            ((SLICES, slices),),
            ours,
            STANDS_IN,
        )
        for bits, slices in DIGIT_SERIAL_SLICES.items()
    ]


PRINTED = (
    *_of_000(),
    *_of_004(),
    *_of_002(),
    *_of_003(),
)


def tasks_to(nbits: int) -> tuple[OnFpga, ...]:
    """Our units beside the documents' figures of at most so many bits, each once."""
    return tuple(dict.fromkeys(row.ours for row in PRINTED if row.nbits <= nbits))
