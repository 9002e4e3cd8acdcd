"""How the loop's last value becomes the result.

All have the same ports: `active` from the cycle after the loop's end on, if there is something to
do; `done` from some later cycle on, until `taken`. value is the result, while done or, of a request
that needed no product, at any time.
"""

from pymtl3 import Component, InPort, OutPort, update, update_ff
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from cl.unit import Part
from fl.messages import mk_mul_msgs
from rtl.leaf.flattened import Flattened
from rtl.leaf.register import Register
from rtl.leaf.subtract_if_fits import SubtractIfFits


class LeavePorts(Component):
    """Has the ports of them all."""

    def construct(s, nbits: int, guard_bits: int):
        s.active = InPort()
        s.taken = InPort()
        s.mod = InPort(nbits)
        s.operand = InPort(nbits + guard_bits)
        s.done = OutPort()
        s.value = OutPort(nbits)

    def products(s) -> list[MasterIfcRTL]:
        """Return the ports that ask for products: none, if not said otherwise."""
        return []

    def line_trace(s) -> str:
        """Show L while the result leaves."""
        return "L" if s.active else " "


class Keep(LeavePorts, Flattened):
    """value = operand, which is below mod."""

    def construct(s, nbits: int):
        super().construct(nbits, 0)
        s.value //= s.operand
        s.done //= 0


class SubtractOnce(LeavePorts):
    """value = operand mod mod, for operands below 2 * mod."""

    def construct(s, nbits: int):
        super().construct(nbits, 1)
        s.subtract = SubtractIfFits(nbits)
        s.subtract.value //= s.operand
        s.subtract.m //= s.mod
        s.subtract.result //= s.value
        s.done //= 0


class ByProduct(LeavePorts):
    """Asks for mul(1, operand), out of the Montgomery domain, and leaves the answer on its port."""

    def construct(s, nbits: int, guard_bits: int):
        super().construct(nbits, guard_bits)
        s.mul = MasterIfcRTL(*mk_mul_msgs(nbits, guard_bits))
        s.sent = Register()
        # The operand is below the modulus, as b must be; 1 is not for m = 1.
        s.mul.req.msg.a //= 1
        s.mul.req.msg.b //= s.operand
        s.mul.req.msg.m //= s.mod

        @update
        def ports():
            s.mul.req.val @= s.active & ~s.sent
            s.mul.resp.rdy @= s.taken

        @update_ff
        def control():
            if s.reset | s.taken:
                s.sent <<= 0
            elif s.mul.req.val & s.mul.req.rdy:
                s.sent <<= 1

    def products(s) -> list[MasterIfcRTL]:
        """Return the port that asks for the product."""
        return [s.mul]


class ConvertOut(ByProduct):
    """value = mul(1, operand); then as Keep or SubtractOnce."""

    def construct(s, nbits: int, guard_bits: int):
        super().construct(nbits, guard_bits)
        s.last = SubtractOnce(nbits) if guard_bits else Keep(nbits)
        s.last.active //= s.active
        s.last.taken //= s.taken
        s.last.mod //= s.mod
        s.last.value //= s.value

        @update
        def finish():
            s.done @= s.sent & s.mul.resp.val

        @update
        def choose():
            s.last.operand @= s.operand
            if s.active:
                s.last.operand @= s.mul.resp.msg.r


class Reduce(LeavePorts):
    """value = operand mod mod by the unit's own reduction."""

    def construct(s, nbits: int, guard_bits: int, reduction: Part):
        super().construct(nbits, guard_bits)
        s.reduction = reduction.rtl()
        s.reduction.active //= s.active
        s.reduction.taken //= s.taken
        s.reduction.mod //= s.mod
        s.reduction.operand //= s.operand
        s.reduction.done //= s.done

        @update
        def choose():
            s.value @= s.operand[0:nbits]
            if s.active:
                s.value @= s.reduction.value
