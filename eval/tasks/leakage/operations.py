"""The operations whose power is compared: fixed against random base, fixed against random exponent,
plain or blinded as a driver blinds them."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd
from random import Random

from cl.xcel import xcel_cycles
from eval.catalog.point import Point
from eval.catalog.workloads import key_for, message_for
from fl.rsa_keys import RsaKey
from fl.xcel import words
from sim.errors import UserError

AGAINST = ("base", "exponent")
Operands = tuple[int, int, int]
MEASURED = 100  # operations, by which it is seen how long they take


def pushes_of(point: Point) -> int:
    """Count the cycles in which operands come through the port, and go."""
    return 3 * words(point.nbits) + 1


@dataclass(frozen=True)
class Operations:
    """Draws exponentiations on a point with a private key, which is narrower by the bits of a mask.

    blind_base: the base is multiplied by r^e, r random. mask_bits: a random multiple of as many
    bits of (p - 1)(q - 1) is added to the exponent.
    """

    point: Point
    blind_base: bool = False
    mask_bits: int = 0

    def __post_init__(self) -> None:
        if self.mask_bits and self.point.entry.moduli.key:
            raise UserError(
                f"--blind-exponent: {self.point.design} takes no RSA modulus; leave it out"
            )
        least, _ = self.point.entry.widths
        if self.mask_bits > self.point.nbits - least:
            raise UserError(
                f"--blind-exponent: leaves {self.point.nbits - self.mask_bits} of --nbits for the "
                f"key; leave {least} or more"
            )

    @property
    def key(self) -> RsaKey:
        """Return the key."""
        return (self.point.entry.moduli.key or key_for)(self.point.nbits - self.mask_bits)

    def cycles(self, *against: str) -> int:
        """Count the cycles of the longest of some operations through the port."""
        some = [one for kind in against for _, one in self.draw(kind, MEASURED)]
        latency = max(self.point.entry.cycles(self.point.nbits, *one) for one in some)
        return xcel_cycles(self.point.nbits, latency) + 2

    def draw(self, against: str, count: int, seed: int = 1) -> Iterator[tuple[int, Operands]]:
        """Yield the group of each operation, 0 for fixed and 1 for random, and its operands."""
        key, rng = self.key, Random(f"leakage {against} {seed}")
        for _ in range(count):
            group = rng.getrandbits(1)
            base, exp = message_for(key), key.d
            if against == "exponent" or group:
                base = rng.randrange(key.n)
            if against == "exponent" and group:
                exp = rng.getrandbits(key.d.bit_length()) | 1 << key.d.bit_length() - 1 | 1
            yield group, self._blinded(base, exp, key, rng)

    def fixed_exponent(self, count: int, seed: int = 1) -> Iterator[tuple[int, Operands]]:
        """Yield operations with random bases and the key's exponent, in one group."""
        key, rng = self.key, Random(f"leakage mean {seed}")
        for _ in range(count):
            yield 0, self._blinded(rng.randrange(key.n), key.d, key, rng)

    def _blinded(self, base: int, exp: int, key: RsaKey, rng: Random) -> Operands:
        if self.blind_base:
            r = rng.randrange(1, key.n)
            while gcd(r, key.n) > 1:
                r = rng.randrange(1, key.n)
            base = base * pow(r, key.e, key.n) % key.n
        if self.mask_bits:
            exp += rng.getrandbits(self.mask_bits) * (key.p - 1) * (key.q - 1)
        return base, exp, key.n
