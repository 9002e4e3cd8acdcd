"""The single-cycle multiplier: one signed 33 x 33 product serves mul, mulh, mulhsu and mulhu."""

from pymtl3 import Component, InPort, OutPort, Wire, concat, sext, update

from proc.isa import F3_MUL, F3_MULHU


class Multiplier(Component):
    """out = the low (mul) or high word of a * b, each operand signed or unsigned as fn says."""

    def construct(s):
        s.a = InPort(32)
        s.b = InPort(32)
        s.fn = InPort(2)
        s.out = OutPort(32)

        s.wide_a = Wire(33)
        s.wide_b = Wire(33)
        s.product = Wire(66)

        @update
        def extend():
            s.wide_a @= concat(s.a[31] & (s.fn != F3_MULHU), s.a)
            s.wide_b @= concat(s.b[31] & ~s.fn[1], s.b)

        @update
        def multiply():
            # Synthesis sees that the upper half of both operands is sign: a 33 x 33 multiplier.
            s.product @= sext(s.wide_a, 66) * sext(s.wide_b, 66)
            if s.fn == F3_MUL:
                s.out @= s.product[0:32]
            else:
                s.out @= s.product[32:64]
