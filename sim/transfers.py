"""What a stream run is made of: stall patterns, transfers, and the ways it can fail."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sim.errors import RunError

LEVELS = ("fl", "cl", "rtl", "verilog", "batch")

RESET_CYCLES = 3
DRAIN_CYCLES = 4  # cycles watched after the last response, for one too many
TRACE_LINES = 10
DIGITS_SHOWN = 40


@dataclass(frozen=True)
class Transfer:
    """Holds a response, packed, and the cycles in which its request and it changed hands."""

    response: int
    accepted: int
    arrived: int

    @property
    def cycles(self) -> int:
        """Count cycles from the request's acceptance to the response."""
        return self.arrived - self.accepted


@dataclass(frozen=True)
class Stalls:
    """Gives idle cycles before offering request i and before taking response i, repeated."""

    name: str
    request: tuple[int, ...]
    response: tuple[int, ...]

    def __post_init__(self) -> None:
        for waits in (self.request, self.response):
            if not waits or min(waits) < 0:
                raise ValueError(f"stalls {self.name}: need at least one wait, none negative")


def random_stalls(seed: int, longest: int = 9, length: int = 61) -> Stalls:
    """Draw waits of 0 to `longest` cycles, half of them 0; the same for the same seed."""
    rng = random.Random(seed)
    request, response = (
        tuple(rng.choice((0, rng.randint(0, longest))) for _ in range(length)) for _ in range(2)
    )
    return Stalls(f"random-{seed}", request, response)


NO_STALLS = Stalls("none", (0,), (0,))

STALLS: Mapping[str, Stalls] = MappingProxyType(
    {
        s.name: s
        for s in (
            NO_STALLS,
            Stalls("slow-source", (4, 0, 11, 1), (0,)),
            Stalls("slow-sink", (0,), (7, 0, 2, 13)),
            Stalls("slow-both", (0, 5, 1), (3, 0, 8, 1, 1)),
            random_stalls(1),
            random_stalls(2),
        )
    }
)


class SimulationTimeout(RunError):
    """Reports that there were fewer responses than requests within the cycles allowed, and which
    request waits first.

    accepted: the cycle in which that request was accepted, None if it was not; transfers: those
    before it.
    """

    def __init__(
        self,
        name: str,
        wanted: int,
        cycle: int,
        last: Iterable[str],
        accepted: int | None,
        transfers: Iterable[Transfer],
    ) -> None:
        self.wanted, self.cycle, self.last, self.accepted = wanted, cycle, tuple(last), accepted
        self.transfers = tuple(transfers)
        self.received = len(self.transfers)
        waits = "was not accepted"
        if accepted is not None:
            waits = f"(accepted in cycle {accepted}) got no response"
        trace = "\n  ".join(self.last) or "(no trace)"
        super().__init__(
            f"{name}: {self.received} of {wanted} responses after {cycle} cycles; "
            f"request {self.received + 1} {waits}; last:\n  {trace}"
        )


class SpuriousResponse(RunError):
    """Tells that a response came which no request asked for."""

    def __init__(self, name: str, number: int, accepted: int, cycle: int) -> None:
        super().__init__(
            f"{name}: response {number} in cycle {cycle}, but only {accepted} requests were taken"
        )


def pack(message: Any) -> int:
    """Return a message (int, Bits or bitstruct) as an int, its first field most significant."""
    return message if isinstance(message, int) else int(message.to_bits())


def shown(value: int) -> str:
    """Write a value as a hexadecimal number; of one of many digits the last ones."""
    digits = f"{value:x}"
    return f"0x{digits}" if len(digits) <= DIGITS_SHOWN else f"0x..{digits[-DIGITS_SHOWN:]}"


def packer(Message: type[Any]) -> Callable[..., int]:
    """Return what packs the fields of such messages, without making one."""
    widths = [field.nbits for field in Message.__bitstruct_fields__.values()]

    def packed(*fields: int) -> int:
        value = 0
        for field, nbits in zip(fields, widths, strict=True):
            if field >> nbits:
                raise ValueError(f"{field} does not fit a field of {nbits} bits")
            value = value << nbits | field
        return value

    return packed


def pack_requests(name: str, requests: Iterable[Any], nbits: int) -> list[int]:
    """Return the requests as ints; ValueError if there are none or one does not fit nbits."""
    packed = [pack(r) for r in requests]
    if not packed:
        raise ValueError(f"{name}: no requests, so nothing would be checked")
    for i, value in enumerate(packed):
        if not 0 <= value < 1 << nbits:
            raise ValueError(f"{name}: request {i} does not fit the port's {nbits} bits")
    return packed
