"""Products modulo c*m instead of m (fl/scaled.py): the units, given the constant of the modulus.

The sums of a cycle are formed side by side; no quotient digit waits for a product.
"""

from dataclasses import dataclass
from functools import partial

from pymtl3 import Component, InPort, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.fold_mul import digit_cycles
from cl.scaled import high_finish, high_latency, high_prepare, low_finish, low_latency, low_prepare
from cl.unit import Part, Unit
from fl.messages import mk_mul_msgs
from fl.scaled import (
    high_constant,
    high_guard_bits,
    high_product,
    high_top,
    low_constant,
    low_guard_bits,
    low_product,
    low_radix,
)
from rtl.leaf.digit_loop import DigitLoop
from rtl.leaf.handshake import join
from rtl.leaf.register import Register
from rtl.leaf.shift_remainder import ReduceOut
from rtl.mul.fold_mul import FoldLoop
from rtl.mul.modulus_constant import HalvedPower, PowerRemainder


class ScaledLowMulRTL(Component):
    """r = low_product in fl, for constant = 2^-w mod m; time as low_latency in cl.

    m itself is not looked at; the constant stands as long as products are under way.
    """

    def construct(s, nbits: int, digit_bits: int):
        guard_bits = low_guard_bits(digit_bits)
        width = nbits + guard_bits
        digits_bits = low_radix(nbits, digit_bits)
        sum_bits = width + digit_bits + 1
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.constant = InPort(nbits)
        s.digits = Register(digits_bits)  # of a, the lowest first
        s.b = Register(width)
        s.sum = Register(sum_bits)
        s.loop = DigitLoop(digit_cycles(digits_bits, digit_bits))
        join(s.loop.recv, s.recv)
        join(s.loop.send, s.send)
        s.send.msg.r //= s.sum[0:width]

        @update_ff
        def registers():
            if s.loop.load:
                s.digits <<= zext(s.recv.msg.a, digits_bits)
                s.b <<= s.recv.msg.b
                s.sum <<= 0
            elif s.loop.step:
                s.digits <<= s.digits >> digit_bits
                s.sum <<= (
                    zext(s.sum[digit_bits:sum_bits], sum_bits)
                    + zext(s.sum[0:digit_bits], sum_bits) * zext(s.constant, sum_bits)
                    + zext(s.digits[0:digit_bits], sum_bits) * zext(s.b, sum_bits)
                )

    def line_trace(s) -> str:
        return f"{s.recv}({s.loop.line_trace()}){s.send}"


class ScaledHighMulRTL(Component):
    """r = high_product in fl, for constant = 2^N mod m; time as high_latency in cl.

    m itself is not looked at; the constant stands as long as products are under way.
    """

    def construct(s, nbits: int, digit_bits: int):
        guard_bits = high_guard_bits(digit_bits)
        top = high_top(nbits, digit_bits)
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.constant = InPort(nbits)
        s.loop = FoldLoop(top, nbits, nbits + guard_bits, digit_bits)
        join(s.loop.recv, s.recv)
        join(s.loop.send, s.send)
        s.loop.a //= s.recv.msg.a
        s.loop.b //= s.recv.msg.b
        s.loop.k //= s.constant
        s.send.msg.r //= s.loop.value

    def line_trace(s) -> str:
        return f"{s.recv}({s.loop.line_trace()}){s.send}"


@dataclass(frozen=True)
class Scaled(Unit):
    """Multiplies modulo c*m, a digit of operand a per cycle, given the constant of m."""

    digit_bits: int

    refills = True


class ScaledLow(Scaled):
    """r = a * b / R mod m, for odd m: below m * 2^(w+1) before the reduction."""

    hardware = ScaledLowMulRTL

    @property
    def guard_bits(self) -> int:
        """Return by how many bits values may be wider than m."""
        return low_guard_bits(self.digit_bits)

    @property
    def radix(self) -> int:
        """Return r of R = 2^r."""
        return low_radix(self.nbits, self.digit_bits)

    @property
    def constant(self) -> Part:
        """Return what finds 2^-w mod m, a bit of c per cycle."""
        return Part(partial(HalvedPower, self.nbits, self.digit_bits), low_prepare(self.digit_bits))

    @property
    def reduction(self) -> Part:
        """Return what reduces at the end: a bit of the quotient per cycle."""
        guard = self.guard_bits
        make = partial(ReduceOut, self.nbits, self.nbits + guard, guard, False)
        return Part(make, low_finish(self.digit_bits))

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: for m odd and b below m."""
        return m % 2 == 1 and b < m

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product before the reduction."""
        return low_product(a, b, low_constant(m, self.digit_bits), self.nbits, self.digit_bits)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, with the constant at hand."""
        return low_latency(self.nbits, self.digit_bits)


class ScaledHigh(Scaled):
    """r = a * b mod m, for m >= 1: below 2^(N+1) before the reduction."""

    hardware = ScaledHighMulRTL

    @property
    def guard_bits(self) -> int:
        """Return by how many bits values may be wider than m."""
        return high_guard_bits(self.digit_bits)

    @property
    def constant(self) -> Part:
        """Return what finds 2^N mod m, by a remainder."""
        make = partial(PowerRemainder, self.nbits, self.digit_bits)
        return Part(make, partial(high_prepare, self.nbits, self.digit_bits))

    @property
    def reduction(self) -> Part:
        """Return what reduces at the end, by another remainder."""
        guard = self.guard_bits
        make = partial(ReduceOut, self.nbits, self.nbits + guard, guard + 1, True)
        return Part(make, partial(high_finish, self.nbits, self.digit_bits))

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product before the reduction."""
        constant = high_constant(m, self.nbits, self.digit_bits)
        return high_product(a, b, constant, self.nbits, self.digit_bits)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, with the constant at hand."""
        return high_latency(self.nbits, self.digit_bits)
