"""The time of the Montgomery multipliers: a schedule of the same AddRed steps."""

from fl.mont_mul import mont_radix

SCHEDULES = ("iterated", "pipelined")


def mont_cycles(nbits: int, steps_per_cycle: int, final_subtract: bool = True) -> int:
    """Count the cycles in AddRed steps, which are stages if the schedule is pipelined."""
    return mont_radix(nbits, steps_per_cycle, final_subtract) // steps_per_cycle


def mont_latency(
    nbits: int, steps_per_cycle: int, schedule: str, final_subtract: bool = True
) -> int:
    """Count cycles from request to response: the steps; an iterated unit loads registers first."""
    cycles = mont_cycles(nbits, steps_per_cycle, final_subtract)
    return cycles if schedule == "pipelined" else cycles + 1


def mont_interval(
    nbits: int, steps_per_cycle: int, schedule: str, final_subtract: bool = True
) -> int:
    """Count cycles from a request to the next: 1 in a pipeline, else when the response leaves."""
    if schedule == "pipelined":
        return 1
    return mont_latency(nbits, steps_per_cycle, schedule, final_subtract)
