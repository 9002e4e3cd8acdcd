"""The time of Montgomery's product by digits."""

from cl.mont_mul import mont_cycles, mont_latency


def mont_digit_latency(nbits: int, digit_bits: int) -> int:
    """Count a product's cycles, with -m^-1 mod 2^w at hand; the next is taken with its answer."""
    return mont_latency(nbits, digit_bits, "iterated", final_subtract=False)


def early_mont_digit_latency(nbits: int, digit_bits: int) -> int:
    """Count the same where the answer leaves with its last digit, unless that is the first."""
    return max(mont_cycles(nbits, digit_bits, final_subtract=False), 2)
