"""Two products in one array: each has every other cycle of each element.

An element of document 002 multiplies twice for a word, by one multiplier, and so is never idle
while words pass it. With two multipliers a word takes one cycle, but the next word of the same
product waits for a_j, which the neighbour on the right has a cycle later: the cycle between is
another product's. They share m, m', acc and the adders; y is each one's own, and where an element
has no more use for its word of y, that is where a word of the answer stays.

    cycle 0          load, for the product whose turn the cycle is
    cycle 2i + j + 2 element j: acc = a_j + carry + x_i * y_j + u_i * m_j, as LateSystolic has it
    cycle 3s + 2     the answer stands; in that cycle, or any later one of its turn, the next load
"""

from dataclasses import dataclass

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    mk_bits,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.systolic import twin_latency
from fl.messages import mk_mul_msgs
from fl.mont_mul import GUARD_BITS
from rtl.leaf.digit_loop import DigitLoop
from rtl.leaf.handshake import Accept, Offer, join
from rtl.leaf.register import Register
from rtl.mul.systolic import Systolic
from rtl.mul.systolic_late import LateQuotient
from rtl.mul.systolic_line import WordFeed
from rtl.mul.systolic_twin_elements import LastTwinElement, MiddleTwinElement, mk_word


class TwinOrder(Component):
    """Lets each product be loaded in every other cycle, and answers in the order of requests."""

    def construct(s, cycles: int):
        s.recv = Accept()
        s.send = Offer()
        s.load_one = OutPort()
        s.load_two = OutPort()
        s.answers_two = OutPort()
        s.turn = Register()
        s.newest = Register()  # of two products under way
        s.one = DigitLoop(cycles)
        s.two = DigitLoop(cycles)
        s.load_one //= s.one.load
        s.load_two //= s.two.load

        @update
        def accept():
            s.one.recv.val @= s.recv.val & ~s.turn
            s.two.recv.val @= s.recv.val & s.turn
            s.recv.rdy @= s.one.recv.rdy
            if s.turn:
                s.recv.rdy @= s.two.recv.rdy

        @update
        def answer():
            s.answers_two @= s.two.send.val & ~(s.one.send.val & s.newest)
            s.send.val @= s.one.send.val | s.two.send.val

        @update
        def take():
            s.one.send.rdy @= s.send.rdy & ~s.answers_two
            s.two.send.rdy @= s.send.rdy & s.answers_two

        @update_ff
        def follow():
            s.turn <<= ~s.turn & ~s.reset
            if s.load_one | s.load_two:
                s.newest <<= s.load_two

    def line_trace(s) -> str:
        return f"{s.one.line_trace()}{s.two.line_trace()}"


class TwinSystolicRTL(Component):
    """r = systolic_product in fl, for constant = m'; time as twin_latency in cl.

    m and the constant are the same for both products, and stand as long as they are under way.
    """

    def construct(s, nbits: int, digit_bits: int, words: int):
        width = nbits + GUARD_BITS
        x_words = words + 1
        x_bits, y_bits = digit_bits * x_words, digit_bits * words
        a_bits, m_bits = min(width, y_bits), min(nbits, y_bits)
        Count = mk_bits(clog2(x_words + 1))
        Request, Response = mk_mul_msgs(nbits, GUARD_BITS)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.constant = InPort(digit_bits)
        s.order = TwinOrder(twin_latency(words) - 1)
        join(s.order.recv, s.recv)
        join(s.order.send, s.send)
        s.feed_one = WordFeed(digit_bits, x_words)
        s.feed_two = WordFeed(digit_bits, x_words)
        s.feed_one.load //= s.order.load_one
        s.feed_two.load //= s.order.load_two
        s.x = Wire(x_bits)
        s.y = Wire(y_bits)
        s.m = Wire(x_bits)
        s.one = Wire(y_bits)
        s.two = Wire(y_bits)
        s.word = Wire(mk_word(digit_bits))
        s.enable = Wire()
        s.quotient = LateQuotient(digit_bits)
        s.quotient.m //= s.m[0:digit_bits]
        s.quotient.minus_inverse //= s.constant
        s.quotient.take //= s.enable
        s.feed_one.x //= s.x
        s.feed_two.x //= s.x

        line = [MiddleTwinElement(digit_bits) for _ in range(words - 1)]
        line.append(LastTwinElement(digit_bits))
        for j, element in enumerate(line):
            low, high = j * digit_bits, (j + 1) * digit_bits
            setattr(s, f"element_{j}", element)
            element.load_one //= s.order.load_one
            element.load_two //= s.order.load_two
            element.y //= s.y[low:high]
            element.m //= s.m[high : high + digit_bits]
            s.one[low:high] //= element.one
            s.two[low:high] //= element.two
        for left, right in zip(line, line[1:], strict=False):
            left.a //= right.low
            right.enable //= left.enable_out
            right.word //= left.word_out
            right.u //= left.u_out
            right.carry //= left.carry_out
        s.low = Wire(digit_bits)
        s.low //= line[0].low
        line[0].enable //= s.enable
        line[0].word //= s.word
        line[0].u //= s.quotient.u
        line[0].carry //= s.quotient.carry

        @update
        def operands():
            s.quotient.load @= s.recv.val & s.recv.rdy
            s.x @= zext(s.recv.msg.a[0:a_bits], x_bits)
            s.y @= zext(s.recv.msg.b[0:a_bits], y_bits)
            s.m @= zext(s.recv.msg.m[0:m_bits], x_bits)

        @update
        def feed():
            s.enable @= s.feed_one.enable | s.feed_two.enable
            s.word.second @= s.feed_two.enable
            s.word.x @= s.feed_one.word
            s.word.first @= s.feed_one.words_left == Count(x_words)
            s.word.last @= s.feed_one.words_left == 1
            if s.feed_two.enable:
                s.word.x @= s.feed_two.word
                s.word.first @= s.feed_two.words_left == Count(x_words)
                s.word.last @= s.feed_two.words_left == 1

        @update
        def lowest_word():
            s.quotient.a @= s.low
            if s.word.first:
                s.quotient.a @= 0

        @update
        def answer():
            s.send.msg.r @= zext(s.one[0:a_bits], width)
            if s.order.answers_two:
                s.send.msg.r @= zext(s.two[0:a_bits], width)

    def line_trace(s) -> str:
        return f"{s.recv}({s.order.line_trace()}){s.send}"


@dataclass(frozen=True)
class TwinSystolic(Systolic):
    """r = a * b / R mod m below 2m, as Systolic; two products under one m are under way at once."""

    hardware = TwinSystolicRTL
    capacity = 2

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, with the constant at hand."""
        return twin_latency(self.words)

    def interval(self, a: int, b: int, m: int) -> int:
        """Count cycles to the other product's acceptance."""
        return 1
