"""The constants of a modulus that multipliers ask for, found a bit per cycle.

    cycle 0            start; mod stands, and does so until done
    cycles 1 to c      a step each: an AddRed step, or one of the remainder
    from cycle c+1 on  done: constant stands, until the next start

c is w, the bits of a digit, for HalvedPower and MinusInverse; for PowerRemainder it is w + 5 where
m has all n bits, otherwise n + w + 4, all bits of 2^N. All have the same ports.
"""

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    concat,
    mk_bits,
    update,
    update_ff,
    zext,
)

from fl.scaled import high_guard_bits, high_top
from rtl.leaf.flattened import Flattened
from rtl.leaf.register import Register
from rtl.leaf.shift_remainder import ShiftRemainder


class _Counted(Component):
    """Gives `step` for so many cycles after start, then done."""

    def construct(s, cycles: int):
        count_bits = clog2(cycles + 1)
        Count = mk_bits(count_bits)
        s.start = InPort()
        s.step = OutPort()
        s.done = OutPort()
        s.cycles_left = Register(count_bits)

        @update
        def outputs():
            s.step @= s.cycles_left != 0
            s.done @= s.cycles_left == 0

        @update_ff
        def count():
            if s.reset:
                s.cycles_left <<= 0
            elif s.start:
                s.cycles_left <<= Count(cycles)
            elif s.step:
                s.cycles_left <<= s.cycles_left - 1

    def line_trace(s) -> str:
        return f"{s.cycles_left}"


class NoConstant(Flattened):
    """Is done at once, for units that ask for no constant."""

    def construct(s, nbits: int):
        s.start = InPort()
        s.mod = InPort(nbits)
        s.done = OutPort()
        s.done //= 1

    def line_trace(s) -> str:
        return " "


class HalvedPower(Component):
    """constant = 2^-w mod m, from 1 to m, for odd m: w AddRed steps from 1."""

    def construct(s, nbits: int, digit_bits: int):
        sum_bits = nbits + 1
        s.start = InPort()
        s.mod = InPort(nbits)
        s.done = OutPort()
        s.constant = OutPort(nbits)
        s.value = Register(nbits)
        s.sum = Wire(sum_bits)
        s.count = _Counted(digit_bits)
        s.count.start //= s.start
        s.count.done //= s.done
        s.constant //= s.value

        @update
        def halve():
            s.sum @= zext(s.value, sum_bits)
            if s.value[0]:
                s.sum @= zext(s.value, sum_bits) + zext(s.mod, sum_bits)

        @update_ff
        def register():
            if s.start:
                s.value <<= 1
            elif s.count.step:
                s.value <<= s.sum[1:sum_bits]

    def line_trace(s) -> str:
        return f"{s.count.line_trace()} {s.constant}"


class MinusInverse(Component):
    """constant = -m^-1 mod 2^w for odd m: the quotient digits of w AddRed steps from 1."""

    def construct(s, nbits: int, digit_bits: int):
        s.start = InPort()
        s.mod = InPort(nbits)
        s.done = OutPort()
        s.constant = OutPort(digit_bits)
        s.value = Register(digit_bits)
        s.sum = Wire(digit_bits)
        s.digits = Register(digit_bits)
        s.count = _Counted(digit_bits)
        s.count.start //= s.start
        s.count.done //= s.done
        s.constant //= s.digits
        low_bits = min(nbits, digit_bits)

        @update
        def halve():
            s.sum @= s.value
            if s.value[0]:
                s.sum @= s.value + zext(s.mod[0:low_bits], digit_bits)

        @update_ff
        def registers():
            if s.start:
                s.value <<= 1
            elif s.count.step:
                # what a carry would bring into the top bit no digit of these w depends on
                s.value <<= s.sum >> 1
                s.digits <<= concat(s.value[0], s.digits[1:digit_bits])

    def line_trace(s) -> str:
        return f"{s.count.line_trace()} {s.constant}"


class PowerRemainder(Component):
    """constant = 2^N mod m for m >= 1: few steps if m has all n bits."""

    def construct(s, nbits: int, digit_bits: int):
        value_bits = high_top(nbits, digit_bits) + 1
        power = mk_bits(value_bits)(1 << value_bits - 1)
        s.start = InPort()
        s.mod = InPort(nbits)
        s.done = OutPort()
        s.constant = OutPort(nbits)
        s.remainder = ShiftRemainder(
            nbits, value_bits, high_guard_bits(digit_bits) + 1, any_size=True
        )
        s.remainder.start //= s.start
        s.remainder.value //= power
        s.remainder.mod //= s.mod
        s.remainder.done //= s.done
        s.remainder.remainder //= s.constant

    def line_trace(s) -> str:
        return s.remainder.line_trace()
