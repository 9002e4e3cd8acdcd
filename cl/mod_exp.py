"""The time of ModExp: right-to-left, square and multiply in parallel."""

from collections.abc import Callable

from cl.server import ServerCL, Timing
from fl.messages import mk_exp_msgs
from fl.mod_exp import mod_exp


def mod_exp_latency(
    base: int, exp: int, mod: int, multiplier: Callable[[int, int, int], int]
) -> int:
    """1 + the sum over the exponent's bits of 1 + the slower of the units at work.

    multiplier(a, b, m) is the latency of the units. Both work where a bit is 1, only the
    squaring one where it is 0, only the multiplying one at the last bit.
    """
    cycles = 1
    if mod == 0:
        return cycles
    result = 1 % mod
    while exp:
        at_work = []
        if exp & 1:
            at_work.append(multiplier(result, base, mod))
            result = result * base % mod
        exp >>= 1
        if exp:
            at_work.append(multiplier(base, base, mod))
            base = base * base % mod
        cycles += 1 + max(at_work)
    return cycles


class ModExpCL(ServerCL):
    """mod_exp(base, exp, mod) after mod_exp_latency cycles, one request at a time."""

    def construct(s, nbits: int, multiplier: Callable[[int, int, int], int]):
        super().construct(
            *mk_exp_msgs(nbits),
            mod_exp,
            Timing.one_at_a_time(lambda *request: mod_exp_latency(*request, multiplier)),
        )
