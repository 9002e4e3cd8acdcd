"""Workloads: what a design is asked to compute when it is measured, at every width.

Workload `e` is an RSA encryption and workload `d` the decryption that undoes it, at full key
length for every width. RULE says which keys, exponents and messages they are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from eval.catalog.inputs import shorten
from fl.rsa_keys import BENCHMARK, RsaKey, seeded_key
from sim.errors import ArgumentError, UserError

BENCHMARK_BITS = 32
SMALLEST_SEEDED = 16
SMALL_KEY = RsaKey("221", "RULE of eval/catalog/workloads.py", n=221, e=17, d=113, p=17, q=13)


RULE = (
    "At 32 bits: document 001's benchmark key, n = 2148676643, e = 65537, d = 977851481, message "
    "995313404.",
    "At other widths the modulus is that of a fixed key of the same width, or of the next even "
    "width below (fl.rsa_keys.seeded_key(n, 1)). Below 16 bits there is none, and it is 221 = "
    "13 * 17.",
    "The public exponent e is 65537 where it fits: it has 17 bits. At 16 bits 257 takes its place "
    "and below that 17, the next smaller primes of the form 2^(2^i) + 1.",
    "The private exponent d belongs to that key: e * d = 1 mod (p-1)(q-1).",
    "A design that takes few moduli has a key of its own: up to 64 bits one whose "
    "exponents have as many bits and ones as the others', where there is one; the table of cycles "
    "says how many they have. One for a single modulus, which is hardly ever an RSA modulus, is "
    "asked for the same exponents as the others.",
    "The message is the same part of the modulus as in the benchmark: floor(n * 995313404 / "
    "2148676643).",
)


@dataclass(frozen=True)
class Request:
    """Asks for one exponentiation: base^exp mod mod, all whole numbers from 0 on."""

    base: int
    exp: int
    mod: int

    def __post_init__(self) -> None:
        for argument, value in vars(self).items():
            if not (isinstance(value, int) and value >= 0):
                shown = value if isinstance(value, int) else repr(value)
                raise ArgumentError(
                    f"--{argument}: {shorten(shown)} is not a whole number from 0 on"
                )

    def __str__(self) -> str:
        base, exp, mod = map(shorten, (self.base, self.exp, self.mod))
        return f"{base}^{exp} mod {mod}"

    @property
    def result(self) -> int:
        """Return the right answer."""
        return pow(self.base, self.exp, self.mod)


@lru_cache(None)
def key_for(nbits: int) -> RsaKey:
    """Return the key of the workloads at this width."""
    if nbits == BENCHMARK_BITS:
        return BENCHMARK.key
    if nbits < SMALLEST_SEEDED:
        return SMALL_KEY
    return seeded_key(nbits - nbits % 2, 1)


def message_for(key: RsaKey) -> int:
    """Return the message of the workloads under a key."""
    return key.n * BENCHMARK.message // BENCHMARK.key.n


def _encrypt(key: RsaKey) -> Request:
    return Request(message_for(key), key.e, key.n)


def _decrypt(key: RsaKey) -> Request:
    return Request(_encrypt(key).result, key.d, key.n)


@dataclass(frozen=True)
class Workload:
    """Names an exponentiation, fitted to a key by under(key)."""

    name: str
    title: str
    under: Callable[[RsaKey], Request]

    def request(self, nbits: int, key: Callable[[int], RsaKey] | None = None) -> Request:
        """Return that at a width: under its key, or that of a design which takes no such key."""
        return self.under((key or key_for)(nbits))


WORKLOADS: dict[str, Workload] = {
    workload.name: workload
    for workload in (
        Workload("e", "encryption, public exponent e", _encrypt),
        Workload("d", "decryption, private exponent d", _decrypt),
    )
}


def request_for(
    nbits: int,
    workload: str | None,
    base: int | None,
    exp: int | None,
    mod: int | None,
    key: Callable[[int], RsaKey] | None = None,
) -> Request:
    """Return the request of a workload or of three operands; UserError unless exactly one."""
    operands = {"--base": base, "--exp": exp, "--mod": mod}
    if workload is None:
        if base is None or exp is None or mod is None:
            missing = next(name for name, value in operands.items() if value is None)
            raise UserError(f"{missing}: not given; give --base, --exp and --mod, or --workload")
        return Request(base, exp, mod)
    given = [name for name, value in operands.items() if value is not None]
    if given:
        raise UserError(f"--workload: excludes {given[0]}; give one or the other")
    if workload not in WORKLOADS:
        raise UserError(f"--workload: no workload {workload!r}; choose from {', '.join(WORKLOADS)}")
    return WORKLOADS[workload].request(nbits, key)
