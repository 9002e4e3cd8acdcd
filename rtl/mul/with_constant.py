"""A multiplier by itself around a unit that is given a constant of the modulus."""

from dataclasses import dataclass

from pymtl3 import Component, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.unit import Unit
from cl.with_constant import with_constant_latency
from fl.messages import mk_mul_msgs
from rtl.leaf.register import Register

IDLE, START, FIND, PRODUCT = range(4)


class WithConstantRTL(Component):
    """Answers the unit's product, the constant found anew each time; time as cl/with_constant.py.

    Where the unit has a reduction, that makes the answer, and operands and answer have nbits.
    """

    def construct(s, unit: Unit):
        nbits, unit_bits = unit.nbits, unit.nbits + unit.guard_bits
        guard_bits = 0 if unit.reduction else unit.guard_bits
        outer_bits = nbits + guard_bits
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.state = Register(2)
        s.a = Register(outer_bits)
        s.b = Register(outer_bits)
        s.m = Register(nbits)
        s.unit = unit.rtl()
        s.constant = unit.constant.rtl()
        s.constant.mod //= s.m
        s.unit.constant //= s.constant.constant
        s.unit.recv.msg.m //= s.m

        @update
        def request():
            s.recv.rdy @= s.state == IDLE
            s.constant.start @= s.state == START
            s.unit.recv.val @= (s.state == FIND) & s.constant.done
            s.unit.recv.msg.a @= zext(s.a, unit_bits)
            s.unit.recv.msg.b @= zext(s.b, unit_bits)

        if unit.reduction:
            s.reduction = unit.reduction.rtl()
            s.reduction.active //= s.unit.send.val
            s.reduction.mod //= s.m
            s.reduction.operand //= s.unit.send.msg.r
            s.reduction.done //= s.send.val
            s.reduction.value //= s.send.msg.r

            @update
            def take():
                s.reduction.taken @= s.send.val & s.send.rdy
                s.unit.send.rdy @= s.send.val & s.send.rdy

        else:
            s.unit.send //= s.send

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.state == IDLE:
                if s.recv.val:
                    s.state <<= START
            elif s.state == START:
                s.state <<= FIND
            elif s.state == FIND:
                if s.constant.done:
                    s.state <<= PRODUCT
            elif s.send.val & s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def operands():
            if s.recv.val & s.recv.rdy:
                s.a <<= s.recv.msg.a
                s.b <<= s.recv.msg.b
                s.m <<= s.recv.msg.m

    def line_trace(s) -> str:
        """Show I idle, S start, F finds the constant, P product; the unit."""
        return f"{s.recv}({'ISFP'[int(s.state)]} {s.unit.line_trace()}){s.send}"


@dataclass(frozen=True)
class WithConstant(Unit):
    """Makes a multiplier by itself of a unit that asks for a constant."""

    unit: Unit

    @property
    def guard_bits(self) -> int:
        """Return those of the unit, or 0 where its values are reduced."""
        return 0 if self.unit.reduction else self.unit.guard_bits

    @property
    def radix(self) -> int:
        """Return that of the unit."""
        return self.unit.radix

    @property
    def constant_time(self) -> bool:
        """Return whether neither constant nor reduction takes longer for some moduli."""
        parts = (self.unit.constant, self.unit.reduction)
        return all(isinstance(part.cycles, int) for part in parts if part)

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined for these operands."""
        return self.unit.accepts(a, b, m)

    def value(self, a: int, b: int, m: int) -> int:
        """Return the unit's product, reduced if it has a reduction."""
        r = self.unit.value(a, b, m)
        return r % m if self.unit.reduction else r

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response."""
        reduction = self.unit.reduction.time(m) if self.unit.reduction else 0
        constant, product = self.unit.constant.time(m), self.unit.latency(a, b, m)
        return with_constant_latency(constant, product, reduction)

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        return WithConstantRTL(self.unit)


def by_itself(unit: Unit) -> Unit:
    """Make the unit a multiplier that needs nothing else."""
    return WithConstant(unit.nbits, unit) if unit.constant else unit
