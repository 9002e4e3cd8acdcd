"""What documents say of how their designs grow with the width n, or with the bits S of a word."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from eval.printed import document_002, document_003, document_004


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

    nbits: int = document_003.NBITS


def _of_004(column: str, name: str, design: str) -> tuple[Statement, ...]:
    """List what table 1 prints of an algorithm, without its misprints."""
    cells = {row.nbits: getattr(row, column) for row in document_004.TABLE_1}
    cycles = {nbits: cell.cycles for nbits, cell in cells.items() if not cell.misprint}
    alms = {nbits: cell.alms for nbits, cell in cells.items()}
    periods = {nbits: 1000 / cell.mhz for nbits, cell in cells.items() if cell.mhz}
    source = document_004.SOURCE
    return (
        Statement(source, f"cycles, {name}", design, "xcel_cycles_d", 2, cycles),
        Statement(source, f"ALMs, {name}", design, "area_um2", figures=alms),
        Statement(source, f"period, {name}", design, "period_reached_ns", figures=periods),
    )


def _of_002(resource: str, title: str) -> Statement:
    figures = {
        figure.nbits: figure.value
        for figure in document_002.FIGURES
        if (figure.of, figure.what) == ("multiplier", resource)
    }
    title = f"{title}, multiplier"
    return Statement("002, tables 1-3", title, "systolic-16", "area_um2", figures=figures)


_WORDS = [row.word_bits for row in document_003.ROWS]
# Two of the printed cycles stand in each other's row: they fall with S.
_CYCLES = sorted((row.cycles for row in document_003.ROWS), reverse=True)
_OF_003 = {
    ("cycles", "cycles_e"): dict(zip(_WORDS, _CYCLES, strict=True)),
    ("slices", "area_um2"): {row.word_bits: row.slices for row in document_003.ROWS},
    ("period", "period_reached_ns"): {row.word_bits: row.period_ns for row in document_003.ROWS},
}

STATEMENTS = (
    Statement("001, section 5.1", "cycles, naive", "mul-rem", "xcel_cycles_d", 2),
    Statement("001, section 5.2", "area, naive", "mul-rem", "area_um2", 1),
    Statement("001, section 5.2", "area, Montgomery", "mont-001", "area_um2", 2),
    Statement(
        *("002, (2n+2)(3s+2)", "cycles, exponentiation", "systolic-16", "xcel_cycles_d"),
        figures=document_002.EXPONENTIATION_CYCLES,
    ),
    _of_002("luts", "tables"),
    _of_002("ffs", "registers"),
    _of_002("dsp", "DSP blocks"),
    *_of_004("algo_4", "Algo 4", "mmm-004"),
    *_of_004("algo_6", "Algo 6", "ssmm-004"),
    *(
        ByWord("003, figure 17.4", f"{of}, over S", "serial-pz-{}", metric, figures=figures)
        for (of, metric), figures in _OF_003.items()
    ),
)
