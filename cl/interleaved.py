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
