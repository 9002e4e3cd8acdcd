"""The modular adder behind a compression tree; its kinds are explained in fl/modular_sum.py."""

from collections.abc import Sequence

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    connect,
    mk_bits,
    sext,
    update,
    zext,
)

from fl.modular_sum import AROUND, DROP, INVERTED, SELECT, ModularSum
from fl.prefix import Level
from rtl.leaf.compression import Inverted
from rtl.leaf.flattened import Flattened
from rtl.leaf.prefix import Carries, PrefixAdder


class ConstantRow(Flattened):
    """Adds a constant row with full adders, at every position: sum + 2*carry = a + b + row."""

    def construct(s, nbits: int, row: int):
        s.a = InPort(nbits)
        s.b = InPort(nbits)
        s.sum = OutPort(nbits)
        s.carry = OutPort(nbits)
        constant = mk_bits(nbits)(row)

        @update
        def add():
            s.sum @= s.a ^ s.b ^ constant
            s.carry @= (s.a & s.b) | (constant & (s.a | s.b))


class BackAdder(Flattened):
    """r = half + 2*(carries of the groups, with a carry `back` into bit 0), modulo 2^nbits."""

    def construct(s, nbits: int):
        lower = nbits - 1
        s.half = InPort(nbits)
        s.group_g = InPort(nbits)
        s.group_p = InPort(nbits)
        s.back = InPort()
        s.r = OutPort(nbits)
        s.into = Wire(lower)

        @update
        def add():
            s.into @= s.group_g[0:lower] | (s.group_p[0:lower] & sext(s.back, lower))
            s.r @= s.half ^ concat(s.into, s.back)


class SumWithBack(Flattened):
    """Makes the carries of x + y, and adds them, with a carry that comes back, to the sum.

    Who inherits has r, and drives x and y from a and b, and the adder's `back` from the carries.
    """

    def construct(s, plan: ModularSum):
        n = plan.modulus.n
        s.a = InPort(n)
        s.b = InPort(n)
        s.x = Wire(n)
        s.y = Wire(n)
        s.half = Wire(n)
        s.carries = Carries(n, plan.levels(n))
        s.adder = BackAdder(n)
        s.carries.p //= s.half
        s.adder.half //= s.half
        s.adder.group_g //= s.carries.group_g
        s.adder.group_p //= s.carries.group_p

        @update
        def start():
            s.half @= s.x ^ s.y
            s.carries.g @= s.x & s.y


class SumAround(SumWithBack):
    """r = (a + b) mod 2^n-1, for a + b < 2*(2^n-1)."""

    def construct(s, plan: ModularSum):
        super().construct(plan)
        n = plan.modulus.n
        s.r = OutPort(n)
        s.r //= s.adder.r
        s.x //= s.a
        s.y //= s.b

        @update
        def back():
            # The carry out of a + b + 1, so that all ones become 0.
            s.adder.back @= s.carries.group_g[n - 1] | s.carries.group_p[n - 1]


class SumInverted(SumWithBack):
    """r = (a + b + constant) mod 2^n+1, for any n-bit a and b.

    As 2^n = -1, a carry out comes back as 1 - carry, which adds 1: x + y + 1 is formed. A row takes
    what is left of the constant into x and y. r is 2^n where all positions propagate.
    """

    def construct(s, plan: ModularSum):
        super().construct(plan)
        n, width = plan.modulus.n, plan.modulus.width
        s.r = OutPort(width)
        s.r[0:n] //= s.adder.r
        s.r[n] //= s.carries.group_p[n - 1]
        if plan.row is None:
            s.x //= s.a
            s.y //= s.b
        else:
            s.row = ConstantRow(n, plan.row)
            s.top = Inverted(1)
            s.row.a //= s.a
            s.row.b //= s.b
            s.x //= s.row.sum
            s.y[1:n] //= s.row.carry[0 : n - 1]
            s.top.in_ //= s.row.carry[n - 1]
            s.top.out //= s.y[0]

        @update
        def back():
            s.adder.back @= ~s.carries.group_g[n - 1]


class AddConstant(Flattened):
    """sum = a + b + addend, modulo 2^nbits."""

    def construct(s, nbits: int, addend: int, levels: Sequence[Level]):
        s.a = InPort(nbits)
        s.b = InPort(nbits)
        s.sum = OutPort(nbits)
        s.adder = PrefixAdder(nbits, levels)
        s.adder.sum //= s.sum
        if addend:
            s.row = ConstantRow(nbits, addend)
            s.row.a //= s.a
            s.row.b //= s.b
            s.adder.a //= s.row.sum
            s.adder.b[1:nbits] //= s.row.carry[0 : nbits - 1]
            s.adder.b[0] //= 0
        else:
            s.adder.a //= s.a
            s.adder.b //= s.b


class LeastNonNegative(Flattened):
    """out = lower unless that is negative, then upper; two's complements."""

    def construct(s, nbits: int):
        s.upper = InPort(nbits)
        s.lower = InPort(nbits)
        s.out = OutPort(nbits)

        @update
        def select():
            s.out @= s.lower
            if s.lower[nbits - 1]:
                s.out @= s.upper


class SumSelected(Flattened):
    """r = (a + b + constant) mod m: the least a + b + constant - j*m that is not negative."""

    def construct(s, plan: ModularSum):
        bits, width = plan.select_bits, plan.modulus.width
        s.a = InPort(plan.width)
        s.b = InPort(plan.width)
        s.r = OutPort(width)
        s.wide_a = Wire(bits)
        s.wide_b = Wire(bits)

        @update
        def extend():
            s.wide_a @= zext(s.a, bits)
            s.wide_b @= zext(s.b, bits)

        best = None
        for i, addend in enumerate(plan.addends):
            unit = AddConstant(bits, addend, plan.levels(bits))
            setattr(s, f"less_{i}", unit)
            connect(unit.a, s.wide_a)
            connect(unit.b, s.wide_b)
            if best is None:
                best = unit.sum
                continue
            select = LeastNonNegative(bits)
            setattr(s, f"select_{i}", select)
            connect(select.upper, best)
            connect(select.lower, unit.sum)
            best = select.out
        connect(s.r, best[0:width])


class SumDropped(Flattened):
    """r = (a + b) mod 2^n."""

    def construct(s, plan: ModularSum):
        n = plan.modulus.n
        s.a = InPort(plan.width)
        s.b = InPort(plan.width)
        s.r = OutPort(n)
        s.adder = PrefixAdder(n, plan.levels(n))
        s.adder.a //= s.a[0:n]
        s.adder.b //= s.b[0:n]
        s.adder.sum //= s.r


KINDS = {DROP: SumDropped, AROUND: SumAround, INVERTED: SumInverted, SELECT: SumSelected}


def modular_sum(plan: ModularSum) -> Component:
    """Make the adder of that plan: ports a and b of plan.width bits, and r."""
    return KINDS[plan.kind](plan)
