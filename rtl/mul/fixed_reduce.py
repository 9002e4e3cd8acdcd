"""Reduction modulo a constant m, of values that are a small multiple of it at most."""

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    connect,
    mk_bits,
    update,
    update_ff,
    zext,
)

from fl.fixed_exp import FixedModulus, correction_steps
from fl.modulus import residue_bits
from rtl.leaf.register import Register


class SubtractMultiple(Component):
    """r = value - multiple where that is not negative, otherwise `other`."""

    def construct(s, value_bits: int, multiple: int):
        width = value_bits + 1
        constant = mk_bits(width)(multiple)
        s.value = InPort(value_bits)
        s.other = InPort(value_bits)
        s.r = OutPort(value_bits)
        s.difference = Wire(width)

        @update
        def subtract():
            s.difference @= zext(s.value, width) - constant
            s.r @= s.difference[0:value_bits]
            if s.difference[value_bits]:
                s.r @= s.other

    def line_trace(s) -> str:
        return f"{s.r}"


class ReduceConstant(Component):
    """r = value mod m, for a value of value_bits below (most + 1) * m.

    All multiples of m are subtracted side by side; the largest that fits is chosen.
    """

    def construct(s, value_bits: int, m: int, most: int):
        width = residue_bits(m)
        s.value = InPort(value_bits)
        s.r = OutPort(width)
        chosen = s.value
        for k in range(1, most + 1):
            unit = SubtractMultiple(value_bits, k * m)
            setattr(s, f"subtract_{k}", unit)
            connect(unit.value, s.value)
            connect(unit.other, chosen)
            chosen = unit.r
        connect(s.r, chosen[0:width])

    def line_trace(s) -> str:
        return f"{s.r}"


class Correct(Component):
    """value = operand mod m while `done`, correction_steps(c) cycles after `active`, until `taken`.

    operand < c*m, for c >= 2; mod is not looked at.
    """

    def construct(s, nbits: int, operand_bits: int, modulus: FixedModulus):
        steps = correction_steps(modulus.c)
        last = steps - 1
        low_bits = 2 * steps
        high_bits = residue_bits(modulus.m)
        total_bits = high_bits + low_bits
        worked_bits = residue_bits(modulus.worked)
        first_bits, top = high_bits + 2, low_bits - 2
        s.active = InPort()
        s.taken = InPort()
        s.mod = InPort(nbits)
        s.operand = InPort(operand_bits)
        s.done = OutPort()
        s.value = OutPort(nbits)
        s.total = Wire(total_bits)
        s.high = Register(high_bits)
        s.begun = Register(steps)  # a one for each step that is made
        most = 3 if steps > 1 else modulus.c - 1
        s.reduce = ReduceConstant(first_bits, modulus.m, most)
        s.done //= s.begun[last]

        @update
        def extend():
            s.total @= zext(s.operand[0:worked_bits], total_bits)
            s.value @= zext(s.high, nbits)

        if steps == 1:
            s.reduce.value //= s.total
        else:
            s.rest = Register(low_bits)

            @update
            def two_bits_more():
                s.reduce.value @= concat(s.high, s.rest[top:low_bits])
                if ~s.begun[0]:
                    s.reduce.value @= s.total[top:total_bits]

            @update_ff
            def bits_to_come():
                if ~s.begun[0]:
                    s.rest <<= s.total[0:low_bits] << 2
                else:
                    s.rest <<= s.rest << 2

        @update_ff
        def control():
            if s.reset | s.taken:
                s.begun <<= 0
            elif s.active:
                s.begun <<= (s.begun << 1) | 1

        @update_ff
        def quotient_step():
            if s.active & ~s.done:
                s.high <<= s.reduce.r

    def line_trace(s) -> str:
        return f"{s.begun}"
