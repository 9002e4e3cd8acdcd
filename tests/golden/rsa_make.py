"""RSA keys as FIPS 186-5 makes them in A.1.3, with the words of ChaCha20 by `cryptography`: every
draw, every base, and so every count of proc/app/keygen.c."""

from collections import Counter
from collections.abc import Iterator
from math import gcd, isqrt, lcm

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

SMALL = [s for s in range(3, 256, 2) if all(s % r for r in range(3, s, 2))]


def chacha_words(seed: int) -> Iterator[int]:
    """The key stream of a key of 256 bits, from counter 0 with nonce 0, in words."""
    stream = Cipher(ChaCha20(seed.to_bytes(32, "little"), bytes(16)), None).encryptor()
    while True:
        yield int.from_bytes(stream.update(bytes(4)), "little")


def is_strong(number: int, base: int) -> tuple[bool, int]:
    """Whether an odd number is a strong probable prime to a base; the powers that tell it."""
    odd, halves = number - 1, 0
    while odd % 2 == 0:
        odd, halves = odd // 2, halves + 1
    z, powers = pow(base, odd, number), 1
    while z not in (1, number - 1) and powers < halves:
        z, powers = z * z % number, powers + 1
    return z == number - 1 or (z == 1 and powers == 1), powers


class Maker:
    """Makes one key; `counts` are those of the program."""

    def __init__(self, half_bits: int, seed: int, e: int, rounds: int) -> None:
        self.half_bits, self.e, self.rounds = half_bits, e, rounds
        self.words = chacha_words(seed)
        self.counts: Counter[str] = Counter()
        self.p = self.q = 0

    def make(self) -> int | None:
        """Find p and q, and return d; None if there are too few primes."""
        for _ in range(100):
            p = self._find(None, 5 * 2 * self.half_bits)
            q = p and self._find(p, 10 * 2 * self.half_bits)
            if p is None or q is None:
                return None
            self.p, self.q = p, q
            self.counts["pairs"] += 1
            d = pow(self.e, -1, lcm(self.p - 1, self.q - 1))
            if d > 1 << self.half_bits:
                return d
        return None

    def _draw(self, least: int) -> int:
        """A number, its highest word first; that alone, if it is below the least's."""
        count = -(-self.half_bits // 32)
        number = next(self.words) >> 32 * count - self.half_bits
        top = 32 * (count - 1)
        if number < least >> top:
            return 0
        return number << top | sum(next(self.words) << 32 * i for i in reversed(range(count - 1)))

    def _find(self, other: int | None, most: int) -> int | None:
        near = 1 << self.half_bits >> 100
        while most > 0:
            self.counts["drawn"] += 1
            number = self._draw(isqrt((1 << 2 * self.half_bits - 1) - 1) + 1 & ~1) | 1
            if number * number < 1 << 2 * self.half_bits - 1:
                self.counts["below"] += 1
            elif other is not None and abs(number - other) <= near:
                self.counts["near"] += 1
            else:
                most -= 1
                fate = self._fate(number)
                if fate is None:
                    return number
                self.counts[fate] += 1
        return None

    def _fate(self, number: int) -> str | None:
        if any(number % s == 0 and number != s for s in SMALL):
            return "divided"
        if gcd(number - 1, self.e) > 1:
            return "shared"
        for _ in range(self.rounds):
            base = 0
            while not 1 < base < number - 1:
                base = self._draw(0)
            passes, powers = is_strong(number, base)
            self.counts["rounds"] += 1
            self.counts["powers"] += powers
            if not passes:
                return "composite"
        return None
