"""Additions of long numbers a word per cycle, the lowest first."""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff, zext

from rtl.leaf.flattened import Flattened
from rtl.leaf.register import Register


class WordAdder(Flattened):
    """carry_out, sum = left + right + carry_in."""

    def construct(s, bits: int):
        wide = bits + 1
        s.left = InPort(bits)
        s.right = InPort(bits)
        s.carry_in = InPort()
        s.sum = OutPort(bits)
        s.carry_out = OutPort()
        s.total = Wire(wide)

        @update
        def add():
            s.total @= zext(s.left, wide) + zext(s.right, wide) + zext(s.carry_in, wide)
            s.sum @= s.total[0:bits]
            s.carry_out @= s.total[bits]


class SerialAdder(Component):
    """Adds two numbers whose words come one per cycle; each word's sum stands two cycles later.

    `first` comes with the lowest words, and with it the carry into them.
    """

    def construct(s, bits: int):
        s.first = InPort()
        s.left = InPort(bits)
        s.right = InPort(bits)
        s.carry_in = InPort()
        s.sum = OutPort(bits)

        s.is_first = Register()
        s.addend = Register(bits)
        s.added = Register(bits)
        s.first_carry = Register()
        s.carry = Register()
        s.add = WordAdder(bits)
        s.add.left //= s.addend
        s.add.right //= s.added

        @update
        def choose_carry():
            s.add.carry_in @= s.carry
            if s.is_first:
                s.add.carry_in @= s.first_carry

        @update_ff
        def stages():
            s.is_first <<= s.first
            s.addend <<= s.left
            s.added <<= s.right
            s.first_carry <<= s.carry_in
            s.sum <<= s.add.sum
            s.carry <<= s.add.carry_out

    def line_trace(s) -> str:
        return f"{s.addend}+{s.added}={s.sum}"
