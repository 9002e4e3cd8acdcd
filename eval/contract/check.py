"""Requests through a component at any level: each response's value and time are compared."""

from collections.abc import Callable, Sequence

from cl.model import Model
from sim.errors import RunError
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


# What a failure is about, the most telling first.
HANDSHAKE, VALUE, TIME, COUNT = KINDS = ("handshake", "value", "time", "responses")


class Mismatch(AssertionError):
    """Reports that a component responded with another value or at another time than it should.

    case: the number of the request. kind: VALUE or TIME. others: further mismatches of the same
    run. transfers: all of the run, where the checker compared them.
    """

    def __init__(
        self,
        message: str,
        case: int | None = None,
        kind: str = VALUE,
        others: Sequence["Mismatch"] = (),
        transfers: Sequence[Transfer] = (),
    ) -> None:
        super().__init__(message)
        self.case, self.kind = case, kind
        self.others, self.transfers = tuple(others), tuple(transfers)


class Unanswered(SimulationTimeout):
    """Reports a timeout, and which case got no response."""

    def __init__(self, error: SimulationTimeout, message: str, case: int) -> None:
        RunError.__init__(self, message)
        vars(self).update(vars(error))
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
    """Run the requests; raise Mismatch naming the first case whose value is wrong, or if there is
    none the first whose cycles are.

    latency(i) and interval(i) are the formula's cycles from request i to its response and to
    the next request's acceptance; they are compared if nothing stalls.
    """
    if not (len(requests) == len(expected) == len(names)):
        raise ValueError("requests, expected values and names must be equally many")
    try:
        transfers = runner.run(requests, stalls, max_cycles)
    except SimulationTimeout as error:
        raise _unanswered(error, runner.name, expected, names, stalls) from error
    if len(transfers) != len(requests):
        message = f"{runner.name}: {len(transfers)} responses to {len(requests)} requests"
        raise Mismatch(message, kind=COUNT)
    found: dict[str, Mismatch] = {}
    for i, transfer in enumerate(transfers):
        where = f"{runner.name}, case {names[i]}"
        if transfer.response != expected[i]:
            said = f"response {transfer.response:#x}, expected {expected[i]:#x}"
            wrong = Mismatch(f"{where}, stalls {stalls.name}: {said}", i, transfers=transfers)
            found.setdefault("value", wrong)
        if stalls is not NO_STALLS:
            continue
        if latency and transfer.cycles != latency(i):
            said = f"{transfer.cycles} cycles, the formula says {latency(i)}"
            found.setdefault("latency", Mismatch(f"{where}: {said}", i, TIME))
        if interval and i + 1 < len(transfers):
            taken = transfers[i + 1].accepted - transfer.accepted
            if taken != interval(i):
                said = f"next request taken after {taken} cycles, the formula says {interval(i)}"
                found.setdefault("interval", Mismatch(f"{where}: {said}", i, TIME))
    if found:
        first, *others = sorted(found.values(), key=lambda one: KINDS.index(one.kind))
        first.others = tuple(others)
        raise first
    return transfers


def kind_of(error: Exception) -> str:
    """Return the one of KINDS that an exception of CAUGHT is about."""
    if isinstance(error, Mismatch):
        return error.kind
    return COUNT if isinstance(error, SimulationTimeout | SpuriousResponse) else HANDSHAKE


def _unanswered(
    error: SimulationTimeout,
    runner: str,
    expected: Sequence[int],
    names: Sequence[str],
    stalls: Stalls,
) -> SimulationTimeout:
    """Return a timeout that names the first case whose response is missing or another one's."""
    came = [transfer.response for transfer in getattr(error, "transfers", ())]
    lost = next((i for i, one in enumerate(came) if one != expected[i]), error.received)
    if lost >= len(names):
        return error
    said = "no response"
    if lost < len(came) and came[lost] == expected[lost + 1]:
        said += f"; {came[lost]:#x} in its place is the response to case {names[lost + 1]}"
    elif lost < len(came):
        said = f"response {came[lost]:#x}, expected {expected[lost]:#x}"
    return Unanswered(
        error, f"{runner}, case {names[lost]}, stalls {stalls.name}: {said}; {error}", lost
    )


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
