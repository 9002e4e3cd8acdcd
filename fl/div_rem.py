"""Division: the integers of the DivRem unit."""

from fl.component import StreamFL
from fl.messages import mk_div_msgs


def div_rem(a: int, b: int, bits: int) -> tuple[int, int]:
    """(a // b, a % b); for b = 0 RISC-V's answer: a quotient of `bits` ones, and a."""
    if b == 0:
        return (1 << bits) - 1, a
    return divmod(a, b)


class DivRemFL(StreamFL):
    """quotient, remainder = div_rem(a, b)."""

    def construct(s, dividend_bits: int, divisor_bits: int):
        super().construct(
            *mk_div_msgs(dividend_bits, divisor_bits), lambda a, b: div_rem(a, b, dividend_bits)
        )
