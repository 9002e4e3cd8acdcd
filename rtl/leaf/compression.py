"""Compressors, and one column of one stage of a compression tree (document 000, section 2.2.1).

Compressors of a kind stand side by side as vectors: position k of every port belongs to
compressor k. A column takes its dots in runs, so that it is wired by slices.
"""

from pymtl3 import InPort, OutPort, Wire, connect, update

from fl.compression import Placement
from rtl.leaf.flattened import Flattened


class HalfAdders(Flattened):
    """Adds two bits at every position: 2*carry + sum = x + y."""

    def construct(s, count: int):
        s.x = InPort(count)
        s.y = InPort(count)
        s.sum = OutPort(count)
        s.carry = OutPort(count)

        @update
        def add():
            s.sum @= s.x ^ s.y
            s.carry @= s.x & s.y


class FullAdders(Flattened):
    """Adds three bits at every position: 2*carry + sum = x + y + z."""

    carry_save = True  # worth the kit's full adders

    def construct(s, count: int):
        s.x = InPort(count)
        s.y = InPort(count)
        s.z = InPort(count)
        s.sum = OutPort(count)
        s.carry = OutPort(count)
        s.half = Wire(count)

        @update
        def add():
            s.half @= s.x ^ s.y
            s.sum @= s.half ^ s.z
            s.carry @= (s.x & s.y) | (s.half & s.z)


class FiveThree(Flattened):
    """Adds five bits at every position: 4*carry_2 + 2*carry + sum = v + w + x + y + z."""

    def construct(s, count: int):
        s.v = InPort(count)
        s.w = InPort(count)
        s.x = InPort(count)
        s.y = InPort(count)
        s.z = InPort(count)
        s.sum = OutPort(count)
        s.carry = OutPort(count)
        s.carry_2 = OutPort(count)
        s.first = FullAdders(count)
        s.second = FullAdders(count)
        s.carries = HalfAdders(count)
        s.first.x //= s.v
        s.first.y //= s.w
        s.first.z //= s.x
        s.second.x //= s.first.sum
        s.second.y //= s.y
        s.second.z //= s.z
        s.second.sum //= s.sum
        s.carries.x //= s.first.carry
        s.carries.y //= s.second.carry
        s.carries.sum //= s.carry
        s.carries.carry //= s.carry_2


class CompressColumn(Flattened):
    """Compresses a column in a stage: `stay` has the dots not taken, then the sums; carries go up.

    sum(dots) = sum(stay) + 2*sum(carry) + 4*sum(carry_2). An output without dots is one bit, 0.
    """

    def construct(s, height: int, five_three: int, full: int, half: int):
        put = Placement(five_three, full, half)
        kept = height - put.taken
        s.dots = InPort(height)
        s.stay = OutPort(max(kept + put.sums, 1))
        s.carry = OutPort(max(put.sums, 1))
        s.carry_2 = OutPort(max(five_three, 1))
        if kept:
            s.stay[0:kept] //= s.dots[put.taken : height]
        at, made = 0, 0  # dots taken, sums made
        for name, count, adders, ports in (
            ("fives", five_three, FiveThree, "vwxyz"),
            ("fulls", full, FullAdders, "xyz"),
            ("halves", half, HalfAdders, "xy"),
        ):
            if not count:
                continue
            unit = adders(count)
            setattr(s, name, unit)
            for port in ports:
                connect(getattr(unit, port), s.dots[at : at + count])
                at += count
            s.stay[kept + made : kept + made + count] //= unit.sum
            s.carry[made : made + count] //= unit.carry
            made += count
        if five_three:
            s.carry_2 //= s.fives.carry_2
        else:
            s.carry_2 //= 0


class Inverted(Flattened):
    """out = not in_."""

    def construct(s, count: int):
        s.in_ = InPort(count)
        s.out = OutPort(count)

        @update
        def invert():
            s.out @= ~s.in_
