"""The arithmetic-logic unit: sums, comparisons, shifts and logic in one cycle."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, concat, sext, update, zext

from proc.isa import F3_ADD, F3_OR, F3_SLL, F3_SLT, F3_SLTU, F3_SR, F3_XOR
from proc.rtl.shifter import Shifter


class Alu(Component):
    """out = the operation that fn (a funct3) names; alt subtracts, or shifts the sign in.

    sum = a - b if alt else a + b. taken, with alt set: the branch condition that fn names.
    """

    def construct(s):
        s.a = InPort(32)
        s.b = InPort(32)
        s.fn = InPort(3)
        s.alt = InPort()
        s.out = OutPort(32)
        s.sum = OutPort(32)
        s.taken = OutPort()

        s.wide = Wire(34)  # carry out, sum, and the place that the carry in comes from
        s.subtrahend = Wire(32)
        s.less = Wire()
        s.less_unsigned = Wire()

        s.shifter = Shifter()
        s.shifter.a //= s.a
        s.shifter.amount //= s.b[0:5]
        s.shifter.arithmetic //= s.alt
        s.shifter.left //= lambda: s.fn == F3_SLL

        @update
        def add():
            s.subtrahend @= s.b ^ sext(s.alt, 32)
            s.wide @= concat(Bits1(0), s.a, Bits1(1)) + concat(Bits1(0), s.subtrahend, s.alt)
            s.sum @= s.wide[1:33]

        @update
        def compare():
            s.less_unsigned @= ~s.wide[33]
            if s.a[31] == s.b[31]:
                s.less @= s.less_unsigned
            else:
                s.less @= s.a[31]

        @update
        def condition():
            if ~s.fn[2]:
                s.taken @= (s.a == s.b) ^ s.fn[0]
            elif s.fn[1]:
                s.taken @= s.less_unsigned ^ s.fn[0]
            else:
                s.taken @= s.less ^ s.fn[0]

        @update
        def select():
            if s.fn == F3_ADD:
                s.out @= s.sum
            elif (s.fn == F3_SLL) | (s.fn == F3_SR):
                s.out @= s.shifter.out
            elif s.fn == F3_SLT:
                s.out @= zext(s.less, 32)
            elif s.fn == F3_SLTU:
                s.out @= zext(s.less_unsigned, 32)
            elif s.fn == F3_XOR:
                s.out @= s.a ^ s.b
            elif s.fn == F3_OR:
                s.out @= s.a | s.b
            else:
                s.out @= s.a & s.b
