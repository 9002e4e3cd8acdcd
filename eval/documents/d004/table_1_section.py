"""What a report shows of document 004's table 1: its cycles beside the formulas' and ours."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cl.ssmm import ssmm_004_mean
from eval.catalog.point import Point
from eval.documents.d004.figures import EXAMPLE_CYCLES, MISPRINT_4, MISPRINT_6, TABLE_1, WIDTHS
from eval.documents.d004.table_1 import (
    ALGORITHMS,
    BASE_ONLY,
    DESIGNS,
    EXAMPLE_BITS,
    OF_STUDY,
    Table004,
    Table004Result,
    key_for,
    mean,
)
from eval.documents.tables import table
from eval.tasks.section import Section, tables


def t4(nbits: int, exp_bits: float, mod: int) -> float:
    """T4 = k(n+5) + 2n + bitlen(2^n - m) + 13, the cycles of the document's algo 4."""
    return exp_bits * (nbits + 5) + 2 * nbits + ((1 << nbits) - mod).bit_length() + 13


Rows = Mapping[Table004, Table004Result | None]


@dataclass(frozen=True)
class TableRow:
    """One cell of table 1 and what we have beside it; cycles are means of both operations."""

    algorithm: str
    task: Table004
    exp_bits: float
    printed: int | None
    expected: float | None  # the document's formula, mean over random bases, for our key
    formula: float | None  # our design's formula in cl, for the requests
    measured: float | None  # RTL in batch
    misprint: str

    @property
    def nbits(self) -> int:
        """Its width."""
        return self.task.point.nbits

    @property
    def written(self) -> str | None:
        """The printed figure with its mark."""
        return f"{self.printed}{'*' * bool(self.misprint)}" if self.printed else None

    @property
    def commands(self) -> tuple[str, ...]:
        """The command that fills it, if it did."""
        return () if self.formula is None else (self.task.command,)


def table_1(rows: Rows) -> Iterator[TableRow]:
    """Fill every cell of the table, in its order, with the results that there are."""
    results = {task.point: (task, result) for task, result in rows.items()}
    for row in TABLE_1:
        mod = key_for(row.nbits).n
        of_4 = t4(row.nbits, row.exp_bits, mod)
        for algorithm, cell, expected in (
            ("Algo 2", row.algo_2, of_4),
            ("Algo 4", row.algo_4, of_4),
            (BASE_ONLY, None, None),
            ("Algo 6", row.algo_6, ssmm_004_mean(row.nbits, row.exp_bits, mod)),
        ):
            point = Point(DESIGNS[algorithm], row.nbits)
            task, result = results.get(point, (Table004(point), None))
            yield TableRow(
                algorithm,
                task,
                row.exp_bits,
                cell.cycles if cell else None,
                expected,
                mean(result.formula) if result else None,
                mean(result.cycles) if result else None,
                cell.misprint if cell else "",
            )


def _turned_round(rows: Rows) -> str:
    """Say what becomes of the document's claim where the result need not be converted."""
    ours = {(row.algorithm, row.nbits): row.formula for row in table_1(rows)}
    both = [n for n in WIDTHS if ours[BASE_ONLY, n] and ours["Algo 6", n]]
    fewer = [n for n in both if ours[BASE_ONLY, n] < ours["Algo 6", n]]
    if not both:
        return ""
    return (
        "That shift-sub takes fewer cycles is due to the conversions, and to five cycles per bit "
        f"beside the steps: {DESIGNS[BASE_ONLY]}, which converts the base only and asks as it "
        f"answers, takes fewer than algo 6 at {len(fewer)} of {len(both)} widths. "
    )


def _example(rows: Rows) -> str:
    """Tell of the example of 128 bits, the only one with a printed key, if it was measured."""
    told = [
        f"{algorithm} {' and '.join(map(str, result.cycles))}"
        for algorithm, design in ALGORITHMS.items()
        if (result := rows.get(Table004(Point(design, EXAMPLE_BITS)))) and result.cycles
    ]
    if not told:
        return ""
    its = " and ".join(map(str, EXAMPLE_CYCLES))
    return (
        f"The {EXAMPLE_BITS}-bit example, encryption and decryption: the document's Verilog of "
        f"algo 6 takes {its} cycles. Ours: {', '.join(told)}."
    )


def _terms(rows: Rows) -> dict[str, str]:
    return {
        **{"base_only": DESIGNS[BASE_ONLY], "study": OF_STUDY},
        **{"misprint_4": MISPRINT_4.capitalize(), "more": _turned_round(rows) + _example(rows)},
        "misprint_6": MISPRINT_6.removeprefix("misprint: "),
    }


CYCLES = table("004", "CYCLES", _terms, rows=table_1)
SECTION = Section(results=tables(CYCLES))
