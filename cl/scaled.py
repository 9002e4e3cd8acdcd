"""The time of multiplication modulo c*m: the constant once, products, one reduction."""

from cl.fold_mul import digit_cycles
from fl.scaled import high_guard_bits, high_top, low_guard_bits, low_radix


def low_latency(nbits: int, digit_bits: int) -> int:
    """Count a product's cycles, with the constant at hand; the next is taken with its answer."""
    return 1 + digit_cycles(low_radix(nbits, digit_bits), digit_bits)


def low_prepare(digit_bits: int) -> int:
    """Count cycles to the constant: one per bit of c."""
    return digit_bits


def low_finish(digit_bits: int) -> int:
    """Count cycles from `active` to the reduced value: one per quotient bit, and one to load."""
    return low_guard_bits(digit_bits) + 1


def high_latency(nbits: int, digit_bits: int) -> int:
    """Count a product's cycles, with the constant at hand; the next is taken with its answer."""
    return 1 + digit_cycles(nbits + high_guard_bits(digit_bits), digit_bits)


def high_prepare(nbits: int, digit_bits: int, m: int) -> int:
    """Count cycles to the constant: one per bit of c, which are few if m has all n bits."""
    value_bits = high_top(nbits, digit_bits) + 1
    return high_guard_bits(digit_bits) + 1 if m >> (nbits - 1) else value_bits


def high_finish(nbits: int, digit_bits: int, m: int) -> int:
    """Count cycles from `active` to the reduced value: those to the constant, and one to load."""
    return high_prepare(nbits, digit_bits, m) + 1
