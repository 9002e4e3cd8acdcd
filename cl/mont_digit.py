"""The time of Montgomery's product by digits."""

from cl.mont_mul import mont_latency
from cl.server import ServerCL, Timing
from cl.with_constant import prepared_latency
from fl.messages import mk_mul_msgs
from fl.mont_digit import mont_digit_product
from fl.mont_mul import GUARD_BITS


def mont_digit_latency(nbits: int, digit_bits: int) -> int:
    """Cycles of a product with -m^-1 mod 2^w at hand; the next is taken with its answer."""
    return mont_latency(nbits, digit_bits, "iterated", final_subtract=False)


def mont_digit_alone_latency(nbits: int, digit_bits: int) -> int:
    """Cycles of one product on its own: -m^-1 mod 2^w is found first, a bit a cycle."""
    return prepared_latency(digit_bits, mont_digit_latency(nbits, digit_bits))


class MontDigitCL(ServerCL):
    """mont_digit_product(a, b, m) after mont_digit_alone_latency cycles."""

    def construct(s, nbits: int, digit_bits: int):
        super().construct(
            *mk_mul_msgs(nbits, GUARD_BITS),
            lambda a, b, m: mont_digit_product(a, b, m, nbits, digit_bits),
            Timing.one_at_a_time(lambda *_: mont_digit_alone_latency(nbits, digit_bits)),
        )
