"""Document 002's MontMult: a line of elements, each for a word, that x passes word by word.

Figure 1: the controller feeds the first element, CU makes the quotient digits, elements talk to
their neighbours alone, so that the clock period does not grow with the number of words.
"""

from dataclasses import dataclass
from functools import partial

from pymtl3 import Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.systolic import array_cycles, systolic_latency
from cl.unit import Part, Unit
from fl.messages import mk_mul_msgs
from fl.mont_mul import GUARD_BITS
from fl.systolic import systolic_product, widest_modulus
from rtl.leaf.digit_loop import DigitLoop
from rtl.leaf.handshake import join
from rtl.leaf.register import Register
from rtl.mul.modulus_constant import MinusInverse
from rtl.mul.systolic_elements import FirstElement, LastElement, MiddleElement, QuotientDigit


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
        s.words_left = Register(count_bits)
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


class SystolicRTL(Component):
    """r = systolic_product in fl, for constant = m'; time as systolic_latency in cl.

    The constant stands as long as products are under way.
    """

    def construct(s, nbits: int, digit_bits: int, words: int):
        width = nbits + GUARD_BITS
        array_bits = digit_bits * words
        operand_bits, m_bits = min(width, array_bits), min(nbits, array_bits)
        Request, Response = mk_mul_msgs(nbits, GUARD_BITS)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.constant = InPort(digit_bits)
        s.y = Wire(array_bits)
        s.m = Wire(array_bits)
        s.a = Wire(array_bits)
        s.loop = DigitLoop(array_cycles(words))
        join(s.loop.recv, s.recv)
        join(s.loop.send, s.send)
        s.feed = WordFeed(digit_bits, words)
        s.feed.load //= s.loop.load
        s.quotient = QuotientDigit(digit_bits)
        s.quotient.minus_inverse //= s.constant
        first, *others = s.elements(digit_bits, words)
        s.quotient.product //= first.product
        s.quotient.a //= others[0].low
        first.enable //= s.feed.enable
        first.x //= s.feed.word
        first.u //= s.quotient.u
        for left, right in zip([first, *others], others, strict=False):
            left.a //= right.low
            right.enable //= left.enable_out
            right.x //= left.x_out
            right.u //= left.u_out
            right.carry //= left.carry_out
        for j, element in enumerate([first, *others]):
            word = slice(j * digit_bits, (j + 1) * digit_bits)
            element.load //= s.loop.load
            element.y //= s.y[word]
            element.m //= s.m[word]
            s.a[word] //= others[j].low if j < len(others) else others[-1].high

        @update
        def operands():
            s.feed.x @= zext(s.recv.msg.a[0:operand_bits], array_bits)
            s.y @= zext(s.recv.msg.b[0:operand_bits], array_bits)
            s.m @= zext(s.recv.msg.m[0:m_bits], array_bits)

        @update
        def answer():
            s.send.msg.r @= zext(s.a[0:operand_bits], width)

    def elements(s, digit_bits: int, words: int) -> list[Component]:
        """Make the elements in their order."""
        made = [FirstElement(digit_bits)]
        made += [MiddleElement(digit_bits) for _ in range(words - 2)]
        made.append(LastElement(digit_bits))
        for j, element in enumerate(made):
            setattr(s, f"element_{j}", element)
        return made

    def line_trace(s) -> str:
        return f"{s.recv}({s.loop.line_trace()} {s.feed.line_trace()}){s.send}"


@dataclass(frozen=True)
class Systolic(Unit):
    """r = a * b / R mod m below 2m, for odd m below R/4; an element per word."""

    hardware = SystolicRTL

    digit_bits: int
    words: int

    refills = True
    guard_bits = GUARD_BITS

    @property
    def radix(self) -> int:
        """Return r of R = 2^r."""
        return self.digit_bits * self.words

    @property
    def constant(self) -> Part:
        """Return what finds m' = -m^-1 mod 2^k, a bit per cycle."""
        return Part(partial(MinusInverse, self.nbits, self.digit_bits), self.digit_bits)

    def takes(self, m: int) -> bool:
        """Return whether m is odd, and R > 4m."""
        return m % 2 == 1 and not m >> widest_modulus(self.nbits, self.digit_bits, self.words)

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: for m taken, and b below 2m with a < R/2, or b <= m."""
        return self.takes(m) and not a >> self.radix - (b > m) and b < 2 * m

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product in the Montgomery domain."""
        return systolic_product(a, b, m, self.digit_bits, self.words)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, with the constant at hand."""
        return systolic_latency(self.words)
