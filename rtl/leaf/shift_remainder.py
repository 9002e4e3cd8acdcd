"""A remainder by a quotient bit per cycle, for quotients of as many bits as are asked for."""

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

from rtl.leaf.register import Register
from rtl.leaf.subtract_if_fits import SubtractIfFits


class ShiftRemainder(Component):
    """remainder = value mod mod, `steps` + 1 cycles after `start`, for value < mod * 2^steps.

    any_size: for every value and mod >= 1; value_bits + 1 cycles unless mod has its top bit.
    """

    def construct(s, nbits: int, value_bits: int, steps: int, any_size: bool):
        high_bits = value_bits - steps
        if high_bits > nbits - int(any_size):
            raise ValueError(f"{steps} steps are too few for {value_bits} bits")
        most_steps = value_bits if any_size else steps
        count_bits = clog2(most_steps + 1)
        Count = mk_bits(count_bits)
        top_bit = most_steps - 1
        s.start = InPort()
        s.value = InPort(value_bits)
        s.mod = InPort(nbits)
        s.done = OutPort()
        s.remainder = OutPort(nbits)
        s.high = Register(nbits)
        s.rest = Register(most_steps)  # bits of value to come, the highest first
        s.steps_left = Register(count_bits)
        s.remainder //= s.high
        s.subtract = SubtractIfFits(nbits)
        s.subtract.m //= s.mod

        @update
        def shift():
            s.subtract.value @= concat(s.high, s.rest[top_bit])

        @update
        def finish():
            s.done @= s.steps_left == 0

        s.long = Wire()
        if any_size:

            @update
            def short_modulus():
                s.long @= ~s.mod[nbits - 1]

            @update_ff
            def registers_of_any_size():
                if s.start & s.long:
                    s.high <<= 0
                    s.rest <<= s.value
                elif s.start:
                    s.high <<= zext(s.value[steps:value_bits], nbits)
                    s.rest <<= s.value << high_bits
                elif ~s.done:
                    s.high <<= s.subtract.result
                    s.rest <<= s.rest << 1

        else:
            s.long //= 0

            @update_ff
            def registers():
                if s.start:
                    s.high <<= zext(s.value[steps:value_bits], nbits)
                    s.rest <<= s.value[0:steps]
                elif ~s.done:
                    s.high <<= s.subtract.result
                    s.rest <<= s.rest << 1

        @update_ff
        def count():
            if s.reset:
                s.steps_left <<= 0
            elif s.start & s.long:
                s.steps_left <<= Count(most_steps)
            elif s.start:
                s.steps_left <<= Count(steps)
            elif ~s.done:
                s.steps_left <<= s.steps_left - 1

    def line_trace(s) -> str:
        return f"{int(s.steps_left):4}"


class ReduceOut(Component):
    """value = operand mod mod while `done`, from some cycle of `active` on until `taken`."""

    def construct(s, nbits: int, value_bits: int, steps: int, any_size: bool):
        s.active = InPort()
        s.taken = InPort()
        s.mod = InPort(nbits)
        s.operand = InPort(value_bits)
        s.done = OutPort()
        s.value = OutPort(nbits)
        s.started = Register()
        s.remainder = ShiftRemainder(nbits, value_bits, steps, any_size)
        s.remainder.value //= s.operand
        s.remainder.mod //= s.mod
        s.remainder.remainder //= s.value

        @update
        def outputs():
            s.remainder.start @= s.active & ~s.started
            s.done @= s.started & s.remainder.done

        @update_ff
        def control():
            if s.reset | s.taken:
                s.started <<= 0
            elif s.active:
                s.started <<= 1

    def line_trace(s) -> str:
        return s.remainder.line_trace()
