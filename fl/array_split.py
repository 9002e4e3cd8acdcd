"""A row of elements that is also two rows of half the length: its sizes.

Cut in the middle, the first half computes modulo q and the second modulo p, each with M', x and a
table of its own. Joined, the same elements compute modulo n = p * q. The last word of the first
half has as many bits, in whole digits, as a sum needs there, so that no carry leaves that half.
"""

from dataclasses import dataclass
from functools import cache

from fl.array import RowShape, Square, way_to_r_squared
from fl.scaled import low_guard_bits

DETOUR = 1  # squares on the way to R^2 that lead away from it


@dataclass(frozen=True)
class FittedShape(RowShape):
    """Tells the sizes of a row whose values have so many bits, and that has so many words."""

    fitted_bits: int
    fitted_words: int
    way: tuple[Square, ...]

    @property
    def value_bits(self) -> int:
        """Return the bits of a value."""
        return self.fitted_bits

    @property
    def words(self) -> int:
        """Return how many elements there are."""
        return self.fitted_words

    @property
    def squares(self) -> tuple[Square, ...]:
        """Return the way from 2^v to R^2 mod M."""
        return self.way


@dataclass(frozen=True)
class SplitShape:
    """Tells the sizes of a row of n bits and of its halves, which take primes of n / 2 bits."""

    nbits: int
    digit_bits: int
    word_bits: int

    @property
    def half_bits(self) -> int:
        """Return the bits of a prime."""
        return -(-self.nbits // 2)

    @property
    def half(self) -> FittedShape:
        """Return the sizes of a half."""
        return _planned(self.nbits, self.digit_bits, self.word_bits)[0]

    @property
    def joined(self) -> FittedShape:
        """Return the sizes of the whole row."""
        return _planned(self.nbits, self.digit_bits, self.word_bits)[1]

    @property
    def words(self) -> int:
        """Return how many elements a half has."""
        return self.half.words

    @property
    def low_bits(self) -> int:
        """Return the bits of the first half's words."""
        return self.joined.value_bits - self.half.value_bits


@cache
def _planned(nbits: int, digit_bits: int, word_bits: int) -> tuple[FittedShape, FittedShape]:
    """Return the shapes of halves and row: of the fewest steps of halves, then the fewest bits."""
    half_bits = -(-nbits // 2)
    least = max(half_bits + low_guard_bits(digit_bits) + 1, word_bits + 1)
    ways = {}
    for value_bits in range(least, least + 2 * word_bits + 4 * digit_bits):
        sum_bits = value_bits + digit_bits + 1
        words = -(-sum_bits // word_bits)
        last = max(2, -(-(sum_bits - (words - 1) * word_bits) // digit_bits)) * digit_bits
        low_bits = (words - 1) * word_bits + min(last, word_bits)
        if value_bits <= (words - 1) * word_bits:
            continue  # a sum needs a word that values do not
        shapes = []
        for bits, fitted, count in (
            (half_bits, value_bits, words),
            (nbits, low_bits + value_bits, 2 * words),
        ):
            way = way_to_r_squared(bits, digit_bits, fitted, DETOUR)
            shapes.append(FittedShape(bits, digit_bits, word_bits, fitted, count, way))
        half, joined = shapes
        if half.way and joined.way:
            squares = sum(square.steps + 1 for square in half.way)
            ways[half.steps, low_bits, squares, value_bits] = half, joined
    if not ways:
        raise ValueError(f"no way to R^2 for halves of {nbits} bits by digits of {digit_bits}")
    return min(ways.items())[1]
