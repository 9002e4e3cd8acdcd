"""MulRem: a full-width multiplier feeding the remainder unit (document 001, figure 5).

The document's remainder unit shifts the modulus up to the product and down again, 2k+1 cycles
(rtl/mul/div_rem_001.py); ours skips the quotient's leading zeros in one cycle and takes k+1 steps
(rtl/mul/div_rem.py).
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, update, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.mul_rem import mul_rem_001_latency, mul_rem_latency
from cl.unit import Unit
from fl.messages import mk_mul_msgs
from fl.mul_rem import mod_mul
from rtl.leaf.handshake import join
from rtl.mul.div_rem import DivRemRTL
from rtl.mul.div_rem_001 import DivRem001RTL


class MulRemRTL(Component):
    """r = a * b mod m, for m >= 1 and any n-bit a and b; time as in cl/mul_rem.py."""

    def construct(s, nbits: int):
        Request, Response = mk_mul_msgs(nbits)
        product_bits = 2 * nbits
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.product = Wire(product_bits)
        s.div_rem = s.divider(product_bits, nbits)

        @update
        def multiply():
            # Only on request: an idle multiplier costs energy, and simulation time.
            s.product @= 0
            if s.recv.val:
                s.product @= zext(s.recv.msg.a, product_bits) * zext(s.recv.msg.b, product_bits)

        @update
        def ports():
            s.div_rem.recv.msg.a @= s.product
            s.div_rem.recv.msg.b @= s.recv.msg.m
            s.send.msg.r @= s.div_rem.send.msg.remainder

        join(s.div_rem.recv, s.recv)
        join(s.div_rem.send, s.send)

    def divider(s, dividend_bits: int, divisor_bits: int) -> Component:
        """Make the remainder unit."""
        return DivRemRTL(dividend_bits, divisor_bits, "zeros")

    def line_trace(s) -> str:
        return s.div_rem.line_trace()


class MulRem001RTL(MulRemRTL):
    """The same around the remainder unit that document 001 prints."""

    def divider(s, dividend_bits: int, divisor_bits: int) -> Component:
        """Make the remainder unit."""
        return DivRem001RTL(dividend_bits, divisor_bits)


@dataclass(frozen=True)
class MulRem(Unit):
    """r = a * b mod m, for m >= 1 and any n-bit a and b."""

    hardware = MulRemRTL
    constant_time = False

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product modulo m."""
        return mod_mul(a, b, m)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, by the quotient's length."""
        return mul_rem_latency(self.nbits, a, b, m)


class MulRem001(MulRem):
    """The same with document 001's remainder unit."""

    hardware = MulRem001RTL

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, by the quotient's length."""
        return mul_rem_001_latency(self.nbits, a, b, m)
