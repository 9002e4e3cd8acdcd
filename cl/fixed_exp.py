"""The time of exponentiation for a fixed modulus: with combinational multipliers, a bit a cycle."""

from collections.abc import Callable

from cl.server import ServerCL, Timing
from fl.fixed_exp import FixedModulus, correction_steps
from fl.messages import mk_exp_msgs
from fl.mod_exp import mod_exp

PRODUCT = 1  # cycles of a product, and to the next one
AROUND = 3  # two cycles before the first product's, and one to answer


def fixed_latency(exp: int, modulus: FixedModulus, units: int, takes: bool = True) -> int:
    """Cycles from request to response: exponent bits, and with one unit also their ones.

    The highest bit asks for no squaring. An exponent of 0 or another modulus is answered at once.
    """
    if exp == 0 or not takes:
        return 1
    bits = exp.bit_length()
    if units == 1:
        bits += exp.bit_count() - 1
    return AROUND + bits + PRODUCT + correction_steps(modulus.c)


class FixedExpCL(ServerCL):
    """mod_exp(base, exp, m) after fixed_latency cycles, one request at a time."""

    def construct(s, nbits: int, modulus: FixedModulus, units: int):
        super().construct(
            *mk_exp_msgs(nbits),
            lambda *request: mod_exp(*request, lambda mod: mod == modulus.m),
            Timing.one_at_a_time(
                lambda base, exp, mod: fixed_latency(exp, modulus, units, mod == modulus.m)
            ),
        )


class ByMultipleCL(ServerCL):
    """mod_exp(base, exp, m) at the time of an exponentiator modulo c*m, and a correction."""

    def construct(s, nbits: int, modulus: FixedModulus, latency: Callable[..., int]):
        super().construct(
            *mk_exp_msgs(nbits),
            lambda *request: mod_exp(*request, lambda mod: mod == modulus.m),
            Timing.one_at_a_time(lambda *request: by_multiple_latency(*request, modulus, latency)),
        )


def by_multiple_latency(
    base: int, exp: int, mod: int, modulus: FixedModulus, latency: Callable[..., int]
) -> int:
    """latency(base, exp, c*m) of the exponentiator, and the correction; 0 stands for a bad mod."""
    if mod != modulus.m:
        return latency(base, exp, 0)
    return latency(base, exp, modulus.worked) + correction_steps(modulus.c)
