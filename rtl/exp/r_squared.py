"""R^2 mod m, with which a product takes an operand into the Montgomery domain, in several ways.

All have the same ports: `start` in a cycle in which mod stands; from some later cycle on, `done`
while value stands, until `finish`.
"""

from pymtl3 import Component, InPort, OutPort, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from cl.unit import Unit
from rtl.leaf.flattened import Flattened
from rtl.leaf.register import Register
from rtl.mul.div_rem import DivRemRTL


class RSquaredPorts(Component):
    """Has the ports of them all."""

    def construct(s, nbits: int, guard_bits: int):
        s.start = InPort()
        s.finish = InPort()
        s.mod = InPort(nbits)
        s.done = OutPort()
        s.value = OutPort(nbits + guard_bits)

    def products(s) -> list[MasterIfcRTL]:
        """Return the ports that ask for products: none, if not said otherwise."""
        return []

    def line_trace(s) -> str:
        """Show r if it is there."""
        return "r" if s.done else " "


class NoRSquared(RSquaredPorts, Flattened):
    """value = 0, for bases that enter without a product."""

    def construct(s, nbits: int, guard_bits: int):
        super().construct(nbits, guard_bits)
        s.done //= 1
        s.value //= 0


class RSquaredOne(RSquaredPorts, Flattened):
    """value = 1: in the plain domain, conversion only reduces the operand."""

    def construct(s, nbits: int, guard_bits: int):
        super().construct(nbits, guard_bits)
        s.done //= 1
        s.value //= 1


class RSquaredRemainder(RSquaredPorts):
    """value = 2^(2r) mod m by the remainder unit, a bit per cycle (document 001), for m >= 1."""

    def construct(s, nbits: int, guard_bits: int, radix: int):
        super().construct(nbits, guard_bits)
        width = nbits + guard_bits
        dividend_bits = 2 * radix + 1
        dividend = mk_bits(dividend_bits)(1 << 2 * radix)
        s.div_rem = DivRemRTL(dividend_bits, nbits, "none")
        s.div_rem.recv.val //= s.start
        s.div_rem.send.val //= s.done
        s.div_rem.send.rdy //= s.finish

        @update
        def operands():
            s.div_rem.recv.msg.a @= dividend
            s.div_rem.recv.msg.b @= s.mod
            s.value @= zext(s.div_rem.send.msg.remainder, width)


class RSquaredProduct(RSquaredPorts):
    """value = mul(R - m, R - m, m) by its own plain multiplier, for R = 2^nbits (document 004).

    Where R - m may pass m, which the document forgets, mul(R - m, 1, m) reduces it first.
    """

    def construct(s, unit: Unit):
        nbits = unit.nbits
        super().construct(nbits, 0)
        s.multiplier = unit.rtl()
        s.power = Register(nbits)
        s.reduce = Register()  # this product is the one by 1
        s.wanted = Register()  # a product is to be asked for
        s.sent = Register()
        s.value //= s.power
        s.multiplier.recv.val //= s.wanted
        s.multiplier.send.rdy //= s.sent
        s.multiplier.recv.msg.a //= s.power
        s.multiplier.recv.msg.m //= s.mod

        @update
        def operand():
            s.multiplier.recv.msg.b @= s.power
            if s.reduce:
                s.multiplier.recv.msg.b @= zext(s.mod != 1, nbits)

        @update_ff
        def control():
            if s.reset:
                s.wanted <<= 0
                s.sent <<= 0
                s.done <<= 0
            elif s.start:
                s.wanted <<= 1
                s.reduce <<= ~s.mod[nbits - 1]
                s.power <<= ~s.mod + 1
            elif s.wanted & s.multiplier.recv.rdy:
                s.wanted <<= 0
                s.sent <<= 1
            elif s.sent & s.multiplier.send.val:
                s.sent <<= 0
                s.reduce <<= 0
                s.wanted <<= s.reduce
                s.done <<= ~s.reduce
                s.power <<= s.multiplier.send.msg.r
            elif s.finish:
                s.done <<= 0
