"""A 32-bit funnel shifter: all three shifts take 32 of 63 bits, at a distance of 0 to 31."""

from pymtl3 import Bits31, Component, InPort, OutPort, Wire, concat, sext, update


class Shifter(Component):
    """out = a << amount, a >> amount, or the same with copies of the sign shifted in."""

    def construct(s):
        s.a = InPort(32)
        s.amount = InPort(5)
        s.left = InPort()
        s.arithmetic = InPort()
        s.out = OutPort(32)

        s.distance = Wire(5)
        s.fill = Wire()
        s.by_0 = Wire(63)
        s.by_16 = Wire(47)
        s.by_8 = Wire(39)
        s.by_4 = Wire(35)
        s.by_2 = Wire(33)

        @update
        def funnel():
            s.fill @= s.arithmetic & s.a[31]
            if s.left:  # (a << 31) >> (31 - amount)
                s.by_0 @= concat(s.a, Bits31(0))
                s.distance @= ~s.amount
            else:
                s.by_0 @= concat(sext(s.fill, 31), s.a)
                s.distance @= s.amount

        @update
        def shift():
            if s.distance[4]:
                s.by_16 @= s.by_0[16:63]
            else:
                s.by_16 @= s.by_0[0:47]
            if s.distance[3]:
                s.by_8 @= s.by_16[8:47]
            else:
                s.by_8 @= s.by_16[0:39]
            if s.distance[2]:
                s.by_4 @= s.by_8[4:39]
            else:
                s.by_4 @= s.by_8[0:35]
            if s.distance[1]:
                s.by_2 @= s.by_4[2:35]
            else:
                s.by_2 @= s.by_4[0:33]
            if s.distance[0]:
                s.out @= s.by_2[1:33]
            else:
                s.out @= s.by_2[0:32]
