"""Arrays whose quotient digit is formed from the sum before a word of x is added (Orup).

The array of document 002 makes u_i, and the carry of its first element, in one cycle: two products,
one after the other. Here x_i * y is added a word further up, so that it does not touch the lowest
word, which thus stands when the word of x comes. That takes a word more of x, a 0, as at last
nothing but the reduction remains to be done.

LateSystolic makes u_i in the cycle before; only the first carry is a product and then a sum.
ScaledSystolic works modulo c*m = -1 mod 2^k (fl/scaled.py): the lowest word is u_i, without a
product; its values are a word longer, and need the reduction of ScaledLow at the end.
"""

from dataclasses import dataclass

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff, zext

from cl.systolic import late_latency, scaled_latency
from fl.mont_mul import GUARD_BITS
from fl.scaled import low_guard_bits
from fl.systolic import scaled_elements, scaled_words
from rtl.leaf.register import Register
from rtl.mul.scaled import ScaledLow
from rtl.mul.systolic import Systolic
from rtl.mul.systolic_line import SystolicPorts


class LateQuotient(Component):
    """u = a * m' mod 2^k of the word a at `take`, and carry = (a + u * m) / 2^k, for m m' = -1.

    The lowest word of a + u*m is 0: the carry is the product's high word, and 1 if a is not 0.
    """

    def construct(s, digit_bits: int):
        carry_bits, product_bits = digit_bits + 1, 2 * digit_bits
        s.load = InPort()
        s.m = InPort(digit_bits)
        s.minus_inverse = InPort(digit_bits)
        s.take = InPort()
        s.a = InPort(digit_bits)
        s.u = OutPort(digit_bits)
        s.carry = OutPort(carry_bits)
        s.m_word = Register(digit_bits)
        s.a_counts = Register()

        s.product = Wire(product_bits)

        @update
        def carry_of_the_lowest_word():
            s.product @= zext(s.u, product_bits) * zext(s.m_word, product_bits)
            s.carry @= zext(s.a_counts, carry_bits) + zext(
                s.product[digit_bits:product_bits], carry_bits
            )

        @update_ff
        def registers():
            if s.load:
                s.m_word <<= s.m
            if s.take:
                s.u <<= s.a * s.minus_inverse
                s.a_counts <<= s.a != 0

    def line_trace(s) -> str:
        return f"{s.u}"


class LateSystolicRTL(SystolicPorts):
    """r = systolic_product in fl, for constant = m'; time as late_latency in cl."""

    def construct(s, nbits: int, digit_bits: int, words: int):
        y_bits = digit_bits * words
        super().construct(nbits, GUARD_BITS, digit_bits, digit_bits, words + 1, words)
        s.quotient = LateQuotient(digit_bits)
        s.quotient.load //= s.loop.load
        s.quotient.m //= s.m[0:digit_bits]
        s.quotient.minus_inverse //= s.constant
        s.quotient.take //= s.line.multiplies
        s.quotient.a //= s.line.low
        s.line.enable //= s.feed.enable
        s.line.x //= s.feed.word
        s.line.u //= s.quotient.u
        s.line.carry //= s.quotient.carry
        s.line.y //= s.y[0:y_bits]
        s.line.m //= s.m[digit_bits : y_bits + digit_bits]


class ScaledSystolicRTL(SystolicPorts):
    """r = low_product in fl, for constant = 2^-k mod m; time as scaled_latency in cl."""

    def construct(s, nbits: int, digit_bits: int):
        guard_bits, elements = low_guard_bits(digit_bits), scaled_elements(nbits, digit_bits)
        line_bits = digit_bits * elements
        super().construct(
            nbits, guard_bits, nbits, digit_bits, scaled_words(nbits, digit_bits), elements
        )
        s.u = Register(digit_bits)
        s.line.enable //= s.feed.enable
        s.line.x //= s.feed.word
        s.line.u //= s.u
        s.line.carry //= 0
        s.line.y //= s.y[0:line_bits]

        @update
        def modulus():
            s.line.m @= zext(s.constant, line_bits)

        @update_ff
        def lowest_word():
            if s.line.multiplies:
                s.u <<= s.line.low


@dataclass(frozen=True)
class LateSystolic(Systolic):
    """r = a * b / R mod m below 2m, as Systolic, with the quotient digits formed a cycle ahead."""

    hardware = LateSystolicRTL

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, with the constant at hand."""
        return late_latency(self.words)


@dataclass(frozen=True)
class ScaledSystolic(ScaledLow):
    """r = a * b / R modulo c*m; an element per word of that."""

    hardware = ScaledSystolicRTL

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, with the constant at hand."""
        return scaled_latency(self.nbits, self.digit_bits)
