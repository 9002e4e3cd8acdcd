"""DivRem: an unsigned restoring divider, one quotient bit per cycle.

Shared by the MulRem multiplier and the processor. Document 001's divider moves the divisor
up to the dividend one place per cycle and down again, 2k+1 cycles for a quotient of k+1 bits;
this one keeps the divisor still and shifts remainder and quotient through one register pair,
so its subtractor is as wide as the divisor, not the dividend, and it takes k+1 steps.
"""

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    concat,
    mk_bits,
    trunc,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import mk_div_msgs
from rtl.leaf.register import Register
from rtl.leaf.significant_bits import SignificantBits
from rtl.leaf.subtract_if_fits import SubtractIfFits

EARLY = ("none", "zeros")

IDLE, SKIP, STEP, DONE = 0, 1, 2, 3


class DivRemStep(Component):
    """Takes a restoring step: (remainder, dividend bit) - divisor if it fits; the quotient bit.

    For remainder < divisor: 2*remainder + bit_in = bit_out*divisor + next, next < divisor.
    """

    def construct(s, nbits: int):
        s.remainder = InPort(nbits)
        s.bit_in = InPort()
        s.divisor = InPort(nbits)
        s.next = OutPort(nbits)
        s.bit_out = OutPort()
        s.subtract = SubtractIfFits(nbits)
        s.subtract.m //= s.divisor
        s.subtract.fits //= s.bit_out
        s.subtract.result //= s.next

        @update
        def shift():
            s.subtract.value @= concat(s.remainder, s.bit_in)

    def line_trace(s) -> str:
        return f"{s.next}"


class DivRemRTL(Component):
    """quotient, remainder = a // b, a % b, for b >= 1; time as in cl/div_rem.py.

    b = 0 answers as RISC-V does (a quotient of ones, and a) where dividend_bits <= divisor_bits;
    a wider dividend gets a meaningless answer, in bounded time.
    """

    def construct(s, dividend_bits: int, divisor_bits: int, early: str = "zeros"):
        if early not in EARLY:
            raise ValueError(f"early must be one of {', '.join(EARLY)}, not {early!r}")
        if divisor_bits > dividend_bits:
            raise ValueError(
                f"divisor_bits ({divisor_bits}) must not exceed dividend_bits ({dividend_bits})"
            )
        Request, Response = mk_div_msgs(dividend_bits, divisor_bits)
        pair_bits = divisor_bits + dividend_bits
        count_bits = clog2(dividend_bits + 1)
        Count = mk_bits(count_bits)
        first_state = STEP if early == "none" else SKIP

        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.state = Register(2)
        s.remainder = Register(divisor_bits)
        s.quotient = Register(dividend_bits)  # the dividend leaves at the top, the quotient enters
        s.divisor = Register(divisor_bits)
        s.steps_left = Register(count_bits)

        s.step = DivRemStep(divisor_bits)
        s.step.remainder //= s.remainder
        s.step.bit_in //= s.quotient[dividend_bits - 1]
        s.step.divisor //= s.divisor

        s.steps = Wire(count_bits)  # after skipping
        s.skipped = Wire(count_bits)
        s.pair = Wire(pair_bits)
        if early == "zeros":
            s.dividend_size = SignificantBits(dividend_bits)
            s.divisor_size = SignificantBits(divisor_bits)
            s.dividend_size.word //= s.quotient
            s.divisor_size.word //= s.divisor
            size_bits = count_bits + 2
            s.size_a = Wire(size_bits)
            s.size_b = Wire(size_bits)

            @update
            def skip_zeros():
                s.size_a @= zext(s.dividend_size.count, size_bits)
                s.size_b @= zext(s.divisor_size.count, size_bits)
                if s.divisor == 0:
                    s.steps @= Count(dividend_bits)
                elif s.size_a < s.size_b:
                    s.steps @= Count(0)
                else:
                    s.steps @= trunc(s.size_a - s.size_b + 1, count_bits)
                s.skipped @= Count(dividend_bits) - s.steps

        else:

            @update
            def skip_nothing():
                s.steps @= Count(dividend_bits)
                s.skipped @= Count(0)

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.send.msg.quotient @= s.quotient
            s.send.msg.remainder @= s.remainder

        @update
        def skip():
            s.pair @= 0
            if s.state == SKIP:  # the condition is the registers' own, it costs no gate
                s.pair @= zext(s.quotient, pair_bits) << zext(s.skipped, pair_bits)

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.state == IDLE:
                if s.recv.val:
                    s.state <<= first_state
            elif s.state == SKIP:
                if s.steps == 0:
                    s.state <<= DONE
                else:
                    s.state <<= STEP
            elif s.state == STEP:
                if s.steps_left == 1:
                    s.state <<= DONE
            elif s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def datapath():
            if s.state == IDLE:
                s.remainder <<= 0
                s.quotient <<= s.recv.msg.a
                s.divisor <<= s.recv.msg.b
                s.steps_left <<= Count(dividend_bits)
            elif s.state == SKIP:
                s.remainder <<= s.pair[dividend_bits:pair_bits]
                s.quotient <<= s.pair[0:dividend_bits]
                s.steps_left <<= s.steps
            elif s.state == STEP:
                s.remainder <<= s.step.next
                s.quotient <<= concat(s.quotient[0 : dividend_bits - 1], s.step.bit_out)
                s.steps_left <<= s.steps_left - 1

    def line_trace(s) -> str:
        """Show I idle, K skips leading zeros, S and the steps that are left, D done."""
        name = {IDLE: "I", SKIP: "K", STEP: f"S{int(s.steps_left)}", DONE: "D"}[int(s.state)]
        return f"{s.recv}({name:5}){s.send}"
