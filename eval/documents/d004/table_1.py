"""Table 1 of document 004 reproduced: the cycles of its operations, by formula and in hardware.

The keys have exponents as long as those of the document's (see figures.py). Their
moduli are others, which moves the mean of T6 by less than k: 2^n/m is from 1 to 2.
"""

from dataclasses import dataclass
from functools import cache
from math import gcd
from random import Random
from typing import Any

from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.documents.d004.figures import TABLE_1, WIDTHS
from eval.tasks.exponentiation import simulate
from eval.tasks.task import SHORT, Result, Task
from eval.tasks.unit import EXPONENTIATOR, OnStep
from eval.tasks.versions import simulation_tools
from fl.rsa_keys import EXAMPLES, KEY_004, RsaKey, seeded_key

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


def mean(cycles: list[int] | None) -> float | None:
    """Take the mean of both operations, as the document prints it."""
    return sum(cycles) / len(cycles) if cycles else None


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
