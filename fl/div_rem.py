"""Division: the functional level of the DivRem unit."""

from fl.component import StreamFL
from fl.messages import mk_div_msgs
from fl.modmul import div_rem


class DivRemFL(StreamFL):
    """quotient, remainder = div_rem(a, b); a dividend wider than b's port needs b >= 1."""

    def construct(s, dividend_bits: int, divisor_bits: int):
        super().construct(
            *mk_div_msgs(dividend_bits, divisor_bits), lambda a, b: div_rem(a, b, dividend_bits)
        )
