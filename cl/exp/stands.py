"""What an exponentiator finds once per modulus: the units' constant, and R^2 mod m.

`start(at, mod, worked)` has it begin in cycle `at` under a modulus; products are made modulo
`worked`. `value()` is ready from the cycle on in which it stands.
"""

from typing import TYPE_CHECKING

from pymtl3 import CalleeIfcCL, CallerIfcCL, Component, update_ff, update_once

from cl.exp.clock import Clock
from fl.r_squared import first_power

if TYPE_CHECKING:
    from cl.exponentiator import Parts
    from cl.unit import Part

NEVER = 1 << 62  # a cycle that does not come


class Stands(Component):
    """Stands one cycle after as many as the part takes by its formula."""

    def construct(s, parts: "Parts", part: "Part", clock: Clock):
        s.parts, s.part, s.clock = parts, part, clock
        s.start = CalleeIfcCL(method=s.begin, rdy=lambda: True)
        s.value = CalleeIfcCL(method=s.found, rdy=s.stands)
        s.clear()

        @update_ff
        def forget():
            if s.reset:
                s.clear()

    def clear(s) -> None:
        """Forget the modulus."""
        s.stands_from, s.mod = NEVER, 0

    def begin(s, at: int, mod: int, worked: int) -> None:
        """Begin under a modulus."""
        s.stands_from = at + 1 + s.part.time(mod) + s.part.later
        s.mod = worked
        s.clock.wake(s.stands_from)

    def stands(s) -> bool:
        """Return whether the value stands."""
        return s.clock.now >= s.stands_from

    def found(s) -> int:
        """Return R^2 mod m, or 1 in the plain domain; nobody asks for the value of a constant."""
        radix = s.parts.unit.radix
        return (1 << 2 * radix) % s.mod if radix else 1

    def products(s) -> list[tuple[CallerIfcCL, CallerIfcCL]]:
        """Return the ports that ask for products: none, if not said otherwise."""
        return []

    def line_trace(s) -> str:
        """Show r if it is there."""
        return "r" if s.stands() else " "


class Doublings(Stands):
    """Finds R^2 mod m by doublings, a cycle each, then by squarings that it asks of the unit.

    constant: doublings start from 1 whatever the modulus. After a squaring there is a doubling more
    where the next bit of r is 1.
    """

    def construct(s, squarings: int, constant: bool, parts: "Parts", part: "Part", clock: Clock):
        s.squarings, s.constant = squarings, constant
        super().construct(parts, part, clock)
        s.ask, s.answer = CallerIfcCL(), CallerIfcCL()

        @update_once
        def answers():
            if s.sent and s.answer.rdy():
                s.power, s.sent = s.answer(), False
                s.go_on()

        @update_once
        def asks():
            if s.left and not s.sent and s.clock.now >= s.asks_from and s.ask.rdy():
                s.ask(s.power, s.power, s.mod)
                s.sent = True

    def clear(s) -> None:
        """Forget the modulus."""
        super().clear()
        s.left, s.sent = 0, False
        s.power = s.asks_from = 0

    def begin(s, at: int, mod: int, worked: int) -> None:
        """Double up to R * 2^(r >> squarings) mod m."""
        unit = s.parts.unit
        doublings = unit.radix + (unit.radix >> s.squarings)
        s.mod, s.left, s.sent = worked, s.squarings, False
        s.power = pow(2, doublings, worked)
        done_before = 0 if s.constant else first_power(unit.nbits, mod)[1]
        s.asks_from = at + 1 + max(0, doublings - done_before + s.part.later)
        s.clock.wake(s.asks_from)
        s.stands_from = NEVER if s.left else s.asks_from

    def go_on(s) -> None:
        """Go on from the square in the next cycle, or after a doubling."""
        s.left -= 1
        doubles = s.parts.unit.radix >> s.left & 1
        s.power = (s.power << doubles) % s.mod
        s.asks_from = s.clock.now + 1 + doubles
        s.clock.wake(s.asks_from)
        if not s.left:
            s.stands_from = s.asks_from

    def found(s) -> int:
        """Return R^2 mod m."""
        return s.power

    def products(s) -> list[tuple[CallerIfcCL, CallerIfcCL]]:
        """Return the port that asks for squarings, if there are any."""
        return [(s.ask, s.answer)] if s.squarings else []

    def line_trace(s) -> str:
        """Show squarings left; p one is under way."""
        return f"{s.left}{'p' if s.sent else ' '}"
