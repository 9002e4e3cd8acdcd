"""The time of multiplication by steps that reduce late, and of the exponentiator made of them."""

from fl.xcel import WORD_BITS, words


def word_count(nbits: int, word_bits: int) -> int:
    """Count the words of a number."""
    return -(-nbits // word_bits)


def step_words(nbits: int, word_bits: int) -> int:
    """Count the words of a number in the exponentiator, whose registers turn by whole port words.

    Below the width of one port word there is no more than the number needs.
    """
    if nbits < WORD_BITS:
        return word_count(nbits, word_bits)
    return words(nbits) * WORD_BITS // word_bits


def product_cycles(nbits: int, count: int) -> int:
    """Count cycles of a product of so many words: a pass for each bit, and one at the end."""
    return (nbits + 1) * count


def tiny_latency(nbits: int, word_bits: int) -> int:
    """latency = 1 + (n + 1) * ceil(n / w), whatever the operands."""
    return 1 + product_cycles(nbits, word_count(nbits, word_bits))


def tiny_exp_latency(nbits: int, word_bits: int) -> int:
    """latency = 1 + 2n * (n + 1) * words: a square and a product per exponent bit, 0 or 1."""
    return 1 + 2 * nbits * product_cycles(nbits, step_words(nbits, word_bits))
