"""Parts of an exponentiator in hardware among parts at cycle level: ports behind method calls.

A part's hardware is simulated by itself. In a cycle its ports are driven with what parts have said;
answers to its products are taken if it takes them; then it asks for products; then its clock rises.
Each class here has the methods of the parts in cl/exp of the same kind.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from pymtl3 import CalleeIfcCL, CallerIfcCL, Component, InPort, M, OutPort, U, update, update_once

from cl.exp.clock import Clock
from cl.exponentiator import Parts
from cl.unit import Part
from sim.python import half_cycles

NEVER = -1


class PartBehindPorts(Component):
    """Has what all have: hardware, and the ports that ask for products, by their names in it.

    Blocks name each method that they call, as PyMTL3 orders them by that.
    """

    def construct(
        s,
        make: Callable[[], Component],
        names: Sequence[str],
        parts: Parts,
        part: Part,
        clock: Clock,
    ):
        clock.never_rests = True
        s.parts, s.clock, s.make, s.names = parts, clock, make, names
        _, s.Response = parts.unit.messages
        s.asking = [CallerIfcCL() for _ in names]
        s.answering = [CallerIfcCL() for _ in names]
        s.hardware = None
        s.clear()

        @update_once
        def ends():
            s.end_cycle(bool(s.reset))

        if len(names) == 2:
            # A square and a product: this one is asked for first.

            @update_once
            def see_both():
                s.begin_cycle()
                if s.takes(0):
                    s.give(0, s.answering[0]())
                if s.takes(1):
                    s.give(1, s.answering[1]())

            @update_once
            def ask_both():
                if s.wants(1):
                    s.asking[1](*s.operands(1))
                if s.wants(0):
                    s.asking[0](*s.operands(0))

            s.in_order(see_both, ask_both, ends)
        elif names:

            @update_once
            def see_one():
                s.begin_cycle()
                if s.takes(0):
                    s.give(0, s.answering[0]())

            @update_once
            def ask_one():
                if s.wants(0):
                    s.asking[0](*s.operands(0))

            s.in_order(see_one, ask_one, ends)
        else:

            @update_once
            def see():
                s.begin_cycle()

            s.in_order(see, ends)

    def in_order(s, see: object, *others: object) -> None:
        """Order the blocks: the first one, perhaps one that asks, the last one."""
        for before, after in pairwise((see, *others)):
            s.add_constraints(U(before) < U(after))
        s.order(U(see), U(others[-1]))

    def order(s, see: object, ends: object) -> None:
        """Say what else comes before or after the first and the last block."""

    def clear(s) -> None:
        """Forget what parts have said."""
        s.at = NEVER

    def drive(s, hardware: Component) -> None:
        """Show the hardware what parts have said."""

    def begin_cycle(s) -> None:
        """Show the hardware what has been said in the cycles before."""
        if s.hardware is None:  # not before all components are constructed
            s.hardware = s.make()
            s.settle, s.clock_edge = half_cycles(s.hardware)
            s.ports = [getattr(s.hardware, name) for name in s.names]
        s.drive(s.hardware)
        for port in s.ports:
            port.req.rdy @= 0
            port.resp.val @= 0
        s.settle()

    def takes(s, i: int) -> bool:
        """Show that an answer is there, if one is, and return whether the hardware takes it."""
        if not s.answering[i].rdy():
            return False
        s.ports[i].resp.val @= 1
        s.settle()
        return bool(s.ports[i].resp.rdy)

    def give(s, i: int, answer: int) -> None:
        """Give an answer."""
        s.ports[i].resp.msg @= s.Response(answer)
        s.settle()

    def wants(s, i: int) -> bool:
        """Return whether the hardware asks for a product, and a unit takes that."""
        wanted = bool(s.ports[i].req.val) and s.asking[i].rdy()
        s.ports[i].req.rdy @= wanted
        return wanted

    def operands(s, i: int) -> tuple[int, int, int]:
        """Return of what the hardware asks for a product."""
        msg = s.ports[i].req.msg
        return int(msg.a), int(msg.b), int(msg.m)

    def end_cycle(s, reset: bool) -> None:
        """Show the hardware what has been said in this cycle, and pass the clock edge."""
        s.hardware.reset @= reset
        s.drive(s.hardware)
        s.settle()
        s.at_edge(s.hardware)
        if reset:
            s.clear()

    def at_edge(s, hardware: Component) -> None:
        """Pass the clock edge."""
        s.clock_edge()

    def products(s) -> list[tuple[CallerIfcCL, CallerIfcCL]]:
        """Return the ports that ask for products."""
        return list(zip(s.asking, s.answering, strict=True))

    def line_trace(s) -> str:
        """Show the hardware."""
        return s.hardware.line_trace() if s.hardware else ""


class StandsBehindPorts(PartBehindPorts):
    """Finds something of a modulus: R^2, or the units' constant."""

    def construct(s, *args):
        s.start = CalleeIfcCL(method=s.begin, rdy=lambda: True)
        s.value = CalleeIfcCL(method=s.found, rdy=s.stands)
        super().construct(*args)

    def clear(s) -> None:
        """Forget the modulus."""
        super().clear()
        s.mod, s.finishes = 0, False
        s.stands_from = NEVER

    def begin(s, at: int, mod: int, worked: int) -> None:
        """Begin under a modulus; what was found before is given up."""
        s.at, s.mod, s.finishes = at, mod, True

    def drive(s, hardware: Component) -> None:
        """Show the hardware what parts have said."""
        hardware.start @= s.clock.now == s.at
        hardware.mod @= s.mod
        if hasattr(hardware, "finish"):
            hardware.finish @= s.finishes

    def at_edge(s, hardware: Component) -> None:
        """Pass the clock edge."""
        s.finishes = False
        s.clock_edge()
        s.settle()
        # Others may still ask in this cycle, in which it is as before the edge.
        if not hardware.done:
            s.stands_from = NEVER
        elif s.stands_from == NEVER:
            s.stands_from = s.clock.now + 1

    def stands(s) -> bool:
        """Return whether the value stands."""
        return s.at < s.clock.now and NEVER != s.stands_from <= s.clock.now

    def found(s) -> int:
        """Return R^2 mod m, or 1 in the plain domain; nobody asks for the value of a constant."""
        return int(s.hardware.value)

    def order(s, see: object, ends: object) -> None:
        """What comes in a cycle is taken at its edge."""
        s.add_constraints(M(s.start) < ends)


class EnterBehindPorts(PartBehindPorts):
    """Takes the base in."""

    def construct(s, *args):
        s.start = CalleeIfcCL(method=s.begin, rdy=lambda: True)
        s.r_squared, s.constant, s.done = CallerIfcCL(), CallerIfcCL(), CallerIfcCL()

        @update_once
        def hand_on():
            if s.hardware.done:
                s.done(int(s.hardware.value))

        s.hands_on = hand_on
        super().construct(*args)

    def clear(s) -> None:
        """Forget the operand."""
        super().clear()
        s.operand = s.mod = 0

    def begin(s, at: int, operand: int, mod: int) -> None:
        """Take an operand."""
        s.at, s.operand, s.mod = at, operand, mod

    def drive(s, hardware: Component) -> None:
        """Show the hardware what parts have said."""
        ready = s.r_squared.rdy() and s.constant.rdy()
        hardware.start @= s.clock.now == s.at
        hardware.operand @= s.operand
        hardware.mod @= s.mod
        hardware.ready @= ready
        if ready:
            hardware.r_squared @= s.r_squared()

    def order(s, see: object, ends: object) -> None:
        """An operand may enter in the very cycle; what is found is handed on before the edge."""
        s.add_constraints(M(s.start) < see, see < U(s.hands_on), U(s.hands_on) < ends)


class LoopBehindPorts(PartBehindPorts):
    """Makes the rounds of products."""

    def construct(s, *args):
        s.load = CalleeIfcCL(method=s.take_exponent, rdy=lambda: True)
        s.start = CalleeIfcCL(method=s.begin, rdy=lambda: True)
        s.take_one = CalleeIfcCL(method=s.begin_with, rdy=lambda: True)
        s.done = CallerIfcCL()

        @update_once
        def hand_on():
            if s.is_over:
                s.is_over = False
                s.done(s.last_result())

        s.hands_on = hand_on
        super().construct(*args)

    def clear(s) -> None:
        """Forget the exponentiation."""
        super().clear()
        s.exp = s.power = s.one = s.mod = 0
        s.loads = s.starts = s.is_over = False

    def take_exponent(s, exp: int, one: int, mod: int) -> None:
        """Take what comes with a request."""
        s.exp, s.one, s.mod, s.loads = exp, one, mod, True

    def begin_with(s, one: int) -> None:
        """Begin with this result."""
        s.one = one

    def begin(s, power: int) -> None:
        """Begin with this power."""
        s.power, s.starts = power, True

    def drive(s, hardware: Component) -> None:
        """Show the hardware what parts have said."""
        hardware.load @= s.loads
        hardware.start @= s.starts
        hardware.first_bit @= s.mod != 1
        hardware.exp @= s.exp
        hardware.held @= s.exp
        hardware.power @= s.power
        hardware.one @= s.one
        hardware.mod @= s.mod

    def at_edge(s, hardware: Component) -> None:
        """Pass the clock edge; after the last one the result stands."""
        s.is_over = bool(hardware.done)
        s.clock_edge()
        s.loads = s.starts = False

    def last_result(s) -> int:
        """Return what stands after the edge."""
        s.settle()
        return int(s.hardware.result)

    def order(s, see: object, ends: object) -> None:
        """What comes in a cycle is taken at its edge, and then the result is handed on."""
        s.add_constraints(*(M(m) < ends for m in (s.load, s.start, s.take_one)))
        s.add_constraints(ends < U(s.hands_on))


class LeaveBehindPorts(PartBehindPorts):
    """Makes the loop's last value the result."""

    def construct(s, *args):
        s.start = CalleeIfcCL(method=s.begin, rdy=lambda: True)
        s.done = CallerIfcCL()

        @update_once
        def hand_on():
            if s.is_found():
                s.done(int(s.hardware.value))

        s.hands_on = hand_on
        super().construct(*args)

    def clear(s) -> None:
        """Forget the value."""
        super().clear()
        s.value = s.mod = 0
        s.active = s.ends = False

    def begin(s, value: int, mod: int, worked: int) -> None:
        """Take the loop's last value, which the hardware is shown in the next cycle."""
        s.value, s.mod, s.at = value, mod, s.clock.now + 1

    def drive(s, hardware: Component) -> None:
        """Show the hardware what parts have said."""
        s.active = s.active or s.clock.now == s.at
        hardware.active @= s.active and s.parts.leaves
        hardware.operand @= s.value
        hardware.mod @= s.mod

    def is_found(s) -> bool:
        """Return whether the result stands, and take it."""
        s.hardware.taken @= bool(s.hardware.done)
        s.ends = s.active and bool(s.hardware.done or not s.parts.leaves)
        return s.ends

    def takes(s, i: int) -> bool:
        """Show that the answer is there, if it is: it is taken with the result."""
        is_there = s.answering[i].rdy()
        s.ports[i].resp.val @= is_there
        return is_there

    def order(s, see: object, ends: object) -> None:
        """The result is handed on in the cycle in which it stands."""
        s.add_constraints(see < U(s.hands_on), U(s.hands_on) < ends)

    def at_edge(s, hardware: Component) -> None:
        """Pass the clock edge."""
        s.clock_edge()
        if s.ends:
            s.active, s.ends, s.at = False, False, NEVER


class JudgeInHardware:
    """Judges a modulus by the hardware that does so."""

    def __init__(self, make: Callable[[], Component]) -> None:
        self.make = make
        self.hardware = None

    def __call__(self, mod: int) -> bool:
        """Return whether the modulus is taken."""
        if self.hardware is None:  # not before all components are constructed
            self.hardware = self.make()
            self.settle, _ = half_cycles(self.hardware)
        self.hardware.mod @= mod
        self.settle()
        return bool(self.hardware.takes)


class JudgeBehindPorts(Component):
    """takes = what a function says of mod, with the ports of the hardware that judges."""

    def construct(s, nbits: int, takes: Callable[[int], bool]):
        s.mod = InPort(nbits)
        s.takes = OutPort()

        @update
        def judge():
            s.takes @= takes(int(s.mod))

    def line_trace(s) -> str:
        """Show . for a modulus that is taken, ! for another."""
        return "." if s.takes else "!"
