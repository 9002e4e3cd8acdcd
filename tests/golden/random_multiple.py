"""The operands with which an exponentiation modulo a random multiple works."""

from collections.abc import Sequence


def random_operands(base: int, mod: int, drawn: Sequence[int]) -> tuple[int, int, int]:
    """Return base + s*m, 1 + 2*s*m and c*m by random pairs of bits, the highest first: bit 0 of
    each is one of c, bit 1 one of s. The last bit of c is 1, and s has a bit less."""
    c = s = 0
    for pair in drawn:
        c = 2 * c + (pair & 1)
    for pair in drawn[:-1]:
        s = 2 * s + (pair >> 1 & 1)
    return base + s * mod, 1 + 2 * s * mod, (c | 1) * mod
