"""The contract of private operations by CRT: a key, messages and public exponents, at the port.

What a right key gives is the message's power by d, whichever prime is p. What a wrong one gives, or
a wrong exponent, is status "fault" and no result, unless the result is right for all that: as the
power of 0 is by any key. Powers between them are answered as ever.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import gcd
from random import Random

from rsa import prime

from cl.exponentiator import Exponentiator
from eval.contract.check import TIME, TIMED_LEVELS, Mismatch
from eval.contract.xcel import GO_AHEAD, POP, STATUS, check_answers
from fl.crt import E_BITS, CrtKey
from fl.rsa_keys import RsaKey, even_key
from fl.xcel import (
    BASE,
    EXP,
    MOD,
    PRIVATE,
    STATUS_BAD_MODULUS,
    STATUS_FAULT,
    WRITE,
    to_words,
    words,
)
from fl.xcel_crt import key_requests
from sim.stream import NO_STALLS, Stalls, StreamRunner

Access = tuple[int, int, int]


@dataclass(frozen=True)
class PrivateCase:
    """Asks for message^d mod n of a key, in parts that may be wrong."""

    name: str
    nbits: int
    key: RsaKey
    parts: CrtKey
    message: int
    n: int
    status: int = 0

    @property
    def result(self) -> int:
        """Return what must be answered."""
        return 0 if self.status else pow(self.message, self.key.d, self.key.n)

    @property
    def requests(self) -> list[Access]:
        """List the requests: key, operands, a go, pops, status."""
        operands = ((BASE, self.message), (MOD, self.n))
        pushes = [
            (WRITE, register, word)
            for register, operand in operands
            for word in to_words(operand, self.nbits)
        ]
        pops = [POP] * words(self.nbits)
        return [*key_requests(self.nbits, self.parts), *pushes, private_go(), *pops, STATUS]

    def __str__(self) -> str:
        return f"{self.nbits}b:{self.name}"


def private_go(data: int = PRIVATE) -> Access:
    """Return the go of a private operation; bits of its data but the lowest say nothing."""
    return GO_AHEAD[0], GO_AHEAD[1], data


def messages(key: RsaKey, nbits: int) -> dict[str, int]:
    """Name messages at the edges of the primes, of n, and of nbits, which is above n."""
    n, p, q = key.n, key.p, key.q
    return {
        "0": 0,
        "1": 1,
        "n-1": n - 1,
        "p": p,
        "q": q,
        "a multiple of p": (q - 1) * p,
        "a multiple of q": (p - 1) * q,
        "above p": p + 1,
        "top bit clear": (1 << nbits - 2) + 1,
        "n": n,
        "ones": (1 << nbits) - 1,
    }


def right_cases(nbits: int, seed: int) -> list[PrivateCase]:
    """List all edges under keys of both orders of primes, then messages under other keys."""
    key = even_key(nbits, seed)
    parts = CrtKey.of(key)
    rows = [
        PrivateCase(f"{name}{order}", nbits, key, one, message, key.n)
        for name, message in messages(key, nbits).items()
        for order, one in ((", p > q", parts), (", p < q", parts.turned()))
    ]
    rng = Random(f"private {nbits} {seed}")
    half = nbits // 2
    keys = {
        "another key": even_key(nbits, seed + 1),
        "p short": drawn_key(rng, half * 3 // 4, half),
        "q short": drawn_key(rng, half, half // 2),
    }
    for name, key in keys.items():
        c = rng.getrandbits(nbits)
        rows.append(PrivateCase(name, nbits, key, CrtKey.of(key), c, key.n))
    return rows


def drawn_key(rng: Random, p_bits: int, q_bits: int) -> RsaKey:
    """Draw a key of primes of these lengths, of 4 bits at least, with any public exponent."""
    while True:
        p, q = (rng.getrandbits(bits) | 1 << bits - 1 | 1 for bits in (p_bits, q_bits))
        order = (p - 1) * (q - 1)
        e = rng.getrandbits(rng.randint(2, min(E_BITS, p_bits + q_bits))) | 1
        if p != q and prime.is_prime(p) and prime.is_prime(q) and e > 1 and gcd(e, order) == 1:
            return RsaKey("drawn", "drawn_key", p * q, e, pow(e, -1, order), p, q)


def wrong_cases(nbits: int, seed: int) -> list[PrivateCase]:
    """List a case for each part that is wrong in a bit, and for operands that do not fit; and 0,
    whose power is right under each of these keys."""
    key = even_key(nbits, seed)
    parts = CrtKey.of(key)
    c = next(_not_found_by_chance(key, Random(f"wrong {nbits} {seed}")))
    right = PrivateCase("", nbits, key, parts, c, key.n, STATUS_FAULT)
    rows = [
        replace(right, name=f"wrong {part}", parts=replace(parts, **{part: value ^ 2}))
        for part, value in vars(parts).items()
    ]
    return [
        *rows,
        replace(right, name="no exponent", parts=replace(parts, e=0)),
        replace(right, name="another modulus", n=key.n - 2),
        replace(right, name="an even modulus", n=key.n - 1, status=STATUS_BAD_MODULUS),
        *(replace(row, name=f"0, {row.name}", message=0, status=0) for row in rows),
    ]


def _not_found_by_chance(key: RsaKey, rng: Random) -> Iterator[int]:
    """Draw messages; of small primes some powers of a wrong key are right by chance."""
    parts = CrtKey.of(key)
    while True:
        c = rng.randrange(2, key.n)
        s = pow(c, key.d, key.n)
        changed = (pow(c, parts.dp ^ 2, key.p), pow(c, parts.dq ^ 2, key.q))
        if changed[0] != s % key.p and changed[1] != s % key.q and pow(s, 2, key.n) != 1:
            yield c


# The messages whose power does not depend on a part of the key, if that is odd where it was: of all
# others a damaged part makes another number, which the check by e finds.
INDEPENDENT = {
    "p": ("0",),
    "q": ("0",),
    "dp": ("0", "1", "n-1", "n", "p", "a multiple of p", "above p"),
    "dq": ("0", "1", "n-1", "n", "q", "a multiple of q"),
    "q_inverse": ("0",),
    "e": ("0", "1", "n-1", "n"),
}


def damaged_cases(nbits: int, seed: int) -> list[PrivateCase]:
    """List messages at the edges under a key with one bit of one part flipped, never the lowest.

    1 is left out under a damaged q_inverse: whether hardware finds its power, which is right, or a
    fault depends on how it represents the residues.
    """
    key, rng = even_key(nbits, seed), Random(f"damaged {nbits} {seed}")
    parts = CrtKey.of(key)
    rows = []
    for part, value in vars(parts).items():
        flipped = replace(parts, **{part: value ^ 1 << rng.randrange(1, nbits // 2 - 1)})
        for name, message in messages(key, nbits).items():
            if (part, name) == ("q_inverse", "1"):
                continue
            status = 0 if name in INDEPENDENT[part] else STATUS_FAULT
            rows.append(
                PrivateCase(f"{name}, damaged {part}", nbits, key, flipped, message, key.n, status)
            )
    return rows


def check_private(
    runner: StreamRunner,
    exponentiator: Exponentiator,
    cases: Sequence[PrivateCase],
    stalls: Stalls = NO_STALLS,
    max_cycles: int | None = None,
) -> None:
    """Ask the cases, and after each for the result's power by the key's e, or if there is none for
    the message's; raise Mismatch at the first wrong word, or go that takes other cycles."""
    nbits = exponentiator.nbits
    requests: list[Access] = []
    answers: list[int] = []
    goes: dict[int, tuple[PrivateCase, int]] = {}
    for case in cases:
        asked = case.requests
        go = len(asked) - words(nbits) - 2
        goes[len(requests) + go] = case, exponentiator.private_latency(case.parts.e, case.n)
        requests += asked
        answers += [0] * (go + 1) + [*to_words(case.result, nbits), case.status]
        base, e, n = case.message if case.status else case.result, case.key.e, case.key.n
        for register, operand in ((BASE, base), (EXP, e), (MOD, n)):
            requests += [(WRITE, register, word) for word in to_words(operand, nbits)]
        goes[len(requests)] = case, exponentiator.latency(base, e, n)
        requests += [GO_AHEAD, *[POP] * words(nbits), STATUS]
        answers += [0] * (3 * words(nbits) + 1)
        answers += [*to_words(pow(base, e, n), nbits), 0]
    transfers = check_answers(runner, requests, answers, stalls, max_cycles)
    if stalls is not NO_STALLS or runner.level not in TIMED_LEVELS:
        return
    for i, (case, latency) in goes.items():
        cycles = transfers[i + 1].arrived - transfers[i].arrived
        if cycles != latency + 1:
            said = f"{cycles} cycles, not {latency + 1}"
            raise Mismatch(f"{runner.name}, case {case}: {said}", kind=TIME)
