"""R^2 mod m by doublings, and squarings of the multiplier that is there anyway.

The ports are those of rtl/exp/r_squared.py and the multiplier's, `mul`.
"""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from fl.messages import mk_mul_msgs


class RSquaredDoubling(Component):
    """2^(2r) mod m by doublings and Montgomery squarings, as r_squared_by_doubling in fl.

    constant: from 2^0 for every m; else from m's top bit where that is bit nbits - 1, as in RSA.
    Without a final subtraction (guard_bits = 1) values stand below 2m, not m.
    """

    def construct(s, nbits: int, guard_bits: int, radix: int, squarings: int, constant: bool):
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        width = nbits + guard_bits
        wide = width + 1
        start_power = nbits - 1
        all_doublings = radix + (radix >> squarings)
        few_doublings = all_doublings - start_power
        count_bits = clog2(all_doublings + 1)
        Count = mk_bits(count_bits)
        Rounds = mk_bits(clog2(squarings + 1) or 1)
        pattern_bits = max(squarings, 1)
        Pattern = mk_bits(pattern_bits)
        pattern = Pattern(radix & ((1 << squarings) - 1))
        top_power = mk_bits(width)(1 << start_power)
        s.start = InPort()
        s.finish = InPort()
        s.mod = InPort(nbits)
        s.done = OutPort()
        s.value = OutPort(width)
        s.mul = MasterIfcRTL(Request, Response)

        s.power = Wire(width)
        s.doublings = Wire(Count)
        s.rounds = Wire(Rounds)  # squarings to come
        s.pattern = Wire(Pattern)  # bits of r: whether a doubling follows each squaring
        s.active = Wire()
        s.sent = Wire()
        s.doubled = Wire(wide)
        s.difference = Wire(wide)
        s.value //= s.power
        s.mul.req.msg.a //= s.power
        s.mul.req.msg.b //= s.power
        s.mul.req.msg.m //= s.mod

        @update
        def double():
            s.doubled @= zext(s.power, wide) << 1
            s.difference @= s.doubled - (zext(s.mod, wide) << guard_bits)

        @update
        def outputs():
            s.done @= s.active & (s.doublings == 0) & (s.rounds == 0)
            s.mul.req.val @= s.active & (s.doublings == 0) & (s.rounds != 0) & ~s.sent
            s.mul.resp.rdy @= s.sent

        @update_ff
        def control():
            if s.reset:
                s.active <<= 0
                s.sent <<= 0
            elif s.start:
                s.active <<= 1
                s.sent <<= 0
                s.rounds <<= Rounds(squarings)
                s.pattern <<= pattern
                if s.from_top:
                    s.doublings <<= Count(few_doublings)
                else:
                    s.doublings <<= Count(all_doublings)
            elif s.doublings != 0:
                s.doublings <<= s.doublings - 1
            elif s.sent & s.mul.resp.val:
                s.sent <<= 0
                s.rounds <<= s.rounds - 1
                s.pattern <<= s.pattern << 1
                s.doublings <<= zext(s.pattern[pattern_bits - 1], count_bits)
            elif s.mul.req.val & s.mul.req.rdy:
                s.sent <<= 1
            elif s.finish:
                s.active <<= 0

        @update_ff
        def datapath():
            if s.start:
                if s.from_top:
                    s.power <<= top_power
                else:
                    s.power <<= 1  # m = 1 too: what products make of it is 0
            elif s.doublings != 0:
                if s.difference[width]:
                    s.power <<= s.doubled[0:width]
                else:
                    s.power <<= s.difference[0:width]
            elif s.sent & s.mul.resp.val:
                s.power <<= s.mul.resp.msg.r

        s.from_top = Wire()
        if constant:
            s.from_top //= 0
        else:
            s.from_top //= s.mod[nbits - 1]
