"""Moduli near powers of two, of every form that document 000 names."""

from collections.abc import Sequence
from random import Random

from fl.modulus import Modulus, third

FORMS = ("2^n", "2^n-1", "2^n+1", "2^n-k", "2^n+k")


def moduli_at(n: int) -> list[Modulus]:
    """All forms at n; k of 2^n+-k is 3 and `third`, one with few ones and one with many."""
    offsets = {0, -1, 1, 3, third(n), -third(n), -3 if n > 2 else 0}
    return [Modulus(n, offset) for offset in sorted(offsets)]


def one_of_each(n: int) -> list[Modulus]:
    """A modulus of each of FORMS."""
    return [Modulus(n, offset) for offset in (0, -1, 1, -5 if n > 3 else -3, third(n))]


def random_pairs(moduli: Sequence[Modulus], count: int) -> list[tuple[int, int]]:
    """Residues of all moduli at random, and the ends of each one's range against each other."""
    rng, least = Random(moduli[0].name), min(modulus.value for modulus in moduli)
    edges = [e for m in moduli for e in (0, 1, 2, m.value // 2, m.value - 2, m.value - 1)]
    pairs = [(a, b) for a in edges for b in edges]
    return pairs + [(rng.randrange(least), rng.randrange(least)) for _ in range(count)]
