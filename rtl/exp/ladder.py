"""The Montgomery ladder: at every bit, from the highest, a square and a product, and both go on.

`low` begins as one, `high` as the power, and high = low * power all the way. A 1 makes low the
product of both and squares high; a 0 squares low and makes high the product. With two units of
latency L that take a request as they answer, over all nbits of exp:

    cycle 0            start: the power is taken
    cycle 1 + i*L      bit i asks for both products; where i > 0, of the answers that come in this
                       very cycle
    cycle 1 + nbits*L  the last answers come: done; low stands after it

Without `forward` answers are first kept: a bit takes L + 1, and done comes in cycle nbits*(L + 1).
Behind both ports there may be one unit (rtl/exp/mul_share.py): a bit then takes the unit's interval
more. The product is asked for first: the square's answer replaces one of its operands, its own none
of the square's.
"""

from pymtl3 import Wire, clog2, mk_bits, update, update_ff

from rtl.exp.exponent_bits import ExponentBits
from rtl.exp.loop import SideBySide
from rtl.leaf.register import Register


class Ladder(SideBySide):
    """result = one * power^exp in the multiplier's sense; the ports are those of RightToLeft."""

    def construct(s, nbits: int, guard_bits: int, forward: bool):
        width = nbits + guard_bits
        Count = mk_bits(clog2(nbits))
        super().construct(nbits, guard_bits)

        s.exponent = ExponentBits(nbits, from_top=True)  # one ahead of the bit that is served
        s.exponent.load //= s.load
        s.exponent.exp //= s.exp
        s.exponent.held //= s.held
        s.is_set = Register()  # the bit that is served
        s.bits_left = Register(Count)  # after that
        s.low = Register(width)
        s.high = Register(width)
        s.next_low = Wire(width)
        s.next_high = Wire(width)
        s.asked = Wire()  # the bit that this cycle's requests are of
        s.low_operand = Wire(width)
        s.high_operand = Wire(width)
        s.result //= s.low
        s.square.req.msg.m //= s.mod
        s.multiply.req.msg.m //= s.mod
        s.multiply.req.msg.a //= s.low_operand
        s.multiply.req.msg.b //= s.high_operand

        @update
        def answers():
            s.multiply_comes @= s.multiply_sent & ~s.multiply_got & s.multiply.resp.val
            s.square_comes @= s.square_sent & ~s.square_got & s.square.resp.val

        @update
        def end_of_bit():
            s.finish_bit @= (s.square_got | s.square_comes) & (s.multiply_got | s.multiply_comes)
            s.last @= s.bits_left == 0
            s.exponent.advance @= s.start | s.finish_bit

        @update
        def next_values():
            s.next_low @= s.low
            s.next_high @= s.high
            if s.is_set & s.multiply_comes:
                s.next_low @= s.multiply.resp.msg.r
            if s.is_set & s.square_comes:
                s.next_high @= s.square.resp.msg.r
            if ~s.is_set & s.square_comes:
                s.next_low @= s.square.resp.msg.r
            if ~s.is_set & s.multiply_comes:
                s.next_high @= s.multiply.resp.msg.r

        if forward:
            s.low_operand //= s.next_low
            s.high_operand //= s.next_high

            @update
            def go_ahead():
                s.ahead @= s.finish_bit & ~s.last

        else:
            s.low_operand //= s.low
            s.high_operand //= s.high
            s.ahead //= 0

        @update
        def requests():
            s.square.req.val @= s.ahead | (s.active & ~s.square_sent)
            s.multiply.req.val @= s.ahead | (s.active & ~s.multiply_sent)

        @update
        def squared():
            s.asked @= s.is_set
            if s.ahead:
                s.asked @= s.exponent.bits
            s.square.req.msg.a @= s.low_operand
            if s.asked:
                s.square.req.msg.a @= s.high_operand
            s.square.req.msg.b @= s.square.req.msg.a

        @update_ff
        def bits():
            if s.start:
                s.bits_left <<= Count(nbits - 1)
            elif s.finish_bit:
                s.bits_left <<= s.bits_left - 1
            if s.exponent.advance:
                s.is_set <<= s.exponent.bits

        @update_ff
        def values():
            if s.start:
                s.low <<= s.one
                s.high <<= s.power
            else:
                s.low <<= s.next_low
                s.high <<= s.next_high

    def line_trace(s) -> str:
        return f"{'B' if s.active else ' '} {s.exponent.line_trace()}"
