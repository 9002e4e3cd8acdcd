"""A unit in hardware by itself: its component, simulated cycle by cycle."""

from functools import lru_cache

from pymtl3 import Component

from cl.unit import Unit
from sim.python import half_cycles


class UnitHardware:
    """Simulates a unit's component, which settles as often as its inputs change."""

    def __init__(self, unit: Unit, component: Component) -> None:
        self.unit = unit
        self.top = component
        self.settle, self.clock_edge = half_cycles(self.top)
        self.Request, _ = unit.messages
        self.take(False)

    @property
    def is_complete(self) -> bool:
        """Return whether an answer stands."""
        return bool(self.top.send.val)

    @property
    def product(self) -> int:
        """Return what stands."""
        return int(self.top.send.msg.r)

    @property
    def has_room(self) -> bool:
        """Return whether it is ready for a request."""
        return bool(self.top.recv.rdy)

    def take(self, taken: bool) -> None:
        """Take the answer, or let it stand."""
        self.top.send.rdy @= taken
        self.settle()

    def ask(self, operands: tuple[int, ...] | None) -> None:
        """Make a request, or none; the constant of its modulus comes with it."""
        self.top.recv.val @= operands is not None
        if operands:
            self.top.recv.msg @= self.Request(*operands)
            if self.unit.constant:
                self.top.constant @= constant_of(self.unit, operands[2])
        self.settle()

    def edge(self, reset: bool) -> None:
        """Pass a clock edge."""
        self.top.reset @= reset
        self.clock_edge()


@lru_cache(maxsize=64)
def constant_of(unit: Unit, mod: int) -> int:
    """Return what the hardware finds that finds the unit's constant."""
    part = unit.constant
    assert part is not None, unit
    finder = part.rtl()
    settle, edge = half_cycles(finder)
    finder.reset @= 1
    settle(), edge()
    finder.reset @= 0
    finder.mod @= mod
    for start in (1, *[0] * (part.time(mod) + 1)):
        finder.start @= start
        settle(), edge()
    settle()
    assert finder.done, unit
    return int(finder.constant)
