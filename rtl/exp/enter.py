"""How the base of a request becomes the first power of the loop.

All have the same ports: `start` in the cycle in which the operand stands; `ready` once the
constants of the modulus do; `done` for a cycle, in which value stands. Only those that convert ask
for a product.
"""

from pymtl3 import Component, InPort, OutPort, clog2, connect, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from fl.messages import mk_mul_msgs
from fl.mont_mul import GUARD_BITS
from rtl.leaf.flattened import Flattened
from rtl.leaf.register import Register
from rtl.leaf.subtract_if_fits import SubtractIfFits


class EnterPorts(Component):
    """Has the ports of all that takes an operand in."""

    def construct(s, nbits: int, guard_bits: int):
        width = nbits + guard_bits
        s.start = InPort()
        s.mod = InPort(nbits)
        s.operand = InPort(nbits)
        s.ready = InPort()
        s.r_squared = InPort(width)
        s.done = OutPort()
        s.value = OutPort(width)

    def products(s) -> list[MasterIfcRTL]:
        """Return the ports that ask for products: none, if not said otherwise."""
        return []

    def line_trace(s) -> str:
        """Show e in the cycle in which the base enters."""
        return "e" if s.start else " "


class Convert(EnterPorts):
    """value = mul(operand, R^2), into the Montgomery domain (document 001, figure 10).

    In the plain domain R^2 is 1, and the product reduces an operand above the modulus.
    """

    def construct(s, nbits: int, guard_bits: int):
        width = nbits + guard_bits
        super().construct(nbits, guard_bits)
        s.mul = MasterIfcRTL(*mk_mul_msgs(nbits, guard_bits))
        s.active = Register()
        s.sent = Register()
        s.value //= s.mul.resp.msg.r
        s.mul.req.msg.b //= s.r_squared
        s.mul.req.msg.m //= s.mod

        @update
        def ports():
            s.mul.req.val @= s.active & s.ready & ~s.sent
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

    def products(s) -> list[MasterIfcRTL]:
        """Return the port that asks for the product."""
        return [s.mul]

    def line_trace(s) -> str:
        """Show w waits for the unit, p its product is under way."""
        return "p" if s.sent else "w" if s.active else " "


class ConvertAny(EnterPorts):
    """value = mul(operand, R^2) below 2m for every operand below R, by an R^2 of at most m.

    Times one below 2m it would be so for operands of up to R/2 only.
    """

    def construct(s, nbits: int):
        width = nbits + GUARD_BITS
        super().construct(nbits, GUARD_BITS)
        s.subtract = SubtractIfFits(nbits)
        s.subtract.value //= s.r_squared
        s.subtract.m //= s.mod
        s.convert = Convert(nbits, GUARD_BITS)
        s.mul = MasterIfcRTL(*mk_mul_msgs(nbits, GUARD_BITS))
        for name in ("start", "mod", "operand", "ready", "done", "value", "mul"):
            connect(getattr(s, name), getattr(s.convert, name))

        @update
        def at_most_m():
            s.convert.r_squared @= zext(s.subtract.result, width)

    def products(s) -> list[MasterIfcRTL]:
        """Return the port that asks for the product."""
        return [s.mul]

    def line_trace(s) -> str:
        return s.convert.line_trace()


class TakeAsItIs(EnterPorts):
    """value = operand, once `ready`, for multipliers that take any."""

    def construct(s, nbits: int, guard_bits: int):
        width = nbits + guard_bits
        super().construct(nbits, guard_bits)
        s.active = Register()

        @update
        def finish():
            s.done @= s.active & s.ready
            s.value @= zext(s.operand, width)

        @update_ff
        def control():
            if s.reset:
                s.active <<= 0
            elif s.start:
                s.active <<= 1
            elif s.done:
                s.active <<= 0

    def line_trace(s) -> str:
        """Show w waits."""
        return "w" if s.active else " "


class TakeAtOnce(EnterPorts, Flattened):
    """value = operand in the very cycle of `start`."""

    def construct(s, nbits: int, guard_bits: int):
        width = nbits + guard_bits
        super().construct(nbits, guard_bits)
        s.done //= s.start

        @update
        def extend():
            s.value @= zext(s.operand, width)


class TakeRadix(EnterPorts):
    """value = R mod m, for R = 2^radix, with which a loop in the domain may begin.

    The way to R^2 mod m by doublings from 1 passes it, radix + 1 cycles after `start`.
    """

    def construct(s, nbits: int, guard_bits: int, radix: int):
        count_bits = clog2(radix + 2)
        Count = mk_bits(count_bits)
        super().construct(nbits, guard_bits)
        s.cycles_left = Register(count_bits)
        s.done //= 1

        @update_ff
        def count():
            if s.reset:
                s.cycles_left <<= 0
            elif s.start:
                s.cycles_left <<= Count(radix + 1)
            elif s.cycles_left != 0:
                s.cycles_left <<= s.cycles_left - 1

        @update_ff
        def take():
            if s.cycles_left == 1:
                s.value <<= s.r_squared


class NoOne(EnterPorts, Flattened):
    """value = 0, in the place of Convert, where the loop's first result is in no domain."""

    def construct(s, nbits: int, guard_bits: int):
        super().construct(nbits, guard_bits)
        s.done //= 1
        s.value //= 0
