"""The time of a row of elements: by itself, and as its own exponentiator uses it."""

from fl.array import low_steps, row_words
from fl.scaled import low_guard_bits


def row_latency(nbits: int, digit_bits: int, word_bits: int) -> int:
    """Count cycles from the request to the answer, in which the next request may be taken.

    A cycle to load, one to feed, D steps, then the words resolve one after the other.
    """
    words = row_words(nbits + low_guard_bits(digit_bits), word_bits)
    return low_steps(nbits, digit_bits) + words + 2
