"""The time of MulRem: the remainder unit's, since the product takes no cycle of its own."""

from cl.div_rem import div_latency
from cl.server import ServerCL, Timing
from fl.messages import mk_mul_msgs
from fl.modmul import mod_mul


def mul_rem_latency(nbits: int, a: int, b: int, m: int) -> int:
    """Cycles from request to response, with k = bitlen(a*b) - bitlen(m): k+3, at least 2."""
    return div_latency(2 * nbits, a * b, m, "zeros")


class MulRemCL(ServerCL):
    """a * b mod m after mul_rem_latency(a, b, m) cycles, one request at a time."""

    def construct(s, nbits: int):
        super().construct(
            *mk_mul_msgs(nbits),
            mod_mul,
            Timing.one_at_a_time(lambda a, b, m: mul_rem_latency(nbits, a, b, m)),
        )
