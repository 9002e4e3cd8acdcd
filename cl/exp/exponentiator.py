"""An exponentiator of parts at cycle level: they hand on to each other by method calls.

The parts are those of the same record as the hardware's (rtl/exp/exponentiator.py). Nothing here
knows how long an exponentiation takes: units are queues with a latency, which several parts share;
what is found once per modulus takes its cycles; the rest follows. A part that begins something in a
cycle says so to the next one in the cycle before, so that only these orders matter within a cycle:
answers are taken before requests are made, and those by the parts' precedence.
"""

from typing import TYPE_CHECKING

from pymtl3 import Component
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.exp.clock import Clock
from cl.exp.control import Control
from cl.exp.enter import Converts, Enters
from cl.exp.leave import Leaves
from cl.exp.stands import Stands

if TYPE_CHECKING:
    from cl.exponentiator import ExponentiatorOfParts
    from cl.unit import Part


class ExponentiatorCL(Component):
    """result = base^exp mod mod, behind the ports of the hardware."""

    def construct(s, exponentiator: "ExponentiatorOfParts"):
        parts = exponentiator.parts
        Request, Response = exponentiator.messages
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.clock = clock = Clock()

        def make(part: "Part", otherwise: type[Component]) -> Component:
            return (part.cl or otherwise)(parts, part, clock)

        s.control = Control(exponentiator, clock)
        s.constant = make(parts.constant, Stands)
        s.r_squared = make(parts.r_squared, Stands)
        s.enter = make(parts.enter, Converts)
        s.one = make(parts.one, Enters)
        s.loop = make(parts.loop, Component)
        s.leave = make(parts.leave, Leaves)

        s.control.recv //= s.recv
        s.control.send //= s.send
        s.control.load //= s.loop.load
        s.control.constant //= s.constant.start
        s.control.r_squared //= s.r_squared.start
        s.control.one //= s.one.start
        s.control.enter //= s.enter.start
        for way_in in (s.enter, s.one):
            way_in.constant //= s.constant.value
            way_in.r_squared //= s.r_squared.value
        s.enter.done //= s.loop.start
        s.one.done //= s.loop.take_one
        s.loop.done //= s.control.loop_done
        s.control.leave //= s.leave.start
        s.leave.done //= s.control.left

        asking = (part.products() for part in (s.loop, s.enter, s.one, s.leave, s.r_squared))
        for name, unit, users in parts.allotted(*asking):
            shared = unit.shared(len(users), clock)
            setattr(s, name, shared)
            for i, (ask, answer) in enumerate(reversed(users)):
                ask //= shared.ask[i]
                answer //= shared.answer[i]

    def quiet(s) -> int:
        """Count the cycles from this one on in which nothing happens, whatever the inputs."""
        cycles = s.clock.quiet()
        return cycles if s.control.is_busy() else 0

    def skip(s, cycles: int) -> None:
        """Be as after so many of these cycles."""
        s.clock.now += cycles

    def line_trace(s) -> str:
        """Show control, R^2, the base on its way in, the loop, the result on its way out, the
        unit."""
        parts = (s.control, s.r_squared, s.enter, s.loop, s.leave, s.unit)
        return f"{s.recv}({' '.join(part.line_trace() for part in parts)}){s.send}"
