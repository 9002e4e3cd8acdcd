"""What the documents print of FPGAs, and which of our units stands beside each figure.

Document 004 prints its algo 2, 4 and 6 on a Cyclone V, which are in the catalog. Documents 002 and
003 print designs with digits of many bits, on block multipliers (002) or with the operands in
table memory (003), which are not: a bit-serial Montgomery unit of the same width stands in.
"""

from dataclasses import dataclass

from eval.fpga import OnFpga
from eval.points import Point
from eval.printed_004 import SOURCE as TABLE_1_OF_004
from eval.printed_004 import TABLE_1

SAME, STANDS_IN = "the same algorithm", "stands in"
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


def _algo(number: int, design: str, nbits: int, alms: int, ffs: int | None) -> Printed:
    figures = ((ALMS, alms), *([(FFS, ffs)] if ffs is not None else []))
    ours = OnFpga(Point(design, nbits), "cyclonev")
    return Printed(TABLE_1_OF_004, f"algo {number}", nbits, figures, ours, SAME)


def _of_004() -> list[Printed]:
    rows = []
    for row in TABLE_1:
        four, six = row.algo_4, row.algo_6
        rows.append(_algo(4, "mmm-004", row.nbits, four.alms, four.registers))
        rows.append(_algo(6, "ssmm-004", row.nbits, six.alms, six.registers))
    return rows


ALGO_2_ALMS = {64: 1391, 128: 4982, 256: 71884}  # without registers, in the text of 004

SYSTOLIC = {512: (3098, 2670, 34), 1024: (6736, 5337, 66), 2048: (12854, 10648, 130)}
SYSTOLIC_EXPONENTIATOR = {1024: (7587, 9499, 66)}
STAND_INS = ("mont-small", "mont-best")  # a step a cycle, and eight

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
        for design in STAND_INS:
            ours = OnFpga(Point(design, nbits), "artix7", unit)
            rows.append(Printed(source, f"systolic {unit}", nbits, figures, ours, STANDS_IN))
    return rows


def _of_003() -> list[Printed]:
    ours = OnFpga(Point(STAND_INS[0], DIGIT_SERIAL_NBITS), "virtexe")
    return [
        Printed(
            "003, figure 17.4",
            f"digits of {bits} bits",
            DIGIT_SERIAL_NBITS,
            ((SLICES, slices),),
            ours,
            STANDS_IN,
        )
        for bits, slices in DIGIT_SERIAL_SLICES.items()
    ]


PRINTED = (
    *_of_004(),
    *(_algo(2, "mmred-004", nbits, alms, None) for nbits, alms in ALGO_2_ALMS.items()),
    *_of_002(),
    *_of_003(),
)


def tasks_to(nbits: int, *devices: str) -> tuple[OnFpga, ...]:
    """Our units beside the documents' figures of at most so many bits, each once; those on the
    devices, if any are named."""
    tasks = (row.ours for row in PRINTED if row.nbits <= nbits)
    return tuple(dict.fromkeys(task for task in tasks if not devices or task.device in devices))
