"""Document 002's loop (Algorithm 5): at every bit, from the highest, one squares and multiplies.

With a unit of latency L, over all nbits of exp:

    cycle 0              start: the power is taken; the result begins as `one`
    cycle 1 + i*(L + 1)  product i is asked for: of the result by itself, then by the power
    cycle 2*nbits*(L+1)  the last answer comes: done

With `forward` an answer goes into the next request in the cycle in which it comes: product i is
asked for in cycle 1 + i*L, and done comes in 1 + 2*nbits*L. The document has a register for the
product at a 0 bit; here it is dropped as it comes.
"""

from pymtl3 import Wire, clog2, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from fl.messages import mk_mul_msgs
from rtl.exp.exponent_bits import ExponentBits
from rtl.exp.loop import LoopPorts
from rtl.leaf.register import Register


class LeftToRightAlways(LoopPorts):
    """result = one * power^exp in the multiplier's sense; the ports are those of RightToLeft."""

    def construct(s, nbits: int, guard_bits: int, forward: bool):
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        width = nbits + guard_bits
        count_bits = clog2(nbits)
        Count = mk_bits(count_bits)
        super().construct(nbits, guard_bits)
        s.mul = MasterIfcRTL(Request, Response)

        s.active = Register()
        s.exponent = ExponentBits(nbits, from_top=True)
        s.exponent.load //= s.load
        s.exponent.exp //= s.exp
        s.exponent.held //= s.held
        s.is_set = Wire()  # the bit that is served
        s.bits_left = Register(count_bits)  # after that bit
        s.next_bit = Wire()
        s.power_register = Register(width)
        s.result_register = Register(width)
        s.sent = Register()
        s.multiplying = Register()  # the second product of a bit
        s.comes = Wire()
        s.last = Wire()
        s.ahead = Wire()  # this cycle's request is the next product
        s.multiplies = Wire()  # and multiplies by the power
        s.next_result = Wire(width)
        s.operand = Wire(width)
        s.is_set //= s.exponent.bits
        s.exponent.advance //= s.next_bit
        s.result //= s.result_register
        s.mul.req.msg.m //= s.mod
        s.mul.req.msg.a //= s.operand

        @update
        def answer():
            s.comes @= s.sent & s.mul.resp.val
            s.next_bit @= s.comes & s.multiplying
            s.last @= s.multiplying & (s.bits_left == 0)
            s.done @= s.comes & s.last
            s.mul.resp.rdy @= s.sent
            s.next_result @= s.result_register
            if s.comes & (~s.multiplying | s.is_set):
                s.next_result @= s.mul.resp.msg.r

        if forward:
            s.operand //= s.next_result

            @update
            def go_ahead():
                s.ahead @= s.comes & ~s.last

        else:
            s.operand //= s.result_register
            s.ahead //= 0

        @update
        def request():
            s.mul.req.val @= s.ahead | (s.active & ~s.sent)
            s.multiplies @= s.multiplying ^ s.ahead
            s.mul.req.msg.b @= s.operand
            if s.multiplies:
                s.mul.req.msg.b @= s.power_register

        @update_ff
        def control():
            if s.reset | s.start | s.done:
                s.active <<= s.start & ~s.reset
                s.sent <<= 0
                s.multiplying <<= 0
            else:
                if s.mul.req.val & s.mul.req.rdy:
                    s.sent <<= 1
                elif s.comes:
                    s.sent <<= 0
                s.multiplying <<= s.multiplying ^ s.comes

        @update_ff
        def count():
            if s.load:
                s.bits_left <<= Count(nbits - 1)
            elif s.next_bit:
                s.bits_left <<= s.bits_left - 1

        @update_ff
        def values():
            if s.start:
                s.power_register <<= s.power
                s.result_register <<= s.one
            elif s.comes:
                s.result_register <<= s.next_result

    def products(s) -> list[MasterIfcRTL]:
        """Return the port that asks for products."""
        return [s.mul]

    def line_trace(s) -> str:
        return f"{'B' if s.active else ' '} {s.exponent.line_trace()}"
