"""Into the domain of a multiplier and out of it again: one product each (document 001, figure 10).

In the plain domain the product is operand * 1, which reduces an operand above the modulus.
"""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from fl.messages import mk_mul_msgs


class ConvertIn(Component):
    """value = mul(operand, R^2): `done` for a cycle, after `start` and once R^2 stands."""

    def construct(s, nbits: int, guard_bits: int):
        width = nbits + guard_bits
        s.start = InPort()
        s.mod = InPort(nbits)
        s.operand = InPort(nbits)
        s.r_squared_done = InPort()
        s.r_squared = InPort(width)
        s.done = OutPort()
        s.value = OutPort(width)
        s.mul = MasterIfcRTL(*mk_mul_msgs(nbits, guard_bits))
        s.active = Wire()
        s.sent = Wire()
        s.value //= s.mul.resp.msg.r
        s.mul.req.msg.b //= s.r_squared
        s.mul.req.msg.m //= s.mod

        @update
        def ports():
            s.mul.req.val @= s.active & s.r_squared_done & ~s.sent
            s.mul.req.msg.a @= zext(s.operand, width)
            s.mul.resp.rdy @= s.sent

        @update
        def finish():
            s.done @= s.sent & s.mul.resp.val

        @update_ff
        def control():
            if s.reset:
                s.active <<= 0
                s.sent <<= 0
            elif s.start:
                s.active <<= 1
            elif s.done:
                s.active <<= 0
                s.sent <<= 0
            elif s.mul.req.val & s.mul.req.rdy:
                s.sent <<= 1


class TakeOperand(Component):
    """ConvertIn for a multiplier that takes any operand as it is: no product, value = operand."""

    def construct(s, nbits: int, guard_bits: int):
        width = nbits + guard_bits
        s.start = InPort()
        s.mod = InPort(nbits)
        s.operand = InPort(nbits)
        s.r_squared_done = InPort()  # what products need stands
        s.done = OutPort()
        s.value = OutPort(width)
        s.active = Wire()

        @update
        def finish():
            s.done @= s.active & s.r_squared_done
            s.value @= zext(s.operand, width)

        @update_ff
        def control():
            if s.reset:
                s.active <<= 0
            elif s.start:
                s.active <<= 1
            elif s.done:
                s.active <<= 0


class ConvertOut(Component):
    """value = mul(1, operand) while `done`, from some cycle of `active` on until `taken`."""

    def construct(s, nbits: int, guard_bits: int):
        width = nbits + guard_bits
        s.active = InPort()
        s.taken = InPort()
        s.mod = InPort(nbits)
        s.operand = InPort(width)
        s.done = OutPort()
        s.value = OutPort(width)
        s.mul = MasterIfcRTL(*mk_mul_msgs(nbits, guard_bits))
        s.sent = Wire()
        s.value //= s.mul.resp.msg.r
        # The operand is below the modulus, as b must be; 1 is not for m = 1.
        s.mul.req.msg.a //= 1
        s.mul.req.msg.b //= s.operand
        s.mul.req.msg.m //= s.mod

        @update
        def ports():
            s.mul.req.val @= s.active & ~s.sent
            s.mul.resp.rdy @= s.taken

        @update
        def finish():
            s.done @= s.sent & s.mul.resp.val

        @update_ff
        def control():
            if s.reset | s.taken:
                s.sent <<= 0
            elif s.mul.req.val & s.mul.req.rdy:
                s.sent <<= 1
