"""What the tests of the flow send through it: units so small that one knows what must come out."""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff

from flow.technologies.asked import DEFAULT
from flow.technologies.kit import view
from rtl.leaf.compression import FullAdders

KIT = view(DEFAULT)
LIBERTY = KIT / "stdcells.lib"


class ToyAdder(Component):
    """y = a + b."""

    def construct(s, nbits):
        s.a = InPort(nbits)
        s.b = InPort(nbits)
        s.y = OutPort(nbits)

        @update
        def add():
            s.y @= s.a + s.b


class FlowToy(Component):
    """Two adders in a row between registers: y = (a + b) + a, two cycles later."""

    def construct(s, nbits):
        s.a = InPort(nbits)
        s.b = InPort(nbits)
        s.y = OutPort(nbits)
        s.reg_a = Wire(nbits)
        s.reg_b = Wire(nbits)
        s.first = ToyAdder(nbits)
        s.second = ToyAdder(nbits)
        s.first.a //= s.reg_a
        s.first.b //= s.reg_b
        s.second.a //= s.first.y
        s.second.b //= s.reg_a

        @update_ff
        def registers():
            if s.reset:
                s.reg_a <<= 0
                s.reg_b <<= 0
                s.y <<= 0
            else:
                s.reg_a <<= s.a
                s.reg_b <<= s.b
                s.y <<= s.second.y


class PowerToy(Component):
    """y = the sum of all a so far, while val is 1."""

    def construct(s, nbits):
        s.val = InPort(1)
        s.a = InPort(nbits)
        s.y = OutPort(nbits)
        s.total = Wire(nbits)
        s.add = ToyAdder(nbits)
        s.add.a //= s.total
        s.add.b //= s.a
        s.y //= s.total

        @update_ff
        def accumulate():
            if s.reset:
                s.total <<= 0
            elif s.val:
                s.total <<= s.add.y


class CarrySaveToy(Component):
    """y = the sum of all a so far, which is kept as two rows of bits."""

    def construct(s, nbits):
        s.a = InPort(nbits)
        s.y = OutPort(nbits)
        s.sum = Wire(nbits)
        s.carry = Wire(nbits)
        s.rows = FullAdders(nbits)
        s.rows.x //= s.sum
        s.rows.y[1:nbits] //= s.carry[0 : nbits - 1]
        s.rows.y[0] //= 0
        s.rows.z //= s.a

        @update
        def show():
            s.y @= s.sum + (s.carry << 1)

        @update_ff
        def accumulate():
            if s.reset:
                s.sum <<= 0
                s.carry <<= 0
            else:
                s.sum <<= s.rows.sum
                s.carry <<= s.rows.carry
