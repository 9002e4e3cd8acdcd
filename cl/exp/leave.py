"""How the loop's last value becomes the result, at cycle level.

`start(value, mod)` in the loop's last cycle; `done(result)` is called in the cycle in which the
result stands: the next one, if there is nothing to do.
"""

from typing import TYPE_CHECKING

from pymtl3 import CalleeIfcCL, CallerIfcCL, Component, update_ff, update_once

from cl.exp.clock import Clock
from cl.exp.stands import NEVER

if TYPE_CHECKING:
    from cl.exponentiator import Parts
    from cl.unit import Part


class Leaves(Component):
    """Has the result stand one cycle after as many as the part takes by its formula."""

    def construct(s, parts: "Parts", part: "Part", clock: Clock):
        s.part, s.clock = part, clock
        s.start = CalleeIfcCL(method=s.begin, rdy=lambda: s.ends_at == NEVER)
        s.done = CallerIfcCL()
        s.clear()
        s.serve()

        @update_ff
        def forget():
            if s.reset:
                s.clear()

    def serve(s) -> None:
        """Add what runs every cycle."""

        @update_once
        def ends():
            if s.clock.now >= s.ends_at:
                s.ends_at = NEVER
                s.done(s.value % s.mod)

    def clear(s) -> None:
        """Forget the value."""
        s.ends_at = NEVER
        s.value = s.mod = 0

    def begin(s, value: int, mod: int, worked: int) -> None:
        """Take the loop's last value."""
        s.value, s.mod = value, worked
        s.ends_at = s.clock.now + 1 + s.part.time(mod) + s.part.later
        s.clock.wake(s.ends_at)

    def products(s) -> list[tuple[CallerIfcCL, CallerIfcCL]]:
        """Return the ports that ask for products: none, if not said otherwise."""
        return []

    def line_trace(s) -> str:
        """Show L while the result leaves."""
        return " " if s.ends_at == NEVER else "L"


class ConvertsOut(Leaves):
    """result = mul(1, value), out of the Montgomery domain, and below m."""

    def serve(s) -> None:
        """Add what runs every cycle."""
        s.ask, s.answer = CallerIfcCL(), CallerIfcCL()

        @update_once
        def answers():
            if s.sent and s.answer.rdy():
                s.done(s.answer() % s.mod)
                s.clear()

        @update_once
        def asks():
            if s.clock.now >= s.ends_at and not s.sent and s.ask.rdy():
                s.ask(1, s.value, s.mod)
                s.sent = True

    def clear(s) -> None:
        """Forget the value."""
        super().clear()
        s.sent = False

    def begin(s, value: int, mod: int, worked: int) -> None:
        """Take the loop's last value: it is a product's operand from the next cycle on."""
        s.value, s.mod = value, worked
        s.ends_at = s.clock.now + 1 + s.part.later
        s.clock.wake(s.ends_at)

    def products(s) -> list[tuple[CallerIfcCL, CallerIfcCL]]:
        """Return the port that asks for the product."""
        return [(s.ask, s.answer)]
