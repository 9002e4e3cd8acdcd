"""RSA keys: the documents' own, and reproducible ones of any size.

The key of document 001's table 1 is printed without n. Two moduli fit its d; the one kept
here reproduces the printed cycles of the naive accelerator.
"""

from dataclasses import dataclass
from math import gcd, prod
from random import Random

from rsa import key, prime

MIN_BITS = 16  # the least that `rsa.newkeys` takes
MAX_BITS = 4096
F4 = 65537

_SIEVE = prod(p for p in range(3, 2000, 2) if prime.is_prime(p))
_SIEVE_BITS = 64  # shorter candidates could be primes of the sieve themselves


@dataclass(frozen=True)
class RsaKey:
    """n = p*q, e*d = 1 mod (p-1)*(q-1), p > q; source says where the numbers are from."""

    name: str
    source: str
    n: int
    e: int
    d: int
    p: int
    q: int

    @property
    def nbits(self) -> int:
        """Return the width of the design that runs this key."""
        return self.n.bit_length()


@dataclass(frozen=True)
class Example:
    """Holds a printed pair: message^e mod n = ciphertext and ciphertext^d mod n = message."""

    key: RsaKey
    message: int
    ciphertext: int


KEY_000 = RsaKey(
    name="000-example",
    source="document 000, equations 3 and 4",
    n=3381691693,
    e=5,
    d=2028945041,
    p=62639,
    q=53987,
)
KEY_001 = RsaKey(
    name="001-benchmark",
    source="document 001, table 1 (e and d printed, n inferred)",
    n=2148676643,
    e=F4,
    d=977851481,
    p=76829,
    q=27967,
)
KEY_001_FIGURE_1 = RsaKey(
    name="001-figure-1",
    source="document 001, figure 1",
    n=2603398711,
    e=F4,
    d=254738681,
    p=95443,
    q=27277,
)
KEY_004 = RsaKey(
    name="004-example",
    source="document 004, section I",
    n=291173165596690131543379395216261834371,
    e=78624383815806095082831236375207684303,
    d=232543530691965449749356023879307323711,
    p=17274135032339836727,
    q=16856020000513437973,
)

BENCHMARK = Example(KEY_001, message=995313404, ciphertext=2050940851)
EXAMPLES = (
    Example(KEY_000, message=17111998, ciphertext=407188056),
    BENCHMARK,
    Example(KEY_001_FIGURE_1, message=5745, ciphertext=1460365373),
    Example(
        KEY_004,
        message=179441695220040973036856247560209845703,
        ciphertext=212957456342734650649396939600336433714,
    ),
)


def check_key_bits(nbits: int) -> None:
    """Raise ValueError unless nbits is a key size: an even integer from 16 to 4096."""
    if not isinstance(nbits, int) or nbits % 2 or not MIN_BITS <= nbits <= MAX_BITS:
        raise ValueError(
            f"nbits must be an even integer from {MIN_BITS} to {MAX_BITS}, not {nbits!r}"
        )


def public_exponent(nbits: int) -> int:
    """Return 65537, or 257 for the 16-bit keys, which 65537 does not fit."""
    return F4 if nbits > 16 else 257


def may_be_prime(candidate: int) -> bool:
    """Return False for most composites, without a slow primality test."""
    return candidate.bit_length() <= _SIEVE_BITS or gcd(candidate, _SIEVE) == 1


def _next_prime(rng: Random, nbits: int, top: int) -> int:
    """Draw primes until one has nbits bits, of which the first are those of `top`."""
    while True:
        candidate = rng.getrandbits(nbits) | top << (nbits - top.bit_length()) | 1
        if may_be_prime(candidate) and prime.is_prime(candidate):
            return candidate


def seeded_key(nbits: int, seed: int) -> RsaKey:
    """Make the same key for the same nbits and seed, as `rsa.newkeys` does; for tests only."""
    check_key_bits(nbits)
    rng = Random(f"rsa key {nbits} {seed}")
    p, q, e, d = key.gen_keys(
        nbits, lambda bits: _next_prime(rng, bits, 0b1), exponent=public_exponent(nbits)
    )
    return RsaKey(name=f"seed-{seed}-{nbits}", source="seeded_key", n=p * q, e=e, d=d, p=p, q=q)


def even_key(nbits: int, seed: int) -> RsaKey:
    """Make a key as seeded_key does, but with two primes of nbits / 2 bits.

    Those of `rsa.newkeys` differ in length by an eighth; most libraries make primes of one length.
    """
    check_key_bits(nbits)
    rng = Random(f"even rsa key {nbits} {seed}")
    while True:
        p, q = (_next_prime(rng, nbits // 2, 0b11) for _ in range(2))
        if p != q and gcd(public_exponent(nbits), (p - 1) * (q - 1)) == 1:
            break
    p, q = max(p, q), min(p, q)
    e = public_exponent(nbits)
    d = pow(e, -1, (p - 1) * (q - 1))
    return RsaKey(name=f"even-{seed}-{nbits}", source="even_key", n=p * q, e=e, d=d, p=p, q=q)
