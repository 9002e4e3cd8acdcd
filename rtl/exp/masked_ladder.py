"""The Montgomery ladder of two random shares of the exponent (fl/masked_ladder.py).

Of a bit's two answers the product goes where share 0 says, and the square into the other register;
so do the power and `one` at the start. With two units of latency L, over all n bits of exp:

    cycle 0                start: the power is taken
    cycle 1 + i*(L + 1)    bit i asks for both products, of registers that share 1 tells apart
    cycle n*(L + 1)        the last answers come: done; the result stands after it

One unit makes one of both first, which is kept until the other comes: a bit then takes the unit's
interval more. An answer is never an operand in the cycle in which it comes: both shares would meet.
A share moves in the cycle in which it is used, so that they do not move together. The exponent's
last word may come after `load`: a way to R^2 in constant time takes a cycle or more for each bit.

A unit still holds its last answer as its next operands come, and its gates tell whether that is one
of them. If it always squared, they would tell whether the same value is squared again, which is a
bit of the exponent. So a random bit says in each round which unit squares, or what is made first.
"""

from pymtl3 import OutPort, Wire, clog2, mk_bits, update, update_ff

from fl.array_masked import BYTE
from rtl.exp.exponent_shares import ExponentShares
from rtl.exp.holding import add_exponent_words
from rtl.exp.loop import SideBySide
from rtl.leaf.register import Register
from rtl.port.random_bytes import RandomBytesRTL


class MaskedLadder(SideBySide):
    """result = one * power^exp in the multiplier's sense; the ports are those of RightToLeft.

    exp_push, exp_word: the exponent in words, in place of exp and held.
    random: a byte of those that the shares take, another one in every cycle.
    exp_bits: exponents have no more. together: both answers of a bit come in the same cycle.
    """

    def construct(s, nbits: int, guard_bits: int, exp_bits: int, together: bool):
        width = nbits + guard_bits
        Count = mk_bits(clog2(exp_bits))
        super().construct(nbits, guard_bits)

        s.random = OutPort(BYTE)
        s.source = RandomBytesRTL()
        s.source.ready //= 1
        s.random //= s.source.random
        s.shares = ExponentShares(exp_bits)
        add_exponent_words(s)
        s.shares.push //= s.exp_push
        s.shares.word //= s.exp_word
        s.shares.random //= s.source.word
        s.bits_left = Register(Count)  # after the one that is served
        s.writes = Wire()  # the registers take values, by share 0
        s.reads = Register()  # share 1 says which is which
        s.kept_place = Register()
        s.place = Wire()  # of the value that is squared
        s.value_0 = Register(width)
        s.value_1 = Register(width)
        s.exchanged = Register()  # multiply asks for the square, and square for the product
        s.writes_1 = Wire()  # multiply's answer stands in register 1
        s.reads_1 = Wire()  # square's other factor does
        s.squared = Wire(width)
        s.by_square = Wire(width)
        s.by_multiply = Wire(width)
        s.from_multiply = Wire(width)  # its answer, or the power
        s.from_square = Wire(width)  # its answer, or `one`
        s.shares.next_0 //= s.writes
        s.shares.next_1 //= s.reads
        s.ahead //= 0
        s.result //= s.squared
        s.square.req.msg.m //= s.mod
        s.multiply.req.msg.m //= s.mod
        s.square.req.msg.a //= s.squared
        s.square.req.msg.b //= s.by_square
        s.multiply.req.msg.a //= s.squared
        s.multiply.req.msg.b //= s.by_multiply

        @update
        def requests():
            s.square.req.val @= s.active & ~s.square_sent
            s.multiply.req.val @= s.active & ~s.multiply_sent

        if together:

            @update
            def answers():
                s.square_comes @= s.square_sent & s.square.resp.val & s.multiply.resp.val
                s.multiply_comes @= s.square_comes
                s.from_multiply @= s.multiply.resp.msg.r
                if s.start:
                    s.from_multiply @= s.power

        else:
            s.kept_answer = Register(width)

            @update
            def answers_in_turn():
                s.multiply_comes @= s.multiply_sent & ~s.multiply_got & s.multiply.resp.val
                s.square_comes @= s.square_sent & s.multiply_got & s.square.resp.val
                s.from_multiply @= s.kept_answer
                if s.start:
                    s.from_multiply @= s.power

            @update_ff
            def keep_answer():
                if s.multiply_comes:
                    s.kept_answer <<= s.multiply.resp.msg.r

        @update
        def end_of_bit():
            s.finish_bit @= s.square_comes
            s.last @= s.bits_left == 0
            s.writes @= s.start | s.finish_bit
            s.from_square @= s.square.resp.msg.r
            if s.start:
                s.from_square @= s.one

        @update
        def places():
            s.writes_1 @= s.shares.delta_0 ^ s.exchanged
            s.reads_1 @= s.place ^ s.exchanged

        @update_ff
        def write():
            if s.writes & s.writes_1:
                s.value_1 <<= s.from_multiply
                s.value_0 <<= s.from_square
            elif s.writes:
                s.value_0 <<= s.from_multiply
                s.value_1 <<= s.from_square

        @update
        def read():
            s.place @= s.kept_place
            if s.reads:
                s.place @= ~s.shares.delta_1
            s.squared @= s.value_0
            if s.place:
                s.squared @= s.value_1

        @update
        def read_factors():
            s.by_square @= s.value_0
            s.by_multiply @= s.value_1
            if s.reads_1:
                s.by_square @= s.value_1
                s.by_multiply @= s.value_0

        @update_ff
        def exchange():
            if s.reset | s.load:
                s.exchanged <<= 0
            elif s.writes:
                s.exchanged <<= s.source.word[BYTE]

        @update_ff
        def keep_place():
            if s.reset:
                s.reads <<= 0
                s.kept_place <<= 0
            else:
                s.reads <<= s.writes
                s.kept_place <<= s.place

        @update_ff
        def bits():
            if s.start:
                s.bits_left <<= Count(exp_bits - 1)
            elif s.finish_bit:
                s.bits_left <<= s.bits_left - 1

    def line_trace(s) -> str:
        return f"{'B' if s.active else ' '} {s.shares.line_trace()}"
