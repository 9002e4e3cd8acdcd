"""Exponentiation for one modulus m, fixed when it is built, perhaps modulo a multiple c*m of it.

Document 000, sections 4.2 and 5.4.2 (figures 16, 17, 37 and 38): its family is m2 = (2^N - 1)/3
with the pseudo-modulus 3*m2 = 2^N - 1, for even N. Products are modulo c*m, and the result is
corrected, that is reduced modulo m, once at the end. The document takes bases below the modulus
only; here a base of all n bits is reduced modulo c*m on entry.
"""

from dataclasses import dataclass

from fl.modulus import Modulus

MOST = 7  # multiples that a reduction compares with at once
FAMILY_C = 3


@dataclass(frozen=True)
class FixedModulus:
    """Names a modulus m >= 3 and a c >= 1: products are modulo c*m."""

    m: int
    c: int = 1

    def __post_init__(self) -> None:
        if self.m < 3:
            raise ValueError(f"m must be at least 3, not {self.m}")
        if self.c < 1:
            raise ValueError(f"c must be at least 1, not {self.c}")

    @property
    def worked(self) -> int:
        """Return what products are taken modulo: c*m."""
        return self.c * self.m

    def is_m(self, mod: int) -> bool:
        """Return whether mod is m, which is the only one that is taken."""
        return mod == self.m

    @property
    def tree(self) -> Modulus:
        """Return c*m as a compression tree wants it."""
        return Modulus.of(self.worked)

    def most_at_entry(self, nbits: int) -> int:
        """Return how often c*m fits in an n-bit base at most; ValueError if that is too often."""
        most = ((1 << nbits) - 1) // self.worked
        if self.m >> nbits:
            raise ValueError(f"m must fit {nbits} bits")
        if most > MOST:
            raise ValueError(f"c*m must be at least 2^{nbits} / {MOST + 1}")
        return most

    def power(self, base: int, exp: int) -> int:
        """Return base^exp mod m, by way of c*m."""
        power, result = base % self.worked, 1
        while exp:
            if exp & 1:
                result = result * power % self.worked
            power = power * power % self.worked
            exp >>= 1
        return correct(result, self)


def correction_steps(c: int) -> int:
    """Return how many steps of two quotient bits reduce a value below c*m modulo m."""
    return -(-(c - 1).bit_length() // 2)


def correct(value: int, modulus: FixedModulus) -> int:
    """Return value mod m for 0 <= value < c*m: two quotient bits per step, by comparison."""
    m, steps = modulus.m, correction_steps(modulus.c)
    high = value >> 2 * steps
    for step in reversed(range(steps)):
        high = high << 2 | value >> 2 * step & 3
        high -= max(k * m for k in range(4) if k * m <= high)
    return high


def even_width(nbits: int) -> int:
    """Return N of the document's family in a design of nbits: the same, or one less."""
    return nbits - nbits % 2


def family(nbits: int) -> FixedModulus:
    """Return m2 = (2^N - 1)/3 with c = 3."""
    return FixedModulus(((1 << even_width(nbits)) - 1) // FAMILY_C, FAMILY_C)


def family_alone(nbits: int) -> FixedModulus:
    """Return m2 with c = 1: its products are modulo itself."""
    return FixedModulus(family(nbits).m)
