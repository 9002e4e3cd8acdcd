"""A master of the AXI4-Lite bus, which checks in every cycle that the slave keeps the protocol."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fl.axi_lite import INPUTS, OKAY, PREFIX, WHOLE
from fl.peripheral_driver import Access, Procedure
from sim.axi_protocol import (
    APART,
    PAYLOADS,
    REQUESTS,
    BusTimeout,
    Pauses,
    ProtocolError,
    Watch,
)
from sim.handshake import probes_in
from sim.pins import Pins, reset

RANDOM_INPUTS = ("random_valid", "random_byte")
CHANNELS = (*REQUESTS, *PAYLOADS, "random")
HANDSHAKES = (
    *(f"{PREFIX}{channel}valid" for channel in REQUESTS),
    *(f"{PREFIX}{channel}ready" for channel in PAYLOADS),
)
LIMIT = 10_000  # cycles that an access may take


@dataclass
class Transfer:
    """Follows an access: the cycles in which its parts were taken, and its answer."""

    access: Access
    taken: dict[str, int]
    response: int = OKAY
    data: int = 0
    answered: int = 0

    @property
    def complete(self) -> int:
        """Return the cycle in which all of it had come."""
        return max(self.taken.values())

    @property
    def cycles(self) -> int:
        """Count cycles from then to the answer."""
        return self.answered - self.complete


class BusMaster:
    """Performs accesses on a peripheral behind pins, cycle by cycle; writes beside reads.

    Accesses that are queued are offered as soon as the slave takes them, answered or not.
    waited: cycles in which it was ready for a random byte and got none, or 0. operations: of the
    last procedure, the cycles from each request to start to the interrupt.
    """

    def __init__(
        self, pins: Pins, name: str = "bus", trace: Callable[[str], None] | None = None
    ) -> None:
        self.pins, self.name, self.trace = pins, name, trace
        self.reset()

    def reset(
        self, pauses: Pauses | None = None, source: Iterable[int] = (), cycles: int = 3
    ) -> None:
        """Reset the slave and forget what was under way."""
        inputs = (*(PREFIX + name for name in INPUTS), *RANDOM_INPUTS)
        reset(self.pins, inputs, cycles)
        self.pauses = pauses or Pauses()
        self.source: Iterator[int] = iter(source)
        self.byte: int | None = None
        self.drawn: list[int] = []  # the bytes that were taken
        self.waited = self.cycle = self.accesses = self.probes = 0
        self.watch = Watch()
        self.wait = {channel: self.pauses(channel) for channel in CHANNELS}
        self.queues: dict[str, deque[Transfer]] = {"write": deque(), "read": deque()}
        self.seen = dict.fromkeys(PAYLOADS, False)
        self.irq = False
        self.rises: list[int] = []  # the cycles in which the interrupt line rose

    def begin(self, access: Access) -> Transfer:
        """Queue an access behind those of its kind."""
        self.accesses += 1
        transfer = Transfer(access, {})
        self.queues["read" if access.data is None else "write"].append(transfer)
        return transfer

    def finish(self) -> None:
        """Go on until all accesses are answered."""
        end = self.cycle + LIMIT
        while any(self.queues.values()):
            self.tick()
            if self.cycle > end:
                raise BusTimeout(f"{self.name}: no answer after {LIMIT} cycles")

    def access(self, access: Access) -> Transfer:
        """Perform one access."""
        transfer = self.begin(access)
        self.finish()
        return transfer

    def write(self, address: int, data: int, strobes: int = WHOLE) -> int:
        """Write, and return the response."""
        return self.access(Access(address, data, strobes)).response

    def read(self, address: int) -> tuple[int, int]:
        """Read, and return data and response."""
        transfer = self.access(Access(address))
        return transfer.data, transfer.response

    def idle(self, cycles: int) -> None:
        """Let cycles pass."""
        for _ in range(cycles):
            self.tick()

    def until_irq(self, limit: int) -> None:
        """Go on until the interrupt line is set."""
        end = self.cycle + limit
        while not self.irq:
            self.tick()
            if self.cycle > end:
                raise BusTimeout(f"{self.name}: no interrupt after {limit} cycles")

    def perform(self, procedure: Procedure, limit: int = LIMIT) -> Any:
        """Perform a procedure, waiting by interrupt, and return what it does; ProtocolError if an
        access is refused."""
        started, data = 0, None
        self.operations: list[int] = []
        while True:
            try:
                access = next(procedure) if data is None else procedure.send(data)
            except StopIteration as end:
                return end.value
            data = 0
            if access is None:
                self.until_irq(limit)
                self.operations.append(self.rises[-1] - started)
                continue
            done = self.access(access)
            if done.response != OKAY:
                raise ProtocolError(f"{self.name}: {access} is refused")
            started, data = done.complete, done.data

    def tick(self) -> None:
        """Pass one cycle."""
        pins = self.pins
        requests = {channel: self._offer(channel) for channel in REQUESTS}
        ready = {channel: self._ready(channel) for channel in PAYLOADS}
        self._offer_byte()
        pins.settle()
        if self.trace:
            self.trace(f"{self.cycle:5}: {pins.line_trace()}")
        if probes_in(self.cycle, any(requests.values()), self.probes):
            self._probe()
        for channel, payload in PAYLOADS.items():
            self._answer(channel, ready[channel], payload)
        for channel, transfer in requests.items():
            if transfer and pins.value(f"{PREFIX}{channel}ready"):
                transfer.taken[channel] = self.cycle
                self.watch.take(channel)
                self.wait[channel] = self.pauses(channel)
        self._draw()
        irq = bool(pins.value("irq"))
        if irq and not self.irq:
            self.rises.append(self.cycle)
        self.irq = irq
        pins.edge()
        self.cycle += 1

    def _probe(self) -> None:
        """Drive each valid and ready of a settled cycle otherwise for a moment; ProtocolError if an
        output follows."""
        self.probes += 1
        pins, driven = self.pins, {name: self.pins.value(name) for name in HANDSHAKES}
        before = self._outputs()
        for name, value in driven.items():
            pins.drive(name, not value)
        pins.settle()
        if self._outputs() != before:
            self._blame(driven, before)
        for name, value in driven.items():
            pins.drive(name, value)
        pins.settle()

    def _blame(self, driven: dict[str, int], before: dict[str, int]) -> None:
        """Raise ProtocolError with an output and the input that it depends on."""
        for one in driven:
            for name, value in driven.items():
                self.pins.drive(name, value != (name == one))
            self.pins.settle()
            for output, value in self._outputs().items():
                if before.get(output) != value:
                    output, one = output.removeprefix(PREFIX), one.removeprefix(PREFIX)
                    raise ProtocolError(
                        f"{self.name}: {output} depends on {one} within cycle {self.cycle}: {APART}"
                    )

    def _outputs(self) -> dict[str, int]:
        """Read what the slave answers; payloads where they are valid."""
        names = [f"{PREFIX}{channel}ready" for channel in REQUESTS]
        for channel, payload in PAYLOADS.items():
            names.append(valid := f"{PREFIX}{channel}valid")
            if self.pins.value(valid):
                names += [PREFIX + name for name in payload]
        return {name: self.pins.value(name) for name in names}

    def _offer(self, channel: str) -> Transfer | None:
        """Drive a request's channel; return what it offers."""
        queue = self.queues["read" if channel == "ar" else "write"]
        transfer = next((one for one in queue if channel not in one.taken), None)
        if transfer and self.wait[channel]:
            self.wait[channel] -= 1
            transfer = None
        self.pins.drive(f"{PREFIX}{channel}valid", transfer is not None)
        if transfer:
            access = transfer.access
            values: dict[str, tuple[int, ...]] = {
                "aw": (access.address,),
                "w": (access.data or 0, access.strobes),
                "ar": (access.address,),
            }
            for name, value in zip(REQUESTS[channel], values[channel], strict=True):
                self.pins.drive(PREFIX + name, value)
        return transfer

    def _ready(self, channel: str) -> bool:
        """Drive the ready of an answering channel."""
        if not self.pauses.late or self.seen[channel]:
            ready = self.wait[channel] == 0
            self.wait[channel] -= not ready
        else:
            ready = False
        self.pins.drive(f"{PREFIX}{channel}ready", ready)
        return ready

    def _answer(self, channel: str, ready: bool, payload: tuple[str, ...]) -> None:
        valid = self.pins.value(f"{PREFIX}{channel}valid")
        values = tuple(self.pins.value(PREFIX + name) for name in payload) if valid else ()
        self.watch.see(channel, valid, ready, values)
        self.seen[channel] = bool(valid and not ready)
        if valid and ready:
            transfer = self.queues["write" if channel == "b" else "read"].popleft()
            transfer.answered = self.cycle
            transfer.response = values[-1]
            transfer.data = values[0] if channel == "r" else 0
            self.wait[channel] = self.pauses(channel)

    def _offer_byte(self) -> None:
        if self.byte is None and self.wait["random"] == 0:
            self.byte = next(self.source, None)
        elif self.byte is None:
            self.wait["random"] -= 1
        self.pins.drive("random_valid", self.byte is not None)
        if self.byte is not None:
            self.pins.drive("random_byte", self.byte)

    def _draw(self) -> None:
        """Note whether the peripheral took the byte, or waited for one that is not 0."""
        if self.pins.value("random_ready"):
            self.waited += not self.byte
            if self.byte is not None:
                self.drawn.append(self.byte)
                self.byte = None
                self.wait["random"] = self.pauses("random")
