"""Document 002's MontMult: a line of elements, each for a word, that x passes word by word.

Figure 1: MMC (WordFeed, DigitLoop) feeds the first element (IPE), CU (QuotientDigit) makes the
quotient digits. Elements talk to their neighbours alone, so that the clock period does not grow
with the number of words. There are s + 1 multipliers, where the document has s + 2.
"""

from dataclasses import dataclass
from functools import partial

from cl.systolic import systolic_latency
from cl.unit import Part, Unit
from fl.mont_mul import GUARD_BITS
from fl.systolic import systolic_product, widest_modulus
from rtl.mul.modulus_constant import MinusInverse
from rtl.mul.systolic_elements import FirstElement, QuotientDigit
from rtl.mul.systolic_line import SystolicPorts


class SystolicRTL(SystolicPorts):
    """r = systolic_product in fl, for constant = m'; time as systolic_latency in cl.

    The constant stands as long as products are under way.
    """

    def construct(s, nbits: int, digit_bits: int, words: int):
        y_bits = digit_bits * words
        super().construct(nbits, GUARD_BITS, digit_bits, digit_bits, words, words - 1, ahead=1)
        s.first = FirstElement(digit_bits)
        s.quotient = QuotientDigit(digit_bits)
        s.first.load //= s.loop.load
        s.first.enable //= s.feed.enable
        s.first.x //= s.feed.word
        s.first.y //= s.y[0:digit_bits]
        s.first.m //= s.m[0:digit_bits]
        s.first.a //= s.line.low
        s.first.u //= s.quotient.u
        s.quotient.a //= s.line.low
        s.quotient.product //= s.first.product
        s.quotient.minus_inverse //= s.constant
        s.line.y //= s.y[digit_bits:y_bits]
        s.line.m //= s.m[digit_bits:y_bits]
        s.line.enable //= s.first.multiplies
        s.line.x //= s.first.x_word
        s.line.u //= s.first.u_out
        s.line.carry //= s.first.carry_out


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
