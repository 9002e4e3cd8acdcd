"""The left-to-right loop: one unit squares the result, and multiplies it by the power at 1 bits.

With a unit of latency L that takes a request as it answers, and p products:

    cycle 0            load; then a leading zero leaves per cycle, and at last the highest 1
    cycle e            start: the power is taken, which is also the first result
    cycle s            the first request; s = max(e + 1, nbits - bitlen(exp) + 2)
    cycle s + i*L      answer i comes, which is an operand of the next request, if i < p
    cycle s + p*L + 1  done: the last answer stands as the result; in cycle s if p = 0

p = bitlen(exp) - 1 squarings, and a multiplication for each 1 after the highest. Without
`forward` an answer is first kept: a product takes L + 1, and done comes in cycle s + p*(L + 1).
"""

from pymtl3 import Wire, clog2, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from fl.messages import mk_mul_msgs
from rtl.exp.exponent_bits import ExponentBits
from rtl.exp.loop import LoopPorts
from rtl.leaf.register import Register


class LeftToRight(LoopPorts):
    """result = power^exp in the multiplier's sense, for exp >= 1; its highest bit costs nothing.

    `load` takes exp and first_bit, which is the result until products come; `start` takes power.
    forward: the next product's operand is taken from the answer, not from a register.
    """

    def construct(s, nbits: int, guard_bits: int, forward: bool):
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        width = nbits + guard_bits
        Count = mk_bits(clog2(nbits + 1))
        super().construct(nbits, guard_bits)
        s.mul = MasterIfcRTL(Request, Response)

        s.skipping = Register()
        s.started = Register()
        s.running = Wire()
        s.exponent = ExponentBits(nbits, from_top=True)
        s.exponent.load //= s.load
        s.exponent.exp //= s.exp
        s.exponent.held //= s.held
        s.is_set = Wire()  # the bit that is served
        s.bits_left = Register(Count)  # with that
        s.next_bit = Wire()
        s.power_register = Register(width)
        s.result_register = Register(width)
        s.sent = Register()
        s.multiplying = Register()
        s.comes = Wire()
        s.advance = Wire()
        s.at_end = Wire()
        s.next_end = Wire()
        s.ahead = Wire()
        s.multiplies = Wire()  # this cycle's request is the multiplication
        s.is_set //= s.exponent.bits
        s.exponent.advance //= s.next_bit
        s.result //= s.result_register
        s.mul.req.msg.m //= s.mod

        @update
        def bits():
            s.running @= s.started & ~s.skipping
            s.at_end @= s.bits_left == 0
            s.next_end @= s.bits_left == 1
            s.next_bit @= (s.skipping & ~s.at_end) | s.advance
            s.done @= s.running & s.at_end

        @update
        def answer():
            s.comes @= s.sent & s.mul.resp.val
            s.advance @= s.comes & (s.multiplying | ~s.is_set)
            s.mul.resp.rdy @= s.sent

        if forward:

            @update
            def go_ahead():
                s.ahead @= s.comes & ~(s.advance & s.next_end)

        else:
            s.ahead //= 0

        @update
        def request():
            if s.ahead:
                s.mul.req.val @= 1
                s.multiplies @= ~s.advance
            else:
                s.mul.req.val @= s.running & ~s.sent & ~s.at_end
                s.multiplies @= s.multiplying

        @update
        def result_operand():
            s.mul.req.msg.a @= s.result_register
            if s.ahead:
                s.mul.req.msg.a @= s.mul.resp.msg.r

        @update
        def other_operand():
            s.mul.req.msg.b @= s.mul.req.msg.a
            if s.multiplies:
                s.mul.req.msg.b @= s.power_register

        @update_ff
        def control():
            if s.reset | s.load | s.done:
                s.skipping <<= s.load
                s.started <<= 0
                s.sent <<= 0
                s.multiplying <<= 0
            else:
                if s.start:
                    s.started <<= 1
                if s.is_set | s.at_end:
                    s.skipping <<= 0
                if s.mul.req.val & s.mul.req.rdy:
                    s.sent <<= 1
                elif s.comes:
                    s.sent <<= 0
                if s.comes:
                    s.multiplying <<= ~s.advance

        @update_ff
        def count():
            if s.load:
                s.bits_left <<= Count(nbits)
            elif s.next_bit:
                s.bits_left <<= s.bits_left - 1

        @update_ff
        def values():
            if s.load:
                s.result_register <<= zext(s.first_bit, width)
            elif s.start:
                s.result_register <<= s.power
                s.power_register <<= s.power
            elif s.comes:
                s.result_register <<= s.mul.resp.msg.r

    def products(s) -> list[MasterIfcRTL]:
        """Return the port that asks for products."""
        return [s.mul]

    def line_trace(s) -> str:
        """Show B while it works, and bits of the exponent that are left."""
        return f"{'B' if s.running else ' '} {s.exponent.line_trace()}"
