"""Table 1 of document 004 reproduced: its cycles beside the formulas' and the hardware's.

The keys have exponents as long as those of the document's (see printed_004.py). Their moduli
are others, which moves the mean of T6 by less than k: 2^n/m is from 1 to 2.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import gcd
from random import Random
from typing import Any

from cl.ssmm import ssmm_004_mean
from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.printed.document_004 import TABLE_1
from eval.tasks.run import simulate
from eval.tasks.store import Key, as_text
from eval.tasks.versions import formula_tools, simulation_tools
from fl.rsa_keys import EXAMPLES, KEY_004, RsaKey, seeded_key
from sim.errors import RunError
from sim.translate import Translation, translate

WIDTHS = tuple(row.nbits for row in TABLE_1)
EXAMPLE_BITS = KEY_004.n.bit_length()
EXAMPLE_CYCLES = (16612, 16893)  # encryption and decryption, printed for algo 6

ALGORITHMS = {"Algo 4": "mmm-004", "Algo 6": "ssmm-004"}


@dataclass(frozen=True)
class TableRow:
    """One cell of table 1 and what we have beside it; cycles are means of both operations."""

    algorithm: str
    point: Point
    exp_bits: float
    printed: int
    expected: float  # the document's formula, mean over random bases, for our key
    formula: float | None  # our design's formula in cl, for the requests
    measured: float | None  # RTL in batch
    misprint: str

    @property
    def nbits(self) -> int:
        """Its width."""
        return self.point.nbits


@dataclass(frozen=True, order=True)
class Table004:
    """The two requests of a width of table 1: by an exponentiator's formula, and if simulated, at
    level batch."""

    point: Point
    simulated: bool = True
    workload: str = "table 1 of 004"

    def __str__(self) -> str:
        return f"{self.point} {self.workload}"

    @property
    def key(self) -> Key:
        """The row's key."""
        return Key(
            kind="table-004",
            design=self.point.design,
            nbits=self.point.nbits,
            parameters=as_text({"levels": ["formula", "batch"] if self.simulated else ["formula"]}),
            workload=repr(requests_for(self.point.nbits)),
            verilog=_translation(self.point).digest if self.simulated else "",
            tools=as_text(self._tools() | formula_tools()),
        )

    def _tools(self) -> dict[str, str]:
        return simulation_tools() if self.simulated else {}

    def compute(self, on_step: Callable[[str], None]) -> dict[str, Any]:
        """The cycles of both requests; RunError if an answer is wrong."""
        on_step("formula")
        design, nbits = self.point.entry, self.point.nbits
        requests = requests_for(nbits)
        result: dict[str, Any] = {
            "formula": [design.cycles(nbits, r.base, r.exp, r.mod) for r in requests],
            "tools": self._tools(),
        }
        if not self.simulated:
            return result
        on_step("simulating")
        answers = simulate(self.point, requests, "batch")
        for request, answer in zip(requests, answers, strict=True):
            if (answer.result, answer.status) != (request.result, 0):
                raise RunError(f"{self}: answered {answer.result}, right is {request.result}")
        return result | {"cycles": [answer.cycles for answer in answers]}


@lru_cache(None)
def _translation(point: Point) -> Translation:
    """The Verilog that is simulated: the exponentiator alone."""
    return translate(point.entry.component("rtl", point.nbits))


def tasks_at(widths: tuple[int, ...]) -> list[Table004]:
    """What fills table 1, simulated at these widths."""
    points = [Point(design, nbits) for nbits in WIDTHS for design in ALGORITHMS.values()]
    return [Table004(point, point.nbits in widths) for point in points]


def t4(nbits: int, exp_bits: float, mod: int) -> float:
    """T4 = k(n+5) + 2n + bitlen(2^n - m) + 13, the cycles of the document's algo 4."""
    return exp_bits * (nbits + 5) + 2 * nbits + ((1 << nbits) - mod).bit_length() + 13


def mean(cycles: list[int]) -> float:
    """Of both operations, as the document prints it."""
    return sum(cycles) / len(cycles)


@cache
def key_for(nbits: int) -> RsaKey:
    """A key of this width whose exponents are as long as those of the document's."""
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
    """The encryption of a message and the decryption that undoes it."""
    key = key_for(nbits)
    if key is KEY_004:
        message = next(example.message for example in EXAMPLES if example.key is key)
    else:
        message = Random(f"table 1 message {nbits}").randrange(key.n)
    return Request(message, key.e, key.n), Request(pow(message, key.e, key.n), key.d, key.n)


def table_1(results: Mapping[Point, dict[str, Any]]) -> Iterator[TableRow]:
    """Every cell of the table, in its order, with the results of Table004 that there are."""
    for row in TABLE_1:
        mod = key_for(row.nbits).n
        for algorithm, cell, expected in (
            ("Algo 4", row.algo_4, t4(row.nbits, row.exp_bits, mod)),
            ("Algo 6", row.algo_6, ssmm_004_mean(row.nbits, row.exp_bits, mod)),
        ):
            point = Point(ALGORITHMS[algorithm], row.nbits)
            result = results.get(point, {})
            yield TableRow(
                algorithm,
                point,
                row.exp_bits,
                cell.cycles,
                expected,
                mean(result["formula"]) if "formula" in result else None,
                mean(result["cycles"]) if "cycles" in result else None,
                cell.misprint,
            )
