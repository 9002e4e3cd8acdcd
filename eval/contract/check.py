"""Requests through a component at any level: each response's value and time are compared."""

from collections.abc import Callable, Sequence

from cl.model import Model
from sim.stream import (
    NO_STALLS,
    HandshakeError,
    SimulationTimeout,
    SpuriousResponse,
    Stalls,
    StreamRunner,
    Transfer,
)
from sim.transfers import packer

TIMED_LEVELS = ("cl", "rtl", "verilog", "batch")


class Mismatch(AssertionError):
    """Tells that a component answered with another value or at another time than it should, and
    of which case."""

    def __init__(self, message: str, case: int | None = None) -> None:
        super().__init__(message)
        self.case = case


# What a check raises at a fault.
CAUGHT = (Mismatch, SimulationTimeout, SpuriousResponse, HandshakeError)


def check(
    runner: StreamRunner,
    requests: Sequence[object],
    expected: Sequence[int],
    names: Sequence[str],
    stalls: Stalls = NO_STALLS,
    latency: Callable[[int], int] | None = None,
    interval: Callable[[int], int] | None = None,
    max_cycles: int | None = None,
) -> list[Transfer]:
    """Run the requests; raise Mismatch naming the first case whose value or cycles are wrong.

    latency(i) and interval(i) are the formula's cycles from request i to its response and to
    the next request's acceptance; they are compared if nothing stalls.
    """
    if not (len(requests) == len(expected) == len(names)):
        raise ValueError("requests, expected values and names must be equally many")
    transfers = runner.run(requests, stalls, max_cycles)
    if len(transfers) != len(requests):
        raise Mismatch(f"{runner.name}: {len(transfers)} responses to {len(requests)} requests")
    for i, transfer in enumerate(transfers):
        if transfer.response != expected[i]:
            raise Mismatch(
                f"{runner.name}, case {names[i]}, stalls {stalls.name}: "
                f"response {transfer.response:#x}, expected {expected[i]:#x}",
                i,
            )
        if latency and stalls is NO_STALLS and transfer.cycles != latency(i):
            raise Mismatch(
                f"{runner.name}, case {names[i]}: {transfer.cycles} cycles, "
                f"the formula says {latency(i)}",
                i,
            )
        if interval and stalls is NO_STALLS and i + 1 < len(transfers):
            taken = transfers[i + 1].accepted - transfer.accepted
            if taken != interval(i):
                raise Mismatch(
                    f"{runner.name}, case {names[i]}: next request taken after {taken} cycles, "
                    f"the formula says {interval(i)}",
                    i,
                )
    return transfers


def check_model(
    runner: StreamRunner,
    model: Model,
    operands: Sequence[tuple[int, ...]],
    expected: Sequence[tuple[int, ...]],
    names: Sequence[str],
    stalls: Stalls = NO_STALLS,
    max_cycles: int | None = None,
) -> list[Transfer]:
    """Run requests of these operands; compare the fields of the responses, and the model's time.

    Time is compared where nothing stalls, the runner's level has any, and there is a formula.
    """
    pack_request, pack_response = map(packer, model.messages)
    timed = stalls is NO_STALLS and runner.level in TIMED_LEVELS and not model.measured
    found = list(zip(model.through(operands), operands, strict=True)) if timed else []
    cycles = [unit.latency(*one) for unit, one in found]
    intervals = [unit.interval(*one) for unit, one in found]
    return check(
        runner,
        [pack_request(*one) for one in operands],
        [pack_response(*fields) for fields in expected],
        names,
        stalls,
        latency=cycles.__getitem__ if timed else None,
        interval=intervals.__getitem__ if timed else None,
        max_cycles=max_cycles,
    )
