"""RSA's private operation m = c^d mod n by the Chinese remainder theorem, as the processor does it.

The theorem says m = m_p * (1/q mod p) * q + m_q * (1/p mod q) * p mod n, with m_p = c^d mod p and
m_q = c^d mod q. The processor leaves c in Montgomery's domain and 1/p in the base, so that only one
product is left to make when both powers are there:

    base_p = c / R                        mod p     u = base_p^dp * R^dp / q  mod p
    base_q = c * p^-e                     mod q     v = base_q^dq             mod q
    m      = u*q + v*p                    mod n

since (c * p^-e)^dq = c^dq / p mod q. Blinding by r adds r^e to the bases and 1/r to the powers.
"""

from dataclasses import dataclass
from functools import cached_property

from fl.rsa_keys import RsaKey
from fl.xcel import to_words

WORD_BITS = 32
AT_ONCE = 4  # words that the processor takes at once
CHECKS = {  # by the program
    "none": 0x35A9C6E1,
    "primes": 0x5C9635D2,
    "infective": 0xCA5A1C27,
    "software": 0x6365AB1C,
}
BY_POWERS = ("primes", "infective")  # of these the checks that the accelerator makes


@dataclass(frozen=True)
class Modulus:
    """An odd number with the constants of Montgomery's arithmetic in words, R = 2^(32 words)."""

    m: int
    words: int

    @cached_property
    def radix(self) -> int:
        """Return R."""
        return 1 << WORD_BITS * self.words

    @property
    def inverse(self) -> int:
        """Return -1/m mod 2^64."""
        return -pow(self.m, -1, 1 << 2 * WORD_BITS) % (1 << 2 * WORD_BITS)

    @property
    def square(self) -> int:
        """Return R^2 mod m."""
        return pow(self.radix, 2, self.m)

    def product(self, a: int, b: int) -> int:
        """Return a * b / R mod m."""
        return a * b * pow(self.radix, -1, self.m) % self.m


@dataclass(frozen=True)
class Prime:
    """What the processor holds of a prime: the exponent, and the factors of base and power."""

    modulus: Modulus
    exponent: int  # d mod m - 1
    mask: int | None  # the exponentiation is by exponent + mask * (m - 1)
    enter: int | None  # R * the factor of c / R
    leave: int | None  # R * the factor of the power
    check: int  # R^(2 - e)

    def base(self, c: int) -> int:
        """Return the base of the exponentiation."""
        reduced = self.modulus.product(c, 1)
        return reduced if self.enter is None else self.modulus.product(reduced, self.enter)

    @property
    def masked(self) -> int:
        """Return the exponent of the exponentiation."""
        return self.exponent + (self.mask or 0) * (self.modulus.m - 1)

    def part(self, power: int) -> int:
        """Return what the power adds to m, by the other prime."""
        return power if self.leave is None else self.modulus.product(power, self.leave)

    def inputs(self, operand_words: int) -> list[int]:
        """List what the program reads, in words."""
        words = self.modulus.words
        return [
            *to_words(self.modulus.inverse, 2 * WORD_BITS),
            *_words(self.modulus.m, words),
            *_words(self.modulus.square, words),
            *_words(self.exponent, operand_words),
            *(self.mask is not None, *_words(self.mask or 0, 2)),
            *(self.enter is not None, *_words(self.enter or 0, words)),
            *(self.leave is not None, *_words(self.leave or 0, words)),
            *_words(self.check, words),
        ]


@dataclass(frozen=True)
class PrivateKey:
    """An RSA key as the processor holds it, with what blinds one operation: the base's factor r, 1
    for none, and the multiples of p - 1 and q - 1 that mask the exponents."""

    key: RsaKey
    r: int = 1
    masks: tuple[int | None, int | None] = (None, None)

    @property
    def words(self) -> int:
        """Return the words of a prime, as many for both."""
        bits = max(self.key.p, self.key.q).bit_length()
        return AT_ONCE * -(-bits // (AT_ONCE * WORD_BITS))

    @property
    def p(self) -> Prime:
        """Return the prime whose power is there first: c keeps its 1 / R."""
        p, modulus = self.key.p, Modulus(self.key.p, self.words)
        exponent = self.key.d % (p - 1)
        factor = pow(modulus.radix, exponent, p) * pow(self.key.q * self.r, -1, p)
        enter = None if self.r == 1 else pow(self.r, self.key.e, p) * modulus.radix % p
        leave = factor * modulus.radix % p
        return self._prime(modulus, exponent, self.masks[0], enter, leave)

    @property
    def q(self) -> Prime:
        """Return the other prime: its power needs no factor, unless the base is blinded."""
        q, modulus = self.key.q, Modulus(self.key.q, self.words)
        factor = pow(self.r * pow(self.key.p, -1, q), self.key.e, q)
        leave = None if self.r == 1 else pow(self.r, -1, q) * modulus.radix % q
        enter = factor * modulus.radix**2 % q
        return self._prime(modulus, self.key.d % (q - 1), self.masks[1], enter, leave)

    def _prime(
        self,
        modulus: Modulus,
        exponent: int,
        mask: int | None,
        enter: int | None,
        leave: int | None,
    ) -> Prime:
        check = pow(modulus.radix, 2 - self.key.e, modulus.m)
        return Prime(modulus, exponent, mask, enter, leave, check)

    def operation(self, c: int) -> int:
        """Return c^d mod n, by the steps of the processor."""
        p, q = self.p, self.q
        u = p.part(pow(p.base(c), p.masked, p.modulus.m))
        v = q.part(pow(q.base(c), q.masked, q.modulus.m))
        return (u * q.modulus.m + v * p.modulus.m) % self.key.n

    @property
    def operand_words(self) -> int:
        """Return the words of exponents, which a mask makes longer than their primes."""
        return self.words + AT_ONCE

    def inputs(self, check: str, c: int) -> list[int]:
        """List what the program proc/app/rsa.c reads, in words."""
        n, operand_words = Modulus(self.key.n, 2 * self.words), self.operand_words
        return [
            *self.p.inputs(operand_words),
            *self.q.inputs(operand_words),
            *to_words(n.inverse, 2 * WORD_BITS),
            *_words(n.m, n.words),
            *_words(n.square, n.words),
            *_words(self.key.e, operand_words),
            CHECKS[check],
            *_words(c, n.words),
        ]


def _words(value: int, words: int) -> list[int]:
    return to_words(value, WORD_BITS * words)
