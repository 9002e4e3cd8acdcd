"""MulRem, multiplication followed by a remainder: the integers of document 001's unit."""

from fl.component import StreamFL
from fl.messages import mk_mul_msgs


def mul_rem(a: int, b: int, m: int) -> int:
    """a * b mod m, for m >= 1."""
    return a * b % m


class MulRemFL(StreamFL):
    """r = mul_rem(a, b, m)."""

    def construct(s, nbits: int):
        super().construct(*mk_mul_msgs(nbits), mul_rem)
