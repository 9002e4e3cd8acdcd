"""The time of fixed-modulus multipliers: the registers on the way, and a request a cycle."""

from cl.server import ServerCL, Timing
from fl.messages import mk_mul_msgs


class FixedMulCL(ServerCL):
    """r = a * b mod modulus after `registers` cycles, a request a cycle."""

    def construct(s, nbits: int, modulus: int, registers: int = 1):
        super().construct(
            *mk_mul_msgs(nbits),
            lambda a, b, m: a * b % modulus,
            Timing(
                latency=lambda *_: registers,
                interval=lambda *_: 1,
                capacity=registers,
                refills=True,
            ),
        )
