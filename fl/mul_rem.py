"""MulRem, multiplication followed by a remainder: the functional level of document 001's unit."""

from fl.component import StreamFL
from fl.messages import mk_mul_msgs
from fl.modmul import mod_mul


class MulRemFL(StreamFL):
    """r = a * b mod m, for m >= 1."""

    def construct(s, nbits: int):
        super().construct(*mk_mul_msgs(nbits), mod_mul)
