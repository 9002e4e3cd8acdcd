"""The time of multiplication by folding."""

from cl.server import ServerCL, Timing
from fl.fold_mul import fold_digit_bits, fold_mul
from fl.messages import mk_mul_msgs


def digit_cycles(operand_bits: int, digit_bits: int) -> int:
    """Cycles of a digit loop: the digits of an operand, and a last one of 0."""
    return -(-operand_bits // digit_bits) + 1


def fold_latency(nbits: int, digit_bits: int) -> int:
    """Cycles from request to response, and to the next request: registers load first."""
    return 1 + digit_cycles(nbits, fold_digit_bits(nbits, digit_bits))


class FoldMulCL(ServerCL):
    """fold_mul(a, b, m) after fold_latency cycles."""

    def construct(s, nbits: int, digit_bits: int):
        latency = fold_latency(nbits, digit_bits)
        super().construct(
            *mk_mul_msgs(nbits),
            lambda a, b, m: fold_mul(a, b, m, nbits, digit_bits),
            Timing(lambda *_: latency, lambda *_: latency, refills=True),
        )
