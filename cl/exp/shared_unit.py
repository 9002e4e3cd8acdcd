"""A multiplier at cycle level, which several parts ask by method calls.

A part calls `ask[i]` with the operands when its rdy says that there is room, and in a later cycle
`answer[i]`. In a cycle answers are taken first, so that a request may take the place of what has
left; then requests are made, the lower i first. Answers come in the order of the requests, each to
who asked.
"""

from collections import deque
from functools import partial

from pymtl3 import CalleeIfcCL, Component, M, update_ff

from cl.exp.clock import Clock
from cl.unit import Unit


class SharedUnit(Component):
    """Has the methods of every such multiplier; who inherits says when there is room and what is
    answered."""

    def construct(s, askers: int, clock: Clock):
        s.clock = clock
        s.owners: deque[int] = deque()  # of the requests inside
        s.ask = [CalleeIfcCL(method=partial(s.take, i), rdy=s.has_room) for i in range(askers)]
        s.answer = [CalleeIfcCL(method=s.give, rdy=partial(s.is_for, i)) for i in range(askers)]
        s.add_constraints(*(M(a) < M(b) for a in s.answer for b in s.ask))
        s.add_constraints(*(M(a) < M(b) for a, b in zip(s.ask, s.ask[1:], strict=False)))

    def take(s, asker: int, *operands: int) -> None:
        """Take a request."""
        s.owners.append(asker)
        s.clock.stir()
        s.enter(*operands)

    def is_for(s, asker: int) -> bool:
        """Return whether there is an answer, and whether it is the asker's."""
        return bool(s.owners) and s.owners[0] == asker and s.is_complete()

    def give(s) -> int:
        """Give the answer that has come."""
        s.owners.popleft()
        s.clock.stir()
        return s.leave()


class TimedUnit(SharedUnit):
    """Answers unit.value(a, b, m) in unit.latency(a, b, m) cycles; a queue of the unit's capacity.

    A unit that does not refill has room for the next request in the cycle after an answer.
    """

    def construct(s, unit: Unit, askers: int, clock: Clock):
        super().construct(askers, clock)
        s.unit = unit
        s.clear()

        @update_ff
        def forget():
            if s.reset:
                s.clear()

    def clear(s) -> None:
        """Forget all requests."""
        s.owners.clear()
        s.inside: deque[tuple[int, int]] = deque()  # (cycle of completion, answer)
        s.next_accept = s.left = -1  # left: the last cycle in which one left

    def has_room(s) -> bool:
        """Return whether a request is taken now."""
        leaving = s.left == s.clock.now and not s.unit.refills
        return s.clock.now >= s.next_accept and len(s.inside) + leaving < s.unit.capacity

    def enter(s, a: int, b: int, m: int) -> None:
        """Begin a product."""
        s.inside.append((s.clock.now + s.unit.latency(a, b, m), s.unit.value(a, b, m)))
        s.next_accept = s.clock.now + s.unit.interval(a, b, m)
        s.clock.wake(s.inside[-1][0])
        s.clock.wake(s.next_accept)

    def is_complete(s) -> bool:
        """Return whether the oldest product is there."""
        return s.inside[0][0] <= s.clock.now

    def leave(s) -> int:
        """Return the oldest product."""
        s.left = s.clock.now
        return s.inside.popleft()[1]

    def line_trace(s) -> str:
        """Show cycles until the next answer."""
        return f"{max(0, s.inside[0][0] - s.clock.now) if s.inside else 0:6}"
