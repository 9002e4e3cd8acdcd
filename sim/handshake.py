"""The rules of a val/rdy stream, and the error that names signal and cycle where one is broken.

Who offers a message keeps val and msg until rdy takes it; neither depends on rdy of the same cycle.
rdy does not depend on val of the same cycle. It may depend on msg: an accelerator takes some
requests while it works, and others not.

A runner looks at every cycle for the first rule. For the others it drives the inputs of a cycle
otherwise for a moment, settles, compares, and drives them as they were (`probes_in` says when).
"""

from typing import Any, Protocol

from sim.errors import RunError
from sim.transfers import pack, shown

STAYS = "val and msg must stay until rdy takes the message"
READY = "rdy must not depend on val of the same cycle"
OFFER = "val and msg must not depend on rdy of the same cycle"

# stream_loop.cpp has the same numbers.
ALWAYS = 32  # cycles from the first one on
ONE_IN = 32  # cycles for each probe beyond
DRAWN = 58  # bits of a product that are left out: a cycle in 64 is drawn
FACTOR = 0x9E3779B97F4A7C15


class HandshakeError(RunError):
    """Reports that a component broke a rule of a val/rdy stream: signal, cycle and rule.

    received: how many requests before the one concerned were answered, or accepted.
    """

    def __init__(
        self, name: str, signal: str, cycle: int, seen: str, rule: str, received: int | None = None
    ) -> None:
        self.signal, self.cycle, self.rule, self.received = signal, cycle, rule, received
        super().__init__(f"{name}: {signal} {seen}: {rule}")


def fell(name: str, stream: str, cycle: int, received: int | None = None) -> HandshakeError:
    """Return the error of a val that fell before its message was taken."""
    seen = f"fell in cycle {cycle} before the message was taken"
    return HandshakeError(name, f"{stream}.val", cycle, seen, STAYS, received)


def changed(
    name: str, stream: str, cycle: int, values: tuple[int, int], received: int | None = None
) -> HandshakeError:
    """Return the error of a message that changed before it was taken."""
    before, after = map(shown, values)
    seen = f"changed from {before} to {after} in cycle {cycle} before it was taken "
    seen += f"({stream}.val=1 and {stream}.rdy=0 in cycle {cycle - 1})"
    return HandshakeError(name, f"{stream}.msg", cycle, seen, STAYS, received)


def depends(
    name: str, stream: str, signal: str, on: str, cycle: int, received: int | None = None
) -> HandshakeError:
    """Return the error of a signal that depends on another of the same stream and cycle."""
    seen = f"depends on {stream}.{on} within cycle {cycle}"
    rule = READY if on == "val" else OFFER
    return HandshakeError(name, f"{stream}.{signal}", cycle, seen, rule, received)


def probes_in(cycle: int, transfers: bool, made: int) -> bool:
    """Return whether to probe in a cycle, after so many probes: in the first ones, then in those in
    which a message is taken and in one of 64 others, as long as few cycles are probed."""
    if made < ALWAYS:
        return True
    if (made - ALWAYS) * ONE_IN > cycle:
        return False
    return transfers or (cycle * FACTOR & (1 << 64) - 1) >> DRAWN == 0


class Stream(Protocol):
    """Has the signals of a val/rdy interface."""

    val: Any
    rdy: Any
    msg: Any


class Offers:
    """Watches an interface on which a component sends: what is offered stays until it is taken."""

    def __init__(self, name: str, stream: str, port: Stream) -> None:
        self.name, self.stream, self.port = name, stream, port
        self.waiting: int | None = None  # the message that was not taken in the cycle before

    def see(self, cycle: int, received: int | None = None) -> None:
        """Look at a cycle that has settled; HandshakeError if what was offered is not there."""
        port, before = self.port, self.waiting
        if not port.val:
            if before is not None:
                raise fell(self.name, self.stream, cycle, received)
        elif before is not None or not port.rdy:
            now = pack(port.msg)
            if before not in (None, now):
                raise changed(self.name, self.stream, cycle, (before, now), received)
            self.waiting = None if port.rdy else now
