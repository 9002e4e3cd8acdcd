"""The time of multiplication by folding."""

from fl.fold_mul import fold_digit_bits


def digit_cycles(operand_bits: int, digit_bits: int) -> int:
    """Count a digit loop's cycles: one per digit of an operand, and a last digit of 0."""
    return -(-operand_bits // digit_bits) + 1


def fold_latency(nbits: int, digit_bits: int) -> int:
    """Count cycles from request to response, and to the next request: registers load first."""
    return 1 + digit_cycles(nbits, fold_digit_bits(nbits, digit_bits))
