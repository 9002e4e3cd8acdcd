"""A row of elements as a multiplier: a step per cycle, whatever the width (fl/array.py).

    cycle 0            load: b into the elements' x, a into their other word; sums become 0
    cycle 1            the digits of a start; the first one stands in the next cycle
    cycles 2 to D+1    the first element's steps, element j's j cycles later
    cycle D+2          the first word is resolved, the last one P - 1 cycles later
    cycle D+P+2        the answer stands in x, and the next request may be taken

An exponentiator of its own (rtl/exp/array.py) takes each word as it is resolved, and so begins the
next product D + 1 cycles after this one.
"""

from dataclasses import dataclass
from functools import partial

from pymtl3 import Component, InPort, Wire, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.array import row_latency
from fl.messages import mk_mul_msgs
from fl.scaled import low_guard_bits
from rtl.leaf.digit_loop import DigitLoop
from rtl.leaf.handshake import join
from rtl.leaf.register import Register
from rtl.mul.array_element import mk_take
from rtl.mul.array_word import RowSizes, RowWord, make_row
from rtl.mul.scaled import ScaledLow


class ProductWord(RowWord):
    """Takes its words of both operands at `load`; the word of a product takes the place of b's."""

    def construct(s, word_bits: int, value_bits: int, digits_bits: int, Take: type):
        super().construct(word_bits, value_bits, digits_bits, Take, others=1)
        s.load = InPort()
        s.a_in = InPort(word_bits)
        s.b_in = InPort(word_bits)
        s.a = Register(word_bits)
        s.others[0] //= s.a

        @update_ff
        def operands():
            if s.load:
                s.a <<= s.a_in
                s.x <<= s.b_in
            elif s.take.ends & s.take.x:
                s.x <<= s.value[0:word_bits]


class ArrayRTL(Component):
    """r = low_product in fl, for constant = 2^-w mod m; time as row_latency in cl.

    m itself is not looked at; the constant stands as long as products are under way.
    """

    def construct(s, nbits: int, digit_bits: int, word_bits: int):
        guard_bits = low_guard_bits(digit_bits)
        width = nbits + guard_bits
        sizes = RowSizes(digit_bits, word_bits, width)
        row_bits = sizes.row_bits
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        Take = mk_take(1)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.constant = InPort(nbits)
        s.a = Wire(row_bits)
        s.b = Wire(row_bits)
        s.m = Wire(row_bits)
        s.x = Wire(row_bits)
        s.take = Wire(Take)
        s.go = Register()
        s.loop = DigitLoop(row_latency(nbits, digit_bits, word_bits) - 1)
        join(s.loop.recv, s.recv)
        join(s.loop.send, s.send)
        s.send.msg.r //= s.x[0:width]
        # cycles that are left as the order to resolve goes to the first word
        resolves = sizes.words + 1

        row = make_row(s, sizes, Take, 1, partial(ProductWord, Take=Take))
        for j, (element, feed, word) in enumerate(row):
            element.clear //= s.reset
            feed.clear //= s.reset
            low, high = sizes.bounds(j)
            word.load //= s.loop.load
            word.a_in //= s.a[low:high]
            word.b_in //= s.b[low:high]
            element.m //= s.m[low:high]
            s.x[low:high] //= word.x
        first, feed, _ = row[0]
        feed.go //= s.go
        feed.source_in //= 1
        first.a_in //= feed.now
        first.take_in //= s.take
        first.plus_one_in //= 0
        first.plus_mod_in //= 0

        @update
        def operands():
            s.a @= zext(s.recv.msg.a, row_bits)
            s.b @= zext(s.recv.msg.b, row_bits)
            s.m @= zext(s.constant, row_bits)

        @update
        def order():
            s.take @= Take()
            s.take.x @= s.loop.step & (s.loop.cycles_left == resolves)
            s.take.ends @= s.loop.load | s.take.x

        @update_ff
        def start():
            s.go <<= s.loop.load & ~s.reset

    def line_trace(s) -> str:
        return f"{s.recv}({s.loop.line_trace()} {s.element_0.line_trace()}){s.send}"


@dataclass(frozen=True)
class Array(ScaledLow):
    """r = a * b / R modulo c*m, as ScaledLow, a step per cycle; an element per word."""

    hardware = ArrayRTL

    word_bits: int

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, with the constant at hand."""
        return row_latency(self.nbits, self.digit_bits, self.word_bits)
