"""Carry networks of adders: ripple, Brent and Kung's, Kogge and Stone's.

A network is a list of levels. At a level every position i of the mask takes in the group that
ends `distance` positions below: (g, p) becomes (g_i | p_i & g_low, p_i & p_low). After the last
level g_i is the carry out of bits 0 to i, and p_i says that all of them propagate.

Signals are integers that hold one bit per case, so that one evaluation checks many operands;
`ones` has all cases set.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """Lets the positions of the mask take in the group `distance` positions below."""

    distance: int
    mask: int


def ripple(nbits: int) -> tuple[Level, ...]:
    """Take one position per level, as a carry ripples."""
    return tuple(Level(1, 1 << i) for i in range(1, nbits))


def kogge_stone(nbits: int) -> tuple[Level, ...]:
    """Take all positions at every level: the fewest levels."""
    distances = [1 << k for k in range((nbits - 1).bit_length())]
    return tuple(Level(d, (1 << nbits) - (1 << d)) for d in distances)


def brent_kung(nbits: int) -> tuple[Level, ...]:
    """Make a tree up and a tree down: about twice as many levels, the fewest merges."""
    up = [1 << k for k in range((nbits - 1).bit_length())]
    levels = [Level(d, _positions(nbits, 2 * d - 1, 2 * d)) for d in up]
    levels += [Level(d, _positions(nbits, 3 * d - 1, 2 * d)) for d in reversed(up)]
    return tuple(level for level in levels if level.mask)


def _positions(nbits: int, first: int, step: int) -> int:
    return sum(1 << i for i in range(first, nbits, step))


NETWORKS = {"ripple": ripple, "brent-kung": brent_kung, "kogge-stone": kogge_stone}


def carries(
    g: Sequence[int], p: Sequence[int], levels: Sequence[Level]
) -> tuple[list[int], list[int]]:
    """Return (g, p) after the last level."""
    g, p = list(g), list(p)
    for level in levels:
        low_g, low_p = list(g), list(p)
        for i in range(level.distance, len(g)):
            if level.mask >> i & 1:
                g[i] |= p[i] & low_g[i - level.distance]
                p[i] &= low_p[i - level.distance]
    return g, p
