"""MulRem: a full-width multiplier feeding the remainder unit (document 001, figure 5).

The document's unit shifts the modulus up to the product and down again, 2k+1 cycles; ours
skips the quotient's leading zeros in one cycle and takes k+1 steps (see rtl/mul/div_rem.py).
"""

from pymtl3 import Component, Wire, update, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import mk_mul_msgs
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

        s.div_rem.recv.val //= s.recv.val
        s.div_rem.recv.rdy //= s.recv.rdy
        s.div_rem.send.val //= s.send.val
        s.div_rem.send.rdy //= s.send.rdy

    def line_trace(s) -> str:
        return s.div_rem.line_trace()
