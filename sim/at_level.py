"""A unit at a level of its own in an exponentiator of any level: val/rdy ports where both meet."""

from dataclasses import dataclass
from functools import lru_cache

from pymtl3 import Component, M, U, update_ff, update_once

from cl.around import Around
from cl.exp.clock import Clock
from cl.exp.shared_unit import SharedUnit
from cl.unit import Part, Unit
from sim.importer import import_verilog
from sim.python import half_cycles

CL, RTL, VERILOG = UNIT_LEVELS = ("cl", "rtl", "verilog")


@dataclass(frozen=True)
class AtLevel(Around):
    """Puts a unit at a level into an exponentiator of any level."""

    level: str

    def __post_init__(self) -> None:
        if self.level == VERILOG:
            imported(self.unit)  # while another component is constructed it could not be

    def value(self, a: int, b: int, m: int) -> int:
        """Return the unit's product; of operands that it need not take, what hardware makes of
        them modulo 1, or for moduli that are refused anyway, 0."""
        b = b if m == 0 or self.unit.accepts(a, b, m) else b % m
        return self.unit.value(a, b, m) if self.unit.accepts(a, b, m) else 0

    def rtl(self) -> Component:
        """Make a new component with the ports of the hardware."""
        if self.level == VERILOG:
            return imported(self.unit)()
        return self.unit.rtl() if self.level == RTL else self.cl()

    def shared(self, askers: int, clock: Clock) -> Component:
        """Make a new component at cycle level that so many parts ask by method calls."""
        if self.level == CL:
            return self.unit.shared(askers, clock)
        return UnitBehindPorts(self, askers, clock)


@lru_cache(maxsize=8)
def imported(unit: Unit) -> type[Component]:
    """Return the component that runs the unit's Verilog."""
    return type(import_verilog(unit.rtl()))


class UnitBehindPorts(SharedUnit):
    """Asks a unit in hardware, which is simulated by itself.

    In a cycle the answer that stands at its ports is seen, and taken if a part calls for it; then
    it says whether it has room, which may depend on that; then it is asked.
    """

    def construct(s, unit: AtLevel, askers: int, clock: Clock):
        super().construct(askers)
        s.unit, s.hardware = unit, None
        s.request, s.taken = None, False

        @update_once
        def see_answer():
            if s.hardware is None:  # not before all components are constructed
                s.hardware = Hardware(unit)
            s.request, s.taken = None, False
            s.hardware.settle()

        @update_once
        def take_answer():
            s.hardware.take(s.taken)

        @update_once
        def ask_hardware():
            s.hardware.ask(s.request)

        @update_ff
        def edge():
            s.hardware.edge(bool(s.reset))
            if s.reset:
                s.owners.clear()

        s.add_constraints(
            *(U(see_answer) < M(answer) for answer in s.answer),
            *(M(answer) < U(take_answer) for answer in s.answer),
            *(U(take_answer) < M(ask) for ask in s.ask),
            *(M(ask) < U(ask_hardware) for ask in s.ask),
        )

    def has_room(s) -> bool:
        """Return whether a request is taken now."""
        return s.request is None and s.hardware.has_room

    def enter(s, *operands: int) -> None:
        """Ask the hardware in this cycle."""
        s.request = operands

    def is_complete(s) -> bool:
        """Return whether an answer stands that nobody has taken."""
        return s.hardware.is_complete and not s.taken

    def leave(s) -> int:
        """Take the answer that stands."""
        s.taken = True
        return s.hardware.product

    def line_trace(s) -> str:
        """Show the hardware."""
        return s.hardware.top.line_trace() if s.hardware else ""


class Hardware:
    """Simulates a unit's component, which settles as often as its inputs change."""

    def __init__(self, unit: AtLevel) -> None:
        self.unit = unit
        self.top = import_verilog(unit.unit.rtl()) if unit.level == VERILOG else unit.rtl()
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

    def ask(self, operands: tuple[int, int, int] | None) -> None:
        """Make a request, or none; the constant of its modulus comes with it."""
        self.top.recv.val @= operands is not None
        if operands:
            self.top.recv.msg @= self.Request(*operands)
            if self.unit.constant:
                self.top.constant @= constant_of(self.unit.unit, operands[2])
        self.settle()

    def edge(self, reset: bool) -> None:
        """Pass a clock edge."""
        self.top.reset @= reset
        self.clock_edge()


@lru_cache(maxsize=64)
def constant_of(unit: Unit, mod: int) -> int:
    """Return what the hardware finds that finds the unit's constant."""
    part: Part | None = unit.constant
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
