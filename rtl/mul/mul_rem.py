"""MulRem: a full-width multiplier feeding the remainder unit (document 001, figure 5).

The document's unit shifts the modulus up to the product and down again, 2k+1 cycles; ours
skips the quotient's leading zeros in one cycle and takes k+1 steps (see rtl/mul/div_rem.py).
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, update, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.mul_rem import mul_rem_latency
from cl.unit import Unit
from fl.messages import mk_mul_msgs
from fl.mul_rem import mod_mul
from rtl.leaf.handshake import join
from rtl.mul.div_rem import DivRemRTL


class MulRemRTL(Component):
    """r = a * b mod m, for m >= 1 and any n-bit a and b; time as in cl/mul_rem.py."""

    def construct(s, nbits: int):
        Request, Response = mk_mul_msgs(nbits)
        product_bits = 2 * nbits
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.product = Wire(product_bits)
        s.div_rem = DivRemRTL(product_bits, nbits, "zeros")

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

    def line_trace(s) -> str:
        return s.div_rem.line_trace()


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
