"""Multipliers for a modulus fixed when they are built: the functional level."""

from fl.component import StreamFL
from fl.messages import mk_mul_msgs


class FixedMulFL(StreamFL):
    """r = a * b mod modulus, for a and b below it; the request's m is not looked at."""

    def construct(s, nbits: int, modulus: int):
        super().construct(*mk_mul_msgs(nbits), lambda a, b, m: a * b % modulus)
