"""FoldMul: a digit-serial product modulo 2^n - k; what stands above 2^n comes back times k.

Fold and product of a cycle are added side by side: the fold is that of the sum before.
"""

from pymtl3 import Component, InPort, OutPort, Wire, concat, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.fold_mul import digit_cycles
from fl.fold_mul import fold_digit_bits
from fl.messages import mk_mul_msgs
from fl.near_power import k_bits as most_k_bits
from rtl.leaf.digit_loop import DigitLoop
from rtl.mul.mont_mul import FinalSubtract


class FoldLoop(Component):
    """value congruent to a*b mod 2^top - k, below 1.5 * 2^top; ranges as of fold_product in fl.

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
        s.recv_val = InPort()
        s.recv_rdy = OutPort()
        s.a = InPort(operand_bits)
        s.b = InPort(operand_bits)
        s.k = InPort(k_bits)
        s.send_val = OutPort()
        s.send_rdy = InPort()
        s.value = OutPort(value_bits)

        s.digits = Wire(digits_bits)  # of a, the highest first
        s.b_register = Wire(operand_bits)
        s.sum = Wire(sum_bits)
        s.zeros = Wire(digit_bits)
        s.zeros //= 0
        s.loop = DigitLoop(cycles)
        s.loop.recv_val //= s.recv_val
        s.loop.recv_rdy //= s.recv_rdy
        s.loop.send_val //= s.send_val
        s.loop.send_rdy //= s.send_rdy
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
    """Whether mod = 2^nbits - k with 1 <= k <= 2^k_bits(nbits), and k."""

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
        s.m = Wire(nbits)
        s.k = Wire(k_bits)
        s.near_power = NearPower(nbits)
        s.near_power.mod //= s.recv.msg.m
        s.loop = FoldLoop(nbits, k_bits, nbits, digit)
        s.loop.recv_val //= s.recv.val
        s.loop.recv_rdy //= s.recv.rdy
        s.loop.send_val //= s.send.val
        s.loop.send_rdy //= s.send.rdy
        s.loop.a //= s.recv.msg.a
        s.loop.b //= s.recv.msg.b
        s.loop.k //= s.k
        s.subtract = FinalSubtract(nbits)
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
