"""The least pseudo-modulus of a given modulus: 2^N - 1 or 2^N + 1 that it divides (document 000).

N is the order of 2 modulo m, or half of it: the least N >= 1 with 2^N = +-1 mod m. For a random
RSA modulus of n bits its median is about 2^(n-4), so that only a bounded search makes sense.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

_BITS_MISSING = 4
REPORTS = 8
_PRIME = (1 << 62) - 57  # powers of two are spread over its remainders


@dataclass(frozen=True)
class PseudoModulus:
    """c * m = 2^exponent - sign, with sign 1 or -1."""

    m: int
    exponent: int
    sign: int

    @property
    def c_bits(self) -> int:
        """Return the length of c."""
        return max(1, self.exponent - self.m.bit_length() + 1)

    @property
    def c(self) -> int:
        """Return what m is multiplied by: as long as c_bits says."""
        return ((1 << self.exponent) - self.sign) // self.m


def expected_bits(nbits: int) -> int:
    """Return log2 of the median exponent of random RSA moduli of nbits."""
    return max(1, nbits - _BITS_MISSING)


def least_pseudo_modulus(
    m: int, bound: int, on_step: Callable[[int], None] = lambda reached: None
) -> PseudoModulus | None:
    """Find the pseudo-modulus of odd m with the least exponent, or None if that is above the bound.

    Baby steps and giant steps: 2^(i*s) = +-2^j gives the exponent i*s - j, and the ranges of
    successive i follow each other; about 2 * sqrt(bound) products, nothing is factored.
    """
    if m < 1 or m % 2 == 0:
        raise ValueError(f"m must be odd and at least 1, not {m}")
    if bound < 1:
        raise ValueError(f"bound must be at least 1, not {bound}")
    if m == 1:
        return PseudoModulus(m, 1, 1)
    stride = isqrt(bound - 1) + 1
    baby: dict[int, int] = {}  # hash of +-2^j -> the highest such j
    power = 1
    for j in range(stride):
        baby[_hashed(power, m)] = j
        power = 2 * power % m
    giant, a_report = power, max(1, stride // REPORTS)
    for i in range(1, -(-bound // stride) + 1):
        if i % a_report == 0:
            on_step((i - 1) * stride)
        highest = baby.get(_hashed(power, m))
        if highest is not None:
            found = _checked(m, i * stride - highest)
            if found:
                return found if found.exponent <= bound else None
        power = power * giant % m
    return None


def _hashed(power: int, m: int) -> int:
    """Hash a power modulo m, to the same for its negative."""
    return min(power, m - power) % _PRIME


def _checked(m: int, exponent: int) -> PseudoModulus | None:
    """Return the pseudo-modulus, unless the hashes were equal by accident."""
    rest = pow(2, exponent, m)
    if rest == 1:
        return PseudoModulus(m, exponent, 1)
    return PseudoModulus(m, exponent, -1) if rest == m - 1 else None
