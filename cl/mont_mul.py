"""The time of the Montgomery multipliers: a schedule of the same AddRed steps."""

from cl.server import ServerCL, Timing
from fl.messages import mk_mul_msgs
from fl.mont_mul import GUARD_BITS, mont_radix, mont_value

SCHEDULES = ("iterated", "pipelined")


def mont_cycles(nbits: int, steps_per_cycle: int, final_subtract: bool = True) -> int:
    """Cycles in AddRed steps, which are stages if the schedule is pipelined."""
    return mont_radix(nbits, steps_per_cycle, final_subtract) // steps_per_cycle


def mont_latency(
    nbits: int, steps_per_cycle: int, schedule: str, final_subtract: bool = True
) -> int:
    """Cycles from request to response: the steps; an iterated unit loads its registers first."""
    cycles = mont_cycles(nbits, steps_per_cycle, final_subtract)
    return cycles if schedule == "pipelined" else cycles + 1


def mont_interval(
    nbits: int, steps_per_cycle: int, schedule: str, final_subtract: bool = True
) -> int:
    """Cycles from a request to the next: 1 in a pipeline, else when the response leaves."""
    if schedule == "pipelined":
        return 1
    return mont_latency(nbits, steps_per_cycle, schedule, final_subtract)


class MontMulCL(ServerCL):
    """mont_value(a, b, m) after mont_latency cycles, a request every mont_interval cycles."""

    def construct(s, nbits: int, steps_per_cycle: int, schedule: str, final_subtract: bool = True):
        shape = (nbits, steps_per_cycle, schedule, final_subtract)
        radix = mont_radix(nbits, steps_per_cycle, final_subtract)
        stages = mont_cycles(nbits, steps_per_cycle, final_subtract)
        super().construct(
            *mk_mul_msgs(nbits, 0 if final_subtract else GUARD_BITS),
            lambda a, b, m: mont_value(a, b, m, radix, final_subtract),
            Timing(
                latency=lambda *_: mont_latency(*shape),
                interval=lambda *_: mont_interval(*shape),
                capacity=stages if schedule == "pipelined" else 1,
                refills=True,
            ),
        )
