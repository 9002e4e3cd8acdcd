"""The one harness: the same cases through any component at any level, values and cycles compared.

A case table is lists of operands; the expected value comes from Python's own integers, the
expected time from the formula in cl. Both are compared request by request.
"""

from collections.abc import Callable, Sequence
from functools import cache

from pymtl3 import Component

from eval.catalog import DESIGNS, MULTIPLIERS
from sim.stream import NO_STALLS, Stalls, StreamRunner, Transfer

TIMED_LEVELS = ("cl", "rtl", "verilog", "batch")


class Mismatch(AssertionError):
    """A component answered with another value or at another time than it should."""


def model_level(level: str) -> str:
    """The level whose component runs at a simulation level: verilog and batch run rtl."""
    return level if level in ("fl", "cl") else "rtl"


def modulus_for(name: str, nbits: int, otherwise: int) -> int:
    """The modulus fixed in a design of the catalog, or the other one if it has none."""
    only = DESIGNS[name].moduli.only
    return only(nbits) if only else otherwise


@cache
def multiplier_runner(name: str, nbits: int, level: str) -> StreamRunner:
    """A multiplier of the catalog, prepared once for all tests of this process."""
    component = MULTIPLIERS[name].component(model_level(level), nbits)
    return StreamRunner(component, level, name=f"{name}-{nbits}")


@cache
def design_runner(name: str, nbits: int, level: str) -> StreamRunner:
    """An exponentiator of the catalog, prepared once."""
    component = DESIGNS[name].component(model_level(level), nbits)
    return StreamRunner(component, level, name=f"{name}-{nbits}")


@cache
def xcel_runner(name: str, nbits: int, level: str) -> StreamRunner:
    """An accelerator of the catalog, prepared once."""
    component = DESIGNS[name].xcel(model_level(level), nbits)
    return StreamRunner(component, level, "xcel.req", "xcel.resp", name=f"{name}-xcel-{nbits}")


def component_runner(component: Component, level: str = "rtl", **ports: str) -> StreamRunner:
    """Any component; the caller closes the runner."""
    return StreamRunner(component, level, **ports)


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
                f"response {transfer.response:#x}, expected {expected[i]:#x}"
            )
        if latency and stalls is NO_STALLS and transfer.cycles != latency(i):
            raise Mismatch(
                f"{runner.name}, case {names[i]}: {transfer.cycles} cycles, "
                f"the formula says {latency(i)}"
            )
        if interval and stalls is NO_STALLS and i + 1 < len(transfers):
            taken = transfers[i + 1].accepted - transfer.accepted
            if taken != interval(i):
                raise Mismatch(
                    f"{runner.name}, case {names[i]}: next request taken after {taken} cycles, "
                    f"the formula says {interval(i)}"
                )
    return transfers
