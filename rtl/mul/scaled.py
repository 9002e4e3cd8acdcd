"""Products modulo c*m instead of m (fl/scaled.py): the units, given the constant of the modulus.

The sums of a cycle are formed side by side; no quotient digit waits for a product.
"""

from pymtl3 import Component, InPort, Wire, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.fold_mul import digit_cycles
from fl.messages import mk_mul_msgs
from fl.scaled import high_guard_bits, high_top, low_guard_bits, low_radix
from rtl.leaf.digit_loop import DigitLoop
from rtl.mul.fold_mul import FoldLoop


class ScaledLowMulRTL(Component):
    """r as low_product in fl, for constant = 2^-w mod m; time as low_latency in cl.

    m itself is not looked at; the constant stands as long as products are under way.
    """

    def construct(s, nbits: int, digit_bits: int):
        guard_bits = low_guard_bits(digit_bits)
        width = nbits + guard_bits
        digits_bits = low_radix(nbits, digit_bits)
        sum_bits = width + digit_bits + 1
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.constant = InPort(nbits)
        s.digits = Wire(digits_bits)  # of a, the lowest first
        s.b = Wire(width)
        s.sum = Wire(sum_bits)
        s.loop = DigitLoop(digit_cycles(digits_bits, digit_bits))
        s.loop.recv_val //= s.recv.val
        s.loop.recv_rdy //= s.recv.rdy
        s.loop.send_val //= s.send.val
        s.loop.send_rdy //= s.send.rdy
        s.send.msg.r //= s.sum[0:width]

        @update_ff
        def registers():
            if s.loop.load:
                s.digits <<= zext(s.recv.msg.a, digits_bits)
                s.b <<= s.recv.msg.b
                s.sum <<= 0
            elif s.loop.step:
                s.digits <<= s.digits >> digit_bits
                s.sum <<= (
                    zext(s.sum[digit_bits:sum_bits], sum_bits)
                    + zext(s.sum[0:digit_bits], sum_bits) * zext(s.constant, sum_bits)
                    + zext(s.digits[0:digit_bits], sum_bits) * zext(s.b, sum_bits)
                )

    def line_trace(s) -> str:
        return f"{s.recv}({s.loop.line_trace()}){s.send}"


class ScaledHighMulRTL(Component):
    """r as high_product in fl, for constant = 2^N mod m; time as high_latency in cl.

    m itself is not looked at; the constant stands as long as products are under way.
    """

    def construct(s, nbits: int, digit_bits: int):
        guard_bits = high_guard_bits(digit_bits)
        top = high_top(nbits, digit_bits)
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.constant = InPort(nbits)
        s.loop = FoldLoop(top, nbits, nbits + guard_bits, digit_bits)
        s.loop.recv_val //= s.recv.val
        s.loop.recv_rdy //= s.recv.rdy
        s.loop.send_val //= s.send.val
        s.loop.send_rdy //= s.send.rdy
        s.loop.a //= s.recv.msg.a
        s.loop.b //= s.recv.msg.b
        s.loop.k //= s.constant
        s.send.msg.r //= s.loop.value

    def line_trace(s) -> str:
        return f"{s.recv}({s.loop.line_trace()}){s.send}"
