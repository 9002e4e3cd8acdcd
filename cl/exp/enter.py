"""How the base of a request becomes the first power of the loop, at cycle level.

`start(at, operand, mod)` in cycle `at` or before; `done(value)` is called in the cycle in which the
value stands.
"""

from typing import TYPE_CHECKING

from pymtl3 import CalleeIfcCL, CallerIfcCL, Component, M, U, update_ff, update_once

from cl.exp.clock import Clock

if TYPE_CHECKING:
    from cl.exponentiator import Parts
    from cl.unit import Part


class Enters(Component):
    """Has the methods of all that takes an operand in; r_squared and constant are asked whether
    they stand."""

    def construct(s, parts: "Parts", part: "Part", clock: Clock):
        s.parts, s.clock = parts, clock
        s.start = CalleeIfcCL(method=s.begin, rdy=lambda: not s.active)
        s.r_squared, s.constant, s.done = CallerIfcCL(), CallerIfcCL(), CallerIfcCL()
        s.clear()

        @update_ff
        def forget():
            if s.reset:
                s.clear()

    def clear(s) -> None:
        """Forget the operand."""
        s.active = s.sent = False
        s.at = s.operand = s.mod = 0

    def begin(s, at: int, operand: int, mod: int) -> None:
        """Take an operand."""
        s.active, s.at, s.operand, s.mod = True, at, operand, mod
        s.clock.wake(at + 1)

    def products(s) -> list[tuple[CallerIfcCL, CallerIfcCL]]:
        """Return the ports that ask for products: none, if not said otherwise."""
        return []

    def line_trace(s) -> str:
        """Show w waits, p its product is under way."""
        return "p" if s.sent else "w" if s.active else " "


class Takes(Enters):
    """value = operand, once the units' constant stands."""

    waits = True

    def construct(s, parts: "Parts", part: "Part", clock: Clock):
        super().construct(parts, part, clock)
        waits = s.waits

        @update_once
        def takes():
            if s.active and (not waits or (clock.now > s.at and s.constant.rdy())):
                s.active = False
                s.done(s.taken())

        s.add_constraints(M(s.start) < U(takes))

    def taken(s) -> int:
        """Return the operand, reduced where the unit does not take it as it is."""
        as_it_is = s.parts.unit.accepts(s.operand, s.operand, s.mod)
        return s.operand if as_it_is else s.operand % s.mod


class TakesAtOnce(Takes):
    """value = operand, in the cycle of its start."""

    waits = False


class Converts(Enters):
    """value = mul(operand, R^2), once the constants stand; in the plain domain R^2 is 1."""

    def construct(s, parts: "Parts", part: "Part", clock: Clock):
        super().construct(parts, part, clock)
        s.ask, s.answer = CallerIfcCL(), CallerIfcCL()

        @update_once
        def answers():
            if s.sent and s.answer.rdy():
                s.active = s.sent = False
                s.done(s.answer())

        @update_once
        def asks():
            if s.active and not s.sent and s.clock.now > s.at and s.ready() and s.ask.rdy():
                s.ask(s.operand, s.r_squared(), s.mod)
                s.sent = True

    def ready(s) -> bool:
        """Return whether R^2 and the constant stand."""
        return s.r_squared.rdy() and s.constant.rdy()

    def products(s) -> list[tuple[CallerIfcCL, CallerIfcCL]]:
        """Return the port that asks for the product."""
        return [(s.ask, s.answer)]
