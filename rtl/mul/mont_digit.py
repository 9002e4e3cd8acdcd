"""MontDigit: Montgomery's product a digit at a time, given -m^-1 mod 2^w (fl/mont_digit.py).

In each cycle the quotient digit waits for the sum's low digit, and the next sum for the quotient
digit: three products, one after the other.
"""

from pymtl3 import Component, InPort, Wire, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.mont_mul import mont_cycles
from fl.messages import mk_mul_msgs
from fl.mont_mul import GUARD_BITS, mont_radix
from rtl.leaf.digit_loop import DigitLoop


class MontDigitRTL(Component):
    """r as mont_digit_product in fl, for constant = -m^-1 mod 2^w; time as mont_digit_latency.

    m and the constant stand as long as products are under way.
    """

    def construct(s, nbits: int, digit_bits: int):
        width = nbits + GUARD_BITS
        digits_bits = mont_radix(nbits, digit_bits, final_subtract=False)
        added_bits = width + digit_bits + 1
        Request, Response = mk_mul_msgs(nbits, GUARD_BITS)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.constant = InPort(digit_bits)
        s.digits = Wire(max(digits_bits, width))  # of a, the lowest first
        s.b = Wire(width)
        s.m = Wire(nbits)
        s.sum = Wire(width + 1)
        s.added = Wire(added_bits)
        s.quotient = Wire(digit_bits)
        s.reduced = Wire(added_bits)
        sum_bits, held_bits = width + 1, max(digits_bits, width)
        s.loop = DigitLoop(mont_cycles(nbits, digit_bits, final_subtract=False))
        s.loop.recv_val //= s.recv.val
        s.loop.recv_rdy //= s.recv.rdy
        s.loop.send_val //= s.send.val
        s.loop.send_rdy //= s.send.rdy
        s.send.msg.r //= s.sum[0:width]

        @update
        def step():
            s.added @= zext(s.sum, added_bits) + zext(s.digits[0:digit_bits], added_bits) * zext(
                s.b, added_bits
            )
            s.quotient @= s.added[0:digit_bits] * s.constant
            s.reduced @= s.added + zext(s.quotient, added_bits) * zext(s.m, added_bits)

        @update_ff
        def registers():
            if s.loop.load:
                s.digits <<= zext(s.recv.msg.a, held_bits)
                s.b <<= s.recv.msg.b
                s.m <<= s.recv.msg.m
                s.sum <<= 0
            elif s.loop.step:
                s.digits <<= s.digits >> digit_bits
                s.sum <<= zext(s.reduced[digit_bits:added_bits], sum_bits)

    def line_trace(s) -> str:
        return f"{s.recv}({s.loop.line_trace()}){s.send}"
