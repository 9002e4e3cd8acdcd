"""The time of interleaved multiplication and of the exponentiator made of it."""


def pass_cycles(nbits: int, steps: int) -> int:
    """Count cycles of a product: a step for each bit of the scanned operand, 0 or 1."""
    return -(-nbits // steps)


def interleaved_latency(nbits: int, steps: int) -> int:
    """latency = 1 + ceil(n / steps), whatever the operands."""
    return 1 + pass_cycles(nbits, steps)


def interleaved_exp_latency(nbits: int, steps: int) -> int:
    """latency = 1 + 2n * ceil(n / steps): a square and a product per exponent bit, 0 or 1."""
    return 1 + 2 * nbits * pass_cycles(nbits, steps)


def word_count(nbits: int, word_bits: int) -> int:
    """Count the words of a number."""
    return -(-nbits // word_bits)


def word_cycles(nbits: int, word_bits: int) -> int:
    """Count cycles of a product a word per cycle: three passes for each bit, and one at the end."""
    return (3 * nbits + 1) * word_count(nbits, word_bits)


def words_latency(nbits: int, word_bits: int) -> int:
    """latency = 1 + (3n + 1) * ceil(n / w), whatever the operands."""
    return 1 + word_cycles(nbits, word_bits)


def words_exp_latency(nbits: int, word_bits: int) -> int:
    """latency = 1 + 2n * (3n + 1) * ceil(n / w): a square and a product per exponent bit."""
    return 1 + 2 * nbits * word_cycles(nbits, word_bits)
