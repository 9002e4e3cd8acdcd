"""FoldMul: a digit-serial product modulo 2^n - k; what stands above 2^n comes back times k.

Fold and product of a cycle are added side by side: the fold is that of the sum before.
"""

from dataclasses import dataclass

from pymtl3 import Component, InPort, OutPort, Wire, concat, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.fold_mul import digit_cycles, fold_latency
from cl.unit import Unit
from fl.fold_mul import fold_digit_bits, fold_mul
from fl.messages import mk_mul_msgs
from fl.near_power import is_near_power
from fl.near_power import k_bits as most_k_bits
from rtl.leaf.digit_loop import DigitLoop
from rtl.leaf.handshake import Accept, Offer, join
from rtl.leaf.register import Register
from rtl.leaf.subtract_if_fits import SubtractIfFits


class FoldLoop(Component):
    """value = a*b mod 2^top - k, not reduced, below 1.5 * 2^top; ranges as of fold_product in fl.

    k stands from `load` on until the answer; time as of rtl/leaf/digit_loop.py.
    """

    def construct(s, top: int, k_bits: int, operand_bits: int, digit_bits: int):
        cycles = digit_cycles(operand_bits, digit_bits)
        digits_bits = (cycles - 1) * digit_bits
        high_bits = digit_bits + 2
        sum_bits = top + high_bits
        top_digit = digits_bits - digit_bits
        value_bits = top + 1
        value_end = value_bits + digit_bits
        s.recv = Accept()
        s.a = InPort(operand_bits)
        s.b = InPort(operand_bits)
        s.k = InPort(k_bits)
        s.send = Offer()
        s.value = OutPort(value_bits)

        s.digits = Register(digits_bits)  # of a, the highest first
        s.b_register = Register(operand_bits)
        s.sum = Register(sum_bits)
        s.zeros = Wire(digit_bits)
        s.zeros //= 0
        s.loop = DigitLoop(cycles)
        join(s.loop.recv, s.recv)
        join(s.loop.send, s.send)
        s.value //= s.sum[digit_bits:value_end]

        @update_ff
        def registers():
            if s.loop.load:
                s.digits <<= zext(s.a, digits_bits)
                s.b_register <<= s.b
                s.sum <<= 0
            elif s.loop.step:
                s.digits <<= s.digits << digit_bits
                # Synthesis adds the shifted product apart from the other sum, however this is
                # written: the units of fl/scaled.py's low digits have the shorter path.
                s.sum <<= (
                    zext(concat(s.sum[0:top], s.zeros), sum_bits)
                    + (zext(s.sum[top:sum_bits], sum_bits) * zext(s.k, sum_bits) << digit_bits)
                    + zext(s.digits[top_digit:digits_bits], sum_bits) * zext(s.b_register, sum_bits)
                )

    def line_trace(s) -> str:
        return s.loop.line_trace()


class NearPower(Component):
    """takes = (mod = 2^nbits - k for a k from 1 to 2^k_bits(nbits)); k then is that k."""

    def construct(s, nbits: int):
        low_bits = most_k_bits(nbits)
        k_bits = low_bits + 1
        s.mod = InPort(nbits)
        s.k = OutPort(k_bits)
        s.takes = OutPort()
        s.ones = Wire(nbits - low_bits)

        @update
        def negate():
            s.k @= zext(~s.mod[0:low_bits], k_bits) + 1

        @update
        def judge():
            s.ones @= s.mod[low_bits:nbits]
            s.takes @= ~s.ones == 0

    def line_trace(s) -> str:
        return f"{s.k}" if s.takes else "!"


class FoldMulRTL(Component):
    """r = a * b mod m, for near-power m and any n-bit a and b; time as in cl/fold_mul.py.

    Under another m it gives some answer at the same time.
    """

    def construct(s, nbits: int, digit_bits: int):
        digit = fold_digit_bits(nbits, digit_bits)
        k_bits = most_k_bits(nbits) + 1
        Request, Response = mk_mul_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.m = Register(nbits)
        s.k = Register(k_bits)
        s.near_power = NearPower(nbits)
        s.near_power.mod //= s.recv.msg.m
        s.loop = FoldLoop(nbits, k_bits, nbits, digit)
        join(s.loop.recv, s.recv)
        join(s.loop.send, s.send)
        s.loop.a //= s.recv.msg.a
        s.loop.b //= s.recv.msg.b
        s.loop.k //= s.k
        s.subtract = SubtractIfFits(nbits)
        s.subtract.value //= s.loop.value
        s.subtract.m //= s.m
        s.send.msg.r //= s.subtract.result

        @update_ff
        def registers():
            if s.recv.val & s.recv.rdy:
                s.m <<= s.recv.msg.m
                s.k <<= s.near_power.k

    def line_trace(s) -> str:
        return f"{s.recv}({s.loop.line_trace()}){s.send}"


@dataclass(frozen=True)
class FoldMul(Unit):
    """r = a * b mod m, for near-power m; a digit of operand a per cycle."""

    hardware = FoldMulRTL

    digit_bits: int

    refills = True

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: for m near 2^n."""
        return is_near_power(self.nbits, m)

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product modulo m."""
        return fold_mul(a, b, m, self.nbits, self.digit_bits)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response."""
        return fold_latency(self.nbits, self.digit_bits)
