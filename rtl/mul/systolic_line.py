"""A line of elements, and what arrays of them share, whatever makes their quotient digits."""

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    connect,
    mk_bits,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.systolic import array_cycles
from fl.messages import mk_mul_msgs
from rtl.leaf.digit_loop import DigitLoop
from rtl.leaf.handshake import join
from rtl.leaf.register import Register
from rtl.mul.systolic_elements import LastElement, MiddleElement


class WordFeed(Component):
    """Gives the words of x, the lowest first, with `enable` in every other cycle after `load`."""

    def construct(s, digit_bits: int, words: int):
        x_bits = digit_bits * words
        count_bits = clog2(words + 1)
        Count = mk_bits(count_bits)
        s.load = InPort()
        s.x = InPort(x_bits)
        s.enable = OutPort()
        s.word = OutPort(digit_bits)
        s.words = Register(x_bits)
        s.words_left = OutPort(count_bits)
        s.waits = Register()
        s.word //= s.words[0:digit_bits]

        @update
        def give():
            s.enable @= (s.words_left != 0) & ~s.waits

        @update_ff
        def count():
            if s.reset:
                s.words_left <<= 0
                s.waits <<= 0
            elif s.load:
                s.words_left <<= Count(words)
                s.waits <<= 0
            else:
                s.waits <<= s.enable
                if s.enable:
                    s.words_left <<= s.words_left - 1

        @update_ff
        def shift():
            if s.load:
                s.words <<= s.x
            elif s.enable:
                s.words <<= s.words >> digit_bits

    def line_trace(s) -> str:
        return f"{int(s.words_left):3}"


class ElementLine(Component):
    """Elements that talk to their neighbours alone; each has a word of y and m, the lowest first.

    What its first element asks for comes from the left: a word of x with `enable`, then u and
    carry. low: its low word. multiplies: it is in the second of its three cycles.
    """

    def construct(s, digit_bits: int, elements: int):
        s.load = InPort()
        s.y = InPort(digit_bits * elements)
        s.m = InPort(digit_bits * elements)
        s.enable = InPort()
        s.x = InPort(digit_bits)
        s.u = InPort(digit_bits)
        s.carry = InPort(digit_bits + 1)
        s.multiplies = OutPort()
        s.low = OutPort(digit_bits)
        s.a = OutPort(digit_bits * (elements + 1))

        line = [MiddleElement(digit_bits) for _ in range(elements - 1)]
        line.append(LastElement(digit_bits))
        for j, element in enumerate(line):
            word = slice(j * digit_bits, (j + 1) * digit_bits)
            setattr(s, f"element_{j}", element)
            element.load //= s.load
            element.y //= s.y[word]
            element.m //= s.m[word]
            s.a[word] //= element.low
        s.a[digit_bits * elements : digit_bits * (elements + 1)] //= line[-1].high
        for left, right in zip(line, line[1:], strict=False):
            left.a //= right.low
            right.enable //= left.multiplies
            right.x //= left.x_word
            right.u //= left.u_out
            right.carry //= left.carry_out
        for port in ("enable", "x", "u", "carry"):
            connect(getattr(s, port), getattr(line[0], port))
        s.multiplies //= line[0].multiplies
        s.low //= line[0].low

    def line_trace(s) -> str:
        return "".join(element.line_trace() for element in s.get_child_components())


class SystolicPorts(Component):
    """Has the ports of an array, its line, and what gives that so many words of x.

    ahead: how many elements stand before the line. y and m: words of the operands for all of them.
    """

    def construct(
        s,
        nbits: int,
        guard_bits: int,
        constant_bits: int,
        digit_bits: int,
        words: int,
        elements: int,
        ahead: int = 0,
    ):
        width = nbits + guard_bits
        x_bits, y_bits = digit_bits * words, digit_bits * (elements + 1)
        a_bits, b_bits, m_bits = min(width, x_bits), min(width, y_bits), min(nbits, y_bits)
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.constant = InPort(constant_bits)
        s.y = Wire(y_bits)
        s.m = Wire(y_bits)
        s.loop = DigitLoop(array_cycles(words, elements + ahead))
        s.feed = WordFeed(digit_bits, words)
        s.line = ElementLine(digit_bits, elements)
        s.feed.load //= s.loop.load
        s.line.load //= s.loop.load
        join(s.loop.recv, s.recv)
        join(s.loop.send, s.send)

        @update
        def operands():
            s.feed.x @= zext(s.recv.msg.a[0:a_bits], x_bits)
            s.y @= zext(s.recv.msg.b[0:b_bits], y_bits)
            s.m @= zext(s.recv.msg.m[0:m_bits], y_bits)

        @update
        def answer():
            s.send.msg.r @= zext(s.line.a[0:b_bits], width)

    def line_trace(s) -> str:
        return f"{s.recv}({s.loop.line_trace()} {s.line.line_trace()}){s.send}"
