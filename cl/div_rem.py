"""The time of the DivRem unit: one quotient bit a cycle, early steps skipped or not."""

from cl.server import ServerCL, Timing
from fl.messages import mk_div_msgs
from fl.modmul import div_rem


def div_steps(dividend_bits: int, a: int, b: int, early: str) -> int:
    """Quotient bits computed: all of them, or only those that can be 1 (early = "zeros")."""
    if early == "none" or b == 0:
        return dividend_bits
    return max(0, a.bit_length() - b.bit_length() + 1)


def div_latency(dividend_bits: int, a: int, b: int, early: str) -> int:
    """Cycles from request to response: the steps, one to answer, one to skip the zeros."""
    return div_steps(dividend_bits, a, b, early) + (1 if early == "none" else 2)


class DivRemCL(ServerCL):
    """div_rem(a, b) after div_latency(a, b) cycles, one request at a time."""

    def construct(s, dividend_bits: int, divisor_bits: int, early: str = "zeros"):
        super().construct(
            *mk_div_msgs(dividend_bits, divisor_bits),
            lambda a, b: div_rem(a, b, dividend_bits),
            Timing.one_at_a_time(lambda a, b: div_latency(dividend_bits, a, b, early)),
        )
