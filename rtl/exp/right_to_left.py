"""The right-to-left loop: power and result grow bit by bit, a multiplier's port for each.

With two units of latency L that take a request as they answer, the k bits of exp (`always`: all
nbits) take, for i from 0 to k - 1:

    cycle 0          start: the power is taken
    cycle 1 + i*L    bit i asks for power * power, but not the last bit, and if it is 1 for
                     result * power; where i > 0, of the answers that come in this very cycle
    cycle 1 + k*L    the last product comes: done

Without `forward` answers are first kept: a bit takes L + 1, and done comes in cycle k*(L + 1).
Behind both ports there may be one unit (rtl/exp/mul_share.py): a bit that is 1, but not the last
one, then takes the unit's interval more. The multiplication is asked for first, since the
answer to the squaring replaces the power that it needs.
"""

from pymtl3 import Wire, clog2, mk_bits, update, update_ff, zext

from rtl.exp.exponent_bits import BitsToLast, ExponentBits
from rtl.exp.loop import SideBySide
from rtl.leaf.register import Register


class RightToLeft(SideBySide):
    """result = first * power^exp in the multiplier's sense; the last squaring is left out.

    `load` takes exp and first_bit, which is the result until products come; `start` takes power,
    and in_domain also `one`, the first result. `done` comes with the last answer, for a cycle.
    always: every multiplication is made, over all nbits of exp; constant time.
    forward: the next bit's operands are taken from the answers, not from the registers after.
    """

    def construct(s, nbits: int, guard_bits: int, always: bool, forward: bool, in_domain: bool):
        width = nbits + guard_bits
        Count = mk_bits(clog2(nbits))
        super().construct(nbits, guard_bits)

        s.exponent = ExponentBits(nbits) if always else BitsToLast(nbits)
        s.exponent.load //= s.load
        s.exponent.exp //= s.exp
        s.exponent.held //= s.held
        s.power_register = Register(width)
        s.result_register = Register(width)
        s.is_set = Wire()  # the bit that is served
        s.multiplies = Wire()  # what this bit asks for, and the next one
        s.next_multiplies = Wire()
        s.next_last = Wire()
        s.is_set //= s.exponent.bits
        s.exponent.advance //= s.finish_bit
        s.result //= s.result_register
        s.square.req.msg.m //= s.mod
        s.multiply.req.msg.m //= s.mod

        if always:
            s.bits_left = Register(Count)

            @update
            def every_bit():
                s.multiplies @= 1
                s.next_multiplies @= 1
                s.last @= s.bits_left == 0
                s.next_last @= s.bits_left == 1

            @update_ff
            def count():
                if s.start:
                    s.bits_left <<= Count(nbits - 1)
                elif s.finish_bit:
                    s.bits_left <<= s.bits_left - 1

        else:

            @update
            def set_bits():
                s.multiplies @= s.is_set
                s.next_multiplies @= s.exponent.next_bit
                s.last @= s.exponent.last
                s.next_last @= s.exponent.next_last

        @update
        def answers():
            s.multiply_comes @= s.multiply_sent & ~s.multiply_got & s.multiply.resp.val
            # not before the multiplication has taken the old power
            s.square_comes @= (
                s.square_sent
                & ~s.square_got
                & (s.multiply_sent | ~s.multiplies)
                & s.square.resp.val
            )

        @update
        def end_of_bit():
            s.finish_bit @= (
                s.active
                & (s.last | s.square_got | s.square_comes)
                & (~s.multiplies | s.multiply_got | s.multiply_comes)
            )

        if forward:

            @update
            def go_ahead():
                s.ahead @= s.finish_bit & ~s.last

        else:
            s.ahead //= 0

        @update
        def requests():
            if s.ahead:
                s.square.req.val @= ~s.next_last
                s.multiply.req.val @= s.next_multiplies
            else:
                s.square.req.val @= s.active & ~s.last & ~s.square_sent
                s.multiply.req.val @= s.active & s.multiplies & ~s.multiply_sent

        @update
        def power_operand():
            s.square.req.msg.a @= s.power_register
            if s.ahead & s.square_comes:
                s.square.req.msg.a @= s.square.resp.msg.r

        @update
        def result_operand():
            s.multiply.req.msg.a @= s.result_register
            if s.ahead & s.multiply_comes & s.is_set:
                s.multiply.req.msg.a @= s.multiply.resp.msg.r

        @update
        def same_power():
            s.square.req.msg.b @= s.square.req.msg.a
            s.multiply.req.msg.b @= s.square.req.msg.a

        @update_ff
        def power_value():
            if s.start:
                s.power_register <<= s.power
            elif s.square_comes:
                s.power_register <<= s.square.resp.msg.r

        s.set_one = Wire()
        if in_domain:
            s.set_one //= s.start
        else:
            s.set_one //= 0

        @update_ff
        def result_value():
            if s.load:
                s.result_register <<= zext(s.first_bit, width)
            elif s.set_one:
                s.result_register <<= s.one
            elif s.multiply_comes & s.is_set:
                s.result_register <<= s.multiply.resp.msg.r

    def line_trace(s) -> str:
        """Show B while it works, and bits of the exponent that are left."""
        return f"{'B' if s.active else ' '} {s.exponent.line_trace()}"
