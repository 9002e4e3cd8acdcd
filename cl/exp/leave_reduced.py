"""How a last value becomes the result by a product and the unit's reduction, at cycle level."""

from typing import TYPE_CHECKING

from pymtl3 import CallerIfcCL, update_once

from cl.exp.clock import Clock
from cl.exp.leave import ConvertsOut
from cl.exp.stands import NEVER

if TYPE_CHECKING:
    from cl.exponentiator import Parts
    from cl.unit import Part


class ConvertsOutReduced(ConvertsOut):
    """result = mul(1, value) mod m, once the unit's reduction of the product is over."""

    def construct(s, parts: "Parts", part: "Part", clock: Clock):
        super().construct(parts, part, clock)
        assert parts.unit.reduction
        s.reduction = parts.unit.reduction

    def serve(s) -> None:
        """Add what runs every cycle."""
        s.ask, s.answer = CallerIfcCL(), CallerIfcCL()

        @update_once
        def answers():
            if s.sent and s.stands_at == NEVER and s.answer.rdy():
                s.value = s.answer()
                s.stands_at = s.clock.now + s.reduction.time(s.mod)
                s.clock.wake(s.stands_at)
            if s.clock.now >= s.stands_at:
                s.done(s.value % s.mod)
                s.clear()

        @update_once
        def asks():
            if s.clock.now >= s.ends_at and not s.sent and s.ask.rdy():
                s.ask(1, s.value, s.mod)
                s.sent = True

    def clear(s) -> None:
        """Forget the value."""
        super().clear()
        s.stands_at = NEVER
