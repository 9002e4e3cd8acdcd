"""Table 1 of document 004 reproduced: its cycles beside the formulas' and the hardware's.

The keys have exponents as long as those of the document's (see eval/printed/document_004.py). Their
moduli are others, which moves the mean of T6 by less than k: 2^n/m is from 1 to 2.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import gcd
from random import Random
from typing import Any

from cl.ssmm import ssmm_004_mean
from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.printed.document_004 import EXAMPLE_CYCLES, MISPRINT_4, MISPRINT_6, TABLE_1
from eval.tasks.exponentiation import simulate
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.section import Section
from eval.tasks.task import SHORT, OnStep, Result, Task
from eval.tasks.unit import EXPONENTIATOR
from eval.tasks.versions import simulation_tools
from fl.rsa_keys import EXAMPLES, KEY_004, RsaKey, seeded_key

WIDTHS = tuple(row.nbits for row in TABLE_1)
MOST_IN_STUDY = 512  # bits that study table-004 simulates; wider ones are table-004-long's
EXAMPLE_BITS = KEY_004.n.bit_length()
ALGORITHMS = {"Algo 2": "mmred-004-printed", "Algo 4": "mmm-004-printed", "Algo 6": "ssmm-004"}
BASE_ONLY = "base only"  # ours: the result is plain from the beginning
DESIGNS = ALGORITHMS | {BASE_ONLY: "mmm-004"}
SIMULATED = ("mmm-004-printed", "ssmm-004")  # by studies table-004 and -long
OF_STUDY = "document-004"  # which simulates the others, too


class Table004Result(Result):
    """Cycles of both requests: by the formula, and of the hardware if it was simulated."""

    formula: list[int]
    cycles: list[int] | None = None


@dataclass(frozen=True)
class Table004(Task[Table004Result]):
    """The two requests of a width of table 1: by an exponentiator's formula, and if simulated, at
    level batch."""

    point: Point
    simulated: bool = True
    kind = "table-004"
    Result = Table004Result
    text = "{0.point} table 1 of 004"
    shell = "explore {0.study}"
    unit = EXPONENTIATOR
    rank = SHORT
    runs = "table 1 of 004"
    by_entry = True
    place = "table_004"

    @property
    def study(self) -> str:
        """The name of the study that has the row."""
        if self.simulated and self.point.design not in SIMULATED:
            return OF_STUDY
        return f"table-004{'-long' * (self.simulated and self.point.nbits > MOST_IN_STUDY)}"

    def parameters(self) -> dict[str, Any]:
        """Say whether it is simulated, and what."""
        return super().parameters() | {"requests": repr(requests_for(self.point.nbits))}

    def verilog(self) -> str:
        """Hash the exponentiator's Verilog, if it is simulated."""
        return super().verilog() if self.simulated else ""

    def tools(self) -> dict[str, str]:
        """Name what simulates."""
        return simulation_tools() if self.simulated else {}

    def compute(self, on_step: OnStep) -> Table004Result:
        """Count the cycles of both requests, by formula and in simulation, which checks them."""
        on_step("formula")
        design, nbits = self.point.entry, self.point.nbits
        requests = requests_for(nbits)
        formula = [design.cycles(nbits, r.base, r.exp, r.mod) for r in requests]
        if not self.simulated:
            return Table004Result(formula=formula, tools={})
        on_step("simulating")
        cycles = [answer.cycles for answer in simulate(self.point, requests, "batch")]
        return Table004Result(formula=formula, cycles=cycles, tools=simulation_tools())

    def as_json(self, result: Table004Result) -> dict[str, Any]:
        """Put the result beside the point."""
        cycles = {"mean": mean(result.cycles or result.formula)}
        return vars(self.point) | self.shown(result) | cycles


def tasks_at(widths: tuple[int, ...], others: tuple[int, ...] = ()) -> list[Table004]:
    """List what fills table 1, simulated at these widths; at `others` what is not of SIMULATED."""
    points = [Point(design, nbits) for nbits in WIDTHS for design in DESIGNS.values()]
    return [
        Table004(point, point.nbits in (widths if point.design in SIMULATED else others))
        for point in points
    ]


def t4(nbits: int, exp_bits: float, mod: int) -> float:
    """T4 = k(n+5) + 2n + bitlen(2^n - m) + 13, the cycles of the document's algo 4."""
    return exp_bits * (nbits + 5) + 2 * nbits + ((1 << nbits) - mod).bit_length() + 13


def mean(cycles: list[int] | None) -> float | None:
    """Take the mean of both operations, as the document prints it."""
    return cycles and sum(cycles) / len(cycles)


@cache
def key_for(nbits: int) -> RsaKey:
    """Find a key of this width whose exponents are as long as those of the document's."""
    if nbits == EXAMPLE_BITS:
        return KEY_004
    lengths = int(2 * next(row.exp_bits for row in TABLE_1 if row.nbits == nbits))
    primes = seeded_key(nbits, 1)
    order = (primes.p - 1) * (primes.q - 1)
    rng = Random(f"table 1 {nbits}")
    while True:
        e = rng.randrange(order)
        if gcd(e, order) == 1:
            d = pow(e, -1, order)
            if e.bit_length() + d.bit_length() == lengths:
                return RsaKey(
                    f"004-table-1-{nbits}", "tables_004", primes.n, e, d, primes.p, primes.q
                )


def requests_for(nbits: int) -> tuple[Request, Request]:
    """Make the encryption of a message, and the decryption that undoes it."""
    key = key_for(nbits)
    if key is KEY_004:
        message = next(example.message for example in EXAMPLES if example.key is key)
    else:
        message = Random(f"table 1 message {nbits}").randrange(key.n)
    return Request(message, key.e, key.n), Request(pow(message, key.e, key.n), key.d, key.n)


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
                cell and cell.cycles,
                expected,
                result and mean(result.formula),
                result and mean(result.cycles),
                cell.misprint if cell else "",
            )


def table_004_grid(rows: Rows) -> Grid | None:
    """Show the table, with a dash for what was not measured."""
    return grid(
        "Table 1 of document 004: mean cycles of an encryption and a decryption",
        (
            words("algorithm", "design")
            + numbers(0, "bits")
            + numbers(1, "mean\nexponent bits")
            + numbers(0, "004")
            + numbers(1, "its formula,\nour key", "our formula", "measured")
            + numbers(3, "measured /\n004")
        ),
        (
            line(
                *(row.algorithm, row.task.point.design, row.nbits, row.exp_bits),
                *(row.printed and f"{row.printed}{'*' * bool(row.misprint)}", row.expected),
                *(row.formula, row.measured),
                row.measured and row.printed and row.measured / row.printed,
                commands=() if row.formula is None else (row.task.command,),
            )
            for row in table_1(rows)
        ),
        "The document prints no key but that of 128 bits; ours have exponents as long as its "
        "algo 4 figures imply. Its formula for algo 6 is the mean over random operands. Measured: "
        "translated Verilog, compiled (level batch), every answer checked; wider ones are measured "
        f"by study table-004-long, algo 2 and {DESIGNS[BASE_ONLY]} by {OF_STUDY}. "
        f"* {MISPRINT_4.capitalize()} (algos 2 and 4), "
        f"{MISPRINT_6.removeprefix('misprint: ')} (algo 6). {_turned_round(rows)}{_example(rows)}",
    )


def _turned_round(rows: Rows) -> str:
    """Say what becomes of the document's claim where the result need not be converted."""
    cells = {(row.algorithm, row.nbits): row.formula for row in table_1(rows)}
    both = [n for n in WIDTHS if cells[BASE_ONLY, n] and cells["Algo 6", n]]
    fewer = [n for n in both if cells[BASE_ONLY, n] < cells["Algo 6", n]]
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


SECTION = Section(results=lambda rows: [table_004_grid(rows)])
