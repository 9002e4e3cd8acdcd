"""Near-power moduli: m = 2^n - k with a small k, and RSA keys that have them.

Of two random primes p and q, document 000's pseudo-modulus has nothing to offer: the least N
with p*q | 2^N -+ 1 is about as large as p*q. But q can be chosen for p: as the prime next below
(2^n - 1) / p it makes p*q miss 2^n by a few hundred p.
"""

from math import gcd
from random import Random, SystemRandom

from rsa import prime

from fl.rsa_keys import F4, MAX_BITS, MIN_BITS, RsaKey, may_be_prime, public_exponent

# N for which (2^(N/2) - 1) * (2^(N/2) + 1) / 3 has two prime factors, and e fits.
PSEUDO_WIDTHS = (26, 34, 38, 62, 122, 254)
# Below 16 bits, where the primes are too few to draw from, these are the factors.
_SMALL = {
    8: (19, 13),
    9: (73, 7),
    10: (53, 19),
    11: (89, 23),
    12: (67, 61),
    13: (199, 41),
    14: (197, 83),
    15: (461, 71),
}
_SMALL_E = 17
EXTRA_BITS = 9  # of k beyond half of m: a prime is found some hundred odd numbers below


def k_bits(nbits: int) -> int:
    """Return the most bits of k that designs of a width take; fewer below 26 bits."""
    return min(nbits // 2 + EXTRA_BITS, nbits - 4)


def is_near_power(nbits: int, m: int) -> bool:
    """Return whether m = 2^nbits - k with 1 <= k <= 2^k_bits(nbits)."""
    return 1 <= (1 << nbits) - m <= 1 << k_bits(nbits)


def near_power_key(nbits: int, seed: int | None = None) -> RsaKey:
    """Draw an RSA key whose n is near-power; the same one for the same seed."""
    if not MIN_BITS <= nbits <= MAX_BITS:
        raise ValueError(f"nbits must be from {MIN_BITS} to {MAX_BITS}, not {nbits}")
    rng = SystemRandom() if seed is None else Random(f"near-power key {nbits} {seed}")
    e = public_exponent(nbits)
    while True:
        p = _prime_below(rng.getrandbits(nbits // 2) | 3 << (nbits // 2 - 2))
        q = _prime_below(((1 << nbits) - 1) // p)
        order = (p - 1) * (q - 1)
        if p != q and is_near_power(nbits, p * q) and gcd(e, order) == 1:
            return _key(nbits, p, q, e)


def pseudo_key(nbits: int) -> RsaKey:
    """Return document 000's key of n = (2^N - 1) / 3, N = nbits: two primes at few widths only."""
    if nbits not in PSEUDO_WIDTHS:
        widths = ", ".join(map(str, PSEUDO_WIDTHS))
        raise ValueError(f"nbits: (2^{nbits} - 1) / 3 is no product of two primes; {widths} are")
    root = 1 << nbits // 2
    return _key(nbits, root - 1, (root + 1) // 3, F4, "pseudo")


def small_key(nbits: int) -> RsaKey:
    """Return the key by hand of a width below that of drawn ones."""
    return _key(nbits, *_SMALL[nbits], _SMALL_E)


def _key(nbits: int, p: int, q: int, e: int, form: str = "near-power") -> RsaKey:
    return RsaKey(
        name=f"{form}-{nbits}",
        source="fl/near_power.py",
        n=p * q,
        e=e,
        d=pow(e, -1, (p - 1) * (q - 1)),
        p=max(p, q),
        q=min(p, q),
    )


def _prime_below(limit: int) -> int:
    """Return the largest prime up to limit, for limit >= 3."""
    candidate = limit - 1 + limit % 2
    while not (may_be_prime(candidate) and prime.is_prime(candidate)):
        candidate -= 2
    return candidate
