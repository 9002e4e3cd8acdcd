"""MontDigit: Montgomery's product by digits, given -m^-1 mod 2^w (fl/mont_digit.py).

In each cycle the quotient digit waits for the sum's low digit, and the next sum for the quotient
digit: three products, one after the other. An early answer is the last of these sums, which no
register takes: the next product begins a cycle sooner.
"""

from dataclasses import dataclass
from functools import partial

from pymtl3 import Component, InPort, Wire, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.mont_digit import early_mont_digit_latency, mont_digit_latency
from cl.mont_mul import mont_cycles
from cl.unit import Part, Unit
from fl.messages import mk_mul_msgs
from fl.mont_digit import mont_digit_product
from fl.mont_mul import GUARD_BITS, mont_radix
from rtl.leaf.digit_loop import DigitLoop
from rtl.leaf.handshake import join
from rtl.leaf.register import Register
from rtl.mul.modulus_constant import MinusInverse


class MontDigitRTL(Component):
    """r = mont_digit_product in fl, for constant = -m^-1 mod 2^w; time as mont_digit_latency.

    m and the constant stand as long as products are under way.
    """

    early = False

    def construct(s, nbits: int, digit_bits: int):
        width = nbits + GUARD_BITS
        digits_bits = mont_radix(nbits, digit_bits, final_subtract=False)
        added_bits = width + digit_bits + 1
        Request, Response = mk_mul_msgs(nbits, GUARD_BITS)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.constant = InPort(digit_bits)
        s.digits = Register(max(digits_bits, width))  # of a, the lowest first
        s.b = Register(width)
        s.m = Register(nbits)
        s.sum = Register(width + 1)
        s.added = Wire(added_bits)
        s.quotient = Wire(digit_bits)
        s.reduced = Wire(added_bits)
        sum_bits, held_bits = width + 1, max(digits_bits, width)
        cycles = mont_cycles(nbits, digit_bits, final_subtract=False)
        early = s.early and cycles > 1
        s.loop = DigitLoop(cycles - 1 if early else cycles)
        join(s.loop.recv, s.recv)
        join(s.loop.send, s.send)

        @update
        def step():
            s.added @= zext(s.sum, added_bits) + zext(s.digits[0:digit_bits], added_bits) * zext(
                s.b, added_bits
            )
            s.quotient @= s.added[0:digit_bits] * s.constant
            s.reduced @= s.added + zext(s.quotient, added_bits) * zext(s.m, added_bits)

        @update_ff
        def registers():
            if s.loop.load:
                s.digits <<= zext(s.recv.msg.a, held_bits)
                s.b <<= s.recv.msg.b
                s.m <<= s.recv.msg.m
                s.sum <<= 0
            elif s.loop.step:
                s.digits <<= s.digits >> digit_bits
                s.sum <<= zext(s.reduced[digit_bits:added_bits], sum_bits)

        # The last digit stays, and so does its sum, until the answer is taken.
        newest_end = digit_bits + width
        s.send.msg.r //= s.reduced[digit_bits:newest_end] if early else s.sum[0:width]

    def line_trace(s) -> str:
        return f"{s.recv}({s.loop.line_trace()}){s.send}"


class EarlyMontDigitRTL(MontDigitRTL):
    """The same, of several digits with an early answer; time as early_mont_digit_latency."""

    early = True


@dataclass(frozen=True)
class MontDigit(Unit):
    """r = a * b / R mod m below 2m, for odd m; a digit of operand a per cycle."""

    hardware = MontDigitRTL

    digit_bits: int

    refills = True
    guard_bits = GUARD_BITS

    @property
    def radix(self) -> int:
        """Return r of R = 2^r."""
        return mont_radix(self.nbits, self.digit_bits, final_subtract=False)

    @property
    def constant(self) -> Part:
        """Return what finds -m^-1 mod 2^w, a bit per cycle."""
        return Part(partial(MinusInverse, self.nbits, self.digit_bits), self.digit_bits)

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: for m odd, b below 2m."""
        return m % 2 == 1 and b < 2 * m

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product in the Montgomery domain."""
        return mont_digit_product(a, b, m, self.nbits, self.digit_bits)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, with the constant at hand."""
        return mont_digit_latency(self.nbits, self.digit_bits)


class EarlyMontDigit(MontDigit):
    """The same product, whose answer leaves with its last digit."""

    hardware = EarlyMontDigitRTL

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, with the constant at hand."""
        return early_mont_digit_latency(self.nbits, self.digit_bits)
