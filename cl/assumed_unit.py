"""A multiplier that is only numbers: what it would compute, and when, before there is hardware."""

from dataclasses import dataclass
from functools import lru_cache

from cl.unit import Part, Unit


@dataclass(frozen=True)
class AssumedUnit(Unit):
    """r = a * b / 2^power mod m, after `cycles`; a request is taken every `pause` cycles.

    found: what finds a constant that it asks for, if it does. It holds as many requests as come
    before the first answer.
    """

    cycles: int
    pause: int
    power: int = 0
    found: Part | None = None

    refills = True

    @property
    def radix(self) -> int:
        """Return r of R = 2^r, 0 in the plain domain."""
        return self.power

    @property
    def constant(self) -> Part | None:
        """Return what finds the constant."""
        return self.found

    @property
    def capacity(self) -> int:
        """Return how many requests are inside at once."""
        return -(-self.cycles // self.pause)

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: for b below m, odd m where there is a radix."""
        return b < m and (m % 2 == 1 or not self.radix)

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product."""
        return a * b * _inverse(self.radix, m) % m

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response."""
        return self.cycles

    def interval(self, *operands: int) -> int:
        """Count cycles to the next request's acceptance."""
        return self.pause


@lru_cache(maxsize=64)
def _inverse(radix: int, m: int) -> int:
    return pow(1 << radix, -1, m) if radix else 1
