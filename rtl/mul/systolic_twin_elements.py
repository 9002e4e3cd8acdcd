"""The elements of an array with two products under way (rtl/mul/systolic_twin.py).

What is registered of a word of x goes to the element on the right, a cycle later.
"""

from functools import cache

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    mk_bits,
    mk_bitstruct,
    update,
    update_ff,
    zext,
)

from rtl.leaf.flattened import Flattened
from rtl.leaf.register import Register


class TwoProducts(Flattened):
    """sum = a + carry + x*y + u*m, a being 0 for the first word; below 2^(2k+1)."""

    def construct(s, digit_bits: int):
        sum_bits = 2 * digit_bits + 1
        s.first = InPort()
        s.x = InPort(digit_bits)
        s.y = InPort(digit_bits)
        s.u = InPort(digit_bits)
        s.m = InPort(digit_bits)
        s.a = InPort(digit_bits)
        s.carry = InPort(digit_bits + 1)
        s.sum = OutPort(sum_bits)
        s.added = Wire(sum_bits)

        @update
        def add():
            s.added @= zext(s.carry, sum_bits)
            if ~s.first:
                s.added @= zext(s.carry, sum_bits) + zext(s.a, sum_bits)

        @update
        def multiply_add():
            s.sum @= (
                s.added
                + zext(s.x, sum_bits) * zext(s.y, sum_bits)
                + zext(s.u, sum_bits) * zext(s.m, sum_bits)
            )


@cache
def mk_word(digit_bits: int) -> type:
    """Make what passes the elements: a word of x, of which product, whether its first or last."""
    fields = {"x": mk_bits(digit_bits), "second": Bits1, "first": Bits1, "last": Bits1}
    return mk_bitstruct(f"SystolicWord{digit_bits}", fields)


class TwinElement(Component):
    """Adds for the word that has come; gives that, u and the carry to the element on its right."""

    def construct(s, digit_bits: int):
        sum_bits = 2 * digit_bits + 1
        Word = mk_word(digit_bits)
        s.load_one = InPort()
        s.load_two = InPort()
        s.y = InPort(digit_bits)
        s.m = InPort(digit_bits)
        s.enable = InPort()
        s.word = InPort(Word)
        s.u = InPort(digit_bits)
        s.carry = InPort(digit_bits + 1)
        s.enable_out = OutPort()
        s.word_out = OutPort(Word)
        s.u_out = OutPort(digit_bits)
        s.carry_out = OutPort(digit_bits + 1)
        s.low = OutPort(digit_bits)
        s.one = OutPort(digit_bits)  # the first product's word of y, then of its answer
        s.two = OutPort(digit_bits)
        s.m_word = Register(digit_bits)
        s.acc = Register(sum_bits)
        s.step = TwoProducts(digit_bits)
        s.step.first //= s.word_out.first
        s.step.x //= s.word_out.x
        s.step.u //= s.u
        s.step.m //= s.m_word
        s.step.carry //= s.carry
        s.low //= s.acc[0:digit_bits]
        s.carry_out //= s.acc[digit_bits:sum_bits]

        @update
        def turn():
            s.step.y @= s.one
            if s.word_out.second:
                s.step.y @= s.two

        @update_ff
        def pass_on():
            s.enable_out <<= s.enable & ~s.reset
            s.word_out <<= s.word
            s.u_out <<= s.u

        @update_ff
        def add():
            if s.load_one | s.load_two:
                s.m_word <<= s.m
            if s.enable_out:
                s.acc <<= s.step.sum

        @update_ff
        def words():
            if s.load_one:
                s.one <<= s.y
            elif s.enable_out & s.word_out.last & ~s.word_out.second:
                s.one <<= s.step.sum[0:digit_bits]
            if s.load_two:
                s.two <<= s.y
            elif s.enable_out & s.word_out.last & s.word_out.second:
                s.two <<= s.step.sum[0:digit_bits]

    def line_trace(s) -> str:
        return ("2" if s.word_out.second else "1") if s.enable_out else "."


class MiddleTwinElement(TwinElement):
    """Has a from the element on its right."""

    def construct(s, digit_bits: int):
        super().construct(digit_bits)
        s.a = InPort(digit_bits)
        s.step.a //= s.a


class LastTwinElement(TwinElement):
    """Has a by itself: the high word of the same product's last sum."""

    def construct(s, digit_bits: int):
        super().construct(digit_bits)
        s.high_one = Register(digit_bits)
        s.high_two = Register(digit_bits)

        @update
        def own_word():
            s.step.a @= s.high_one
            if s.word_out.second:
                s.step.a @= s.high_two

        @update_ff
        def highest_words():
            if s.enable_out & ~s.word_out.second:
                s.high_one <<= s.step.sum[digit_bits : 2 * digit_bits]
            if s.enable_out & s.word_out.second:
                s.high_two <<= s.step.sum[digit_bits : 2 * digit_bits]
