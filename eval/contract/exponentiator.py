"""The contract of exponentiators: cases for every level, and what checks a design by them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile
from random import Random
from typing import Any

from cl.exponentiator import Exponentiator
from cl.model import Model
from eval.catalog.design import any_modulus
from eval.contract.check import check_model
from eval.contract.edges import edges
from fl.exponentiator import BAD_MODULUS, OK
from fl.rsa_keys import EXAMPLES
from sim.stream import NO_STALLS, Stalls, StreamRunner, Transfer

WINDOWS = range(2, 7)  # bits of the windows by which designs go
PATIENCE = 40  # cycles that stalls may cost a transfer
SHORT_EXP = 0b1101  # read from the wrong end it is 11, so a reversed scan is seen


@dataclass(frozen=True)
class ExpCase:
    """Asks an nbits-wide exponentiator for base^exp mod mod."""

    name: str
    nbits: int
    base: int
    exp: int
    mod: int

    @property
    def operands(self) -> tuple[int, int, int]:
        """Return the fields of the request."""
        return self.base, self.exp, self.mod

    def __str__(self) -> str:
        return f"{self.nbits}b:{self.name}"


def expected(case: ExpCase, takes: Callable[[int], bool] = any_modulus) -> tuple[int, int]:
    """Return (result, status) that a design which takes the moduli `takes` must answer."""
    if not takes(case.mod):
        return 0, BAD_MODULUS
    return pow(case.base, case.exp, case.mod), OK


def edge_moduli(nbits: int) -> dict[str, int]:
    """Name the moduli at the edges of nbits, 0 (which no design takes) included."""
    return edges(nbits) | {"quarter+1": (1 << nbits - 2) + 1}


def edge_bases(nbits: int, mod: int) -> dict[str, int]:
    """Name the bases at the edges of mod and of nbits; those that do not exist are left out."""
    ones = (1 << nbits) - 1
    bases = {"0": 0, "1": 1, "m-1": mod - 1, "m": mod, "m+1": mod + 1, "ones": ones}
    return {name: base for name, base in bases.items() if 0 <= base <= ones}


def edge_exponents(nbits: int) -> dict[str, int]:
    """Name the exponents at the edges of nbits, a palindrome and its opposite included."""
    ones, top = (1 << nbits) - 1, 1 << (nbits - 1)
    return edges(nbits) | {
        "4": 4,
        "alternating": ones // 3,
        "top-runs": top | top >> 1 | top >> 3 | 2,
    }


def window_exponents(nbits: int) -> dict[str, int]:
    """Name the exponents whose windows, counted from the lowest bit, are ones and zeros by turns,
    for every size of window: the top one is all ones, or all zeros."""
    ones = (1 << nbits) - 1
    found: dict[str, int] = {}
    for size in WINDOWS:
        places = range(-(-nbits // size) - 1, -1, -2)
        of_ones = sum((1 << size) - 1 << size * place for place in places) & ones
        found |= {f"windows-{size}": of_ones, f"windows-{size}-0s": ones ^ of_ones}
    return found


def edge_cases(nbits: int, exp_bits: int | None = None) -> list[ExpCase]:
    """List all edge bases under all edge moduli, then all edge exponents under four of them, and
    windows of ones under an odd one.

    nbits >= 4. Exponents have at most exp_bits bits (nbits if not given; at least 4), which
    keeps wide designs quick.
    """
    rows = [
        ExpCase(f"base={b},exp=13,mod={m}", nbits, base, SHORT_EXP, mod)
        for m, mod in edge_moduli(nbits).items()
        for b, base in edge_bases(nbits, mod).items()
    ]
    moduli = edge_moduli(nbits)
    bases = {"ones-1": (1 << nbits) - 2, "5": 5}
    rows += [
        ExpCase(f"base={b},exp={e},mod={m}", nbits, base, exp, moduli[m])
        for m, b in (("0", "5"), ("1", "ones-1"), ("ones", "ones-1"), ("top+1", "5"))
        for base in (bases[b],)
        for e, exp in edge_exponents(exp_bits or nbits).items()
    ]
    rows += [
        ExpCase(f"base=5,exp={e},mod=top+1", nbits, bases["5"], exp, moduli["top+1"])
        for e, exp in window_exponents(exp_bits or nbits).items()
    ]
    return rows


def random_cases(
    nbits: int, count: int, seed: int, exp_bits: int | None = None, odd: bool = False
) -> list[ExpCase]:
    """Draw count cases from seed: lengths vary, base may pass mod; odd moduli on demand."""
    rng = Random(f"exponent {nbits} {seed}")
    rows = []
    for i in range(count):
        mod = _any_length(rng, nbits) or 1
        rows.append(
            ExpCase(
                name=f"random-{seed}-{i}",
                nbits=nbits,
                base=rng.getrandbits(nbits),
                exp=_any_length(rng, exp_bits or nbits),
                mod=max(mod | 1, 3) if odd else mod,
            )
        )
    return rows


def fitted(cases: list[ExpCase], mod: int) -> list[ExpCase]:
    """Put the cases under one modulus, for a design that takes no other, with bases at its edges.

    Every fourth stays as it is: another modulus, to be refused.
    """
    nbits = cases[0].nbits
    rows = [case if i % 4 == 3 else replace(case, mod=mod) for i, case in enumerate(cases)]
    return rows + [
        ExpCase(f"base={b},exp=13,mod={mod}", nbits, base, SHORT_EXP, mod)
        for b, base in edge_bases(nbits, mod).items()
    ]


def in_a_row(cases: list[ExpCase]) -> list[ExpCase]:
    """Put about half of the cases under the modulus of the one before."""
    rng = Random("in a row")
    rows = cases[:1]
    for case in cases[1:]:
        rows.append(replace(case, mod=rows[-1].mod) if rng.random() < 0.5 else case)
    return rows


def within(cases: Sequence[Any], model: Model, cycles: int | None) -> list[Any]:
    """Shuffle the cases, and leave as many as it answers in so many cycles, one at least; all if
    there is no limit."""
    drawn = Random("within").sample(cases, len(cases))
    return drawn if cycles is None else first(drawn, model, cycles)


def first(cases: Sequence[Any], model: Model, cycles: int) -> list[Any]:
    """Return the first cases, as many as it answers in so many cycles, one at least."""
    ends = accumulate(model.latency(*case.operands) for case in cases)
    return list(cases[: max(1, sum(1 for _ in takewhile(cycles.__ge__, ends)))])


def _any_length(rng: Random, nbits: int) -> int:
    """Draw full length half of the time, else any shorter length."""
    return rng.getrandbits(nbits if rng.random() < 0.5 else rng.randint(1, nbits))


def document_cases() -> list[ExpCase]:
    """List the documents' worked examples, and the operands that break what they print."""
    rows = []
    for example in EXAMPLES:
        key = example.key
        nbits = key.nbits
        rows += [
            ExpCase(f"{key.name}-encrypt", nbits, example.message, key.e, key.n),
            ExpCase(f"{key.name}-decrypt", nbits, example.ciphertext, key.d, key.n),
        ]
    return rows + [
        ExpCase("000-table-1", 8, 3, 23, 29),
        ExpCase("000-left-to-right-scan", 8, 3, 4, 101),
        ExpCase("000-palindrome-exponent", 32, 3, 65537, 3381691693),
        ExpCase("004-base-above-modulus", 8, 5, 8, 3),
        ExpCase("004-base-is-modulus", 8, 9, 3, 9),
        ExpCase("004-exponent-0", 32, 12345, 0, 2148676643),
        ExpCase("004-exponent-0-modulus-1", 32, 12345, 0, 1),
        ExpCase("004-modulus-0", 32, 12345, 65537, 0),
        ExpCase("002-full-width-modulus-145", 8, 142, 15, 145),
    ]


def check_resets(runner: StreamRunner, exponentiator: Exponentiator, mod: int) -> None:
    """Break off a long request by a reset in some of its cycles, in PyMTL3's own simulator; raise
    Mismatch if the next request is not answered as ever."""
    from sim.python import PythonEngine

    nbits = exponentiator.nbits
    Request, _ = exponentiator.messages
    case = ExpCase("after-reset", nbits, 200, 77, mod)
    assert isinstance(runner.engine, PythonEngine), runner.name
    dut = runner.engine.top
    limit = 2 * exponentiator.latency(*case.operands) + PATIENCE
    for cycles_before in (1, 2, 3, 7, 20, 41):
        runner.reset()
        dut.recv.msg @= Request(123, (1 << nbits) - 1, mod)
        dut.recv.val @= 1
        dut.send.rdy @= 0
        for _ in range(cycles_before):
            dut.sim_tick()
        check_exponentiator(runner, exponentiator, [case], max_cycles=limit)


def check_exponentiator(
    runner: StreamRunner,
    exponentiator: Exponentiator,
    cases: Sequence[ExpCase],
    stalls: Stalls = NO_STALLS,
    max_cycles: int | None = None,
) -> list[Transfer]:
    """Run the cases; raise Mismatch at the first answer that is not `pow`'s, or at another time."""
    return check_model(
        runner,
        exponentiator,
        [case.operands for case in cases],
        [expected(case, exponentiator.takes) for case in cases],
        [str(case) for case in cases],
        stalls,
        max_cycles,
    )
