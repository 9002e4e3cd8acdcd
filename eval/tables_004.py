"""Table 1 of document 004 reproduced: its cycles beside the formulas' and the hardware's.

The keys have exponents as long as those of the document's (see printed_004.py). Their moduli
are others, which moves the mean of T6 by less than k: 2^n/m is from 1 to 2.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import gcd
from random import Random

from cl.ssmm import ssmm_004_mean
from eval.catalog import DESIGNS
from eval.printed_004 import TABLE_1
from fl.messages import mk_exp_msgs
from fl.rsa_keys import EXAMPLES, KEY_004, RsaKey, seeded_key
from sim.errors import RunError
from sim.stream import StreamRunner

Request = tuple[int, int, int]  # base, exp, mod

WIDTHS = tuple(row.nbits for row in TABLE_1)
MEASURED_BY_DEFAULT = (64, 128, 256, 512)

ALGORITHMS = {"Algo 4": "mmm-004", "Algo 6": "ssmm-004"}


@dataclass(frozen=True)
class Row:
    """One cell of table 1 and what we have beside it; cycles are means of both operations."""

    algorithm: str
    nbits: int
    exp_bits: float
    printed: int
    expected: float  # the document's formula, mean over random bases, for our key
    formula: float | None  # our design's formula in cl, for the requests; None: no such design
    measured: float | None  # RTL in batch
    misprint: str

    @property
    def off_percent(self) -> float:
        """The printed figure against the expected one."""
        return 100 * (self.printed / self.expected - 1)


def t4(nbits: int, exp_bits: float, mod: int) -> float:
    """T4 = k(n+5) + 2n + bitlen(2^n - m) + 13, the cycles of the document's algo 4."""
    return exp_bits * (nbits + 5) + 2 * nbits + ((1 << nbits) - mod).bit_length() + 13


@cache
def key_for(nbits: int) -> RsaKey:
    """A key of this width whose exponents are as long as those of the document's."""
    if nbits == KEY_004.n.bit_length():
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
    return (message, key.e, key.n), (pow(message, key.e, key.n), key.d, key.n)


def measure(design: str, nbits: int) -> float:
    """The mean cycles of both requests at RTL, in batch; RunError if an answer is wrong."""
    requests = requests_for(nbits)
    ExpReq, ExpResp = mk_exp_msgs(nbits)
    with StreamRunner(DESIGNS[design].component("rtl", nbits), "batch", name=design) as runner:
        transfers = runner.run([ExpReq(*request) for request in requests])
    for request, transfer in zip(requests, transfers, strict=True):
        right = int(ExpResp(pow(*request), 0).to_bits())
        if transfer.response != right:
            raise RunError(
                f"{design}, {nbits} bits: response {transfer.response}, right is {right}"
            )
    return sum(transfer.cycles for transfer in transfers) / len(transfers)


def table_1(measured: tuple[int, ...] = MEASURED_BY_DEFAULT) -> Iterator[Row]:
    """Every cell of the table, in its order; the widths in `measured` are simulated too."""
    for row in TABLE_1:
        requests = requests_for(row.nbits)
        mod = requests[0][2]
        for algorithm, cell, expected in (
            ("Algo 4", row.algo_4, t4(row.nbits, row.exp_bits, mod)),
            ("Algo 6", row.algo_6, ssmm_004_mean(row.nbits, row.exp_bits, mod)),
        ):
            design = DESIGNS.get(ALGORITHMS[algorithm])
            formula = measured_cycles = None
            if design:
                formula = sum(design.cycles(row.nbits, *r) for r in requests) / len(requests)
                if row.nbits in measured:
                    measured_cycles = measure(design.name, row.nbits)
            yield Row(
                algorithm,
                row.nbits,
                row.exp_bits,
                cell.cycles,
                expected,
                formula,
                measured_cycles,
                cell.misprint,
            )
