"""R^2 mod m by doublings, and squarings of the multiplier that is there anyway.

With q squarings of latency L, by the formula of tests/golden/r_squared.py:

    cycle 0        start: power = 2^j, j = nbits - 1 where m has that bit (and not constant), else 0
    cycles 1 to d  a doubling each, up to R * 2^(r >> q): d = r + (r >> q) - j
    q times        a squaring is asked for in a cycle, answered L cycles later, and stands in the
                   one after that; where the next bit of r is 1, a doubling takes that cycle
    then           done: power = R^2 mod m

So R^2 stands 1 + d + q*(L + 1) + (ones of r's q low bits) cycles after `start`. The ports are
those of rtl/exp/r_squared.py and the multiplier's, `mul`.
"""

from pymtl3 import Wire, clog2, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from fl.messages import mk_mul_msgs
from rtl.exp.r_squared import RSquaredPorts
from rtl.leaf.register import Register
from rtl.leaf.subtract_if_fits import SubtractIfFits


class RSquaredDoubling(RSquaredPorts):
    """value = 2^(2r) mod m by doublings and Montgomery squarings.

    constant: from 2^0 for every m; else from m's top bit where that is bit nbits - 1, as in RSA.
    Without a final subtraction (guard_bits = 1) values stand below 2m, not m.
    """

    def construct(s, nbits: int, guard_bits: int, radix: int, squarings: int, constant: bool):
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
        super().construct(nbits, guard_bits)
        s.squarings = squarings
        s.power = Register(width)
        s.doublings = Register(Count)
        s.rounds = Register(Rounds)  # squarings to come
        s.pattern = Register(Pattern)  # bits of r: whether a doubling follows each squaring
        s.active = Register()
        s.sent = Register()
        s.asks = Wire()
        s.granted = Wire()
        s.answered = Wire()
        s.square = Wire(width)
        s.subtract = SubtractIfFits(width)
        s.value //= s.power
        if squarings:
            s.mul = MasterIfcRTL(*mk_mul_msgs(nbits, guard_bits))
            s.mul.req.val //= s.asks
            s.mul.req.rdy //= s.granted
            s.mul.req.msg.a //= s.power
            s.mul.req.msg.b //= s.power
            s.mul.req.msg.m //= s.mod
            s.mul.resp.val //= s.answered
            s.mul.resp.rdy //= s.sent
            s.mul.resp.msg.r //= s.square
        else:
            s.granted //= 0
            s.answered //= 0
            s.square //= 0

        @update
        def double():
            s.subtract.value @= zext(s.power, wide) << 1
            s.subtract.m @= zext(s.mod, width) << guard_bits

        @update
        def outputs():
            s.done @= s.active & (s.doublings == 0) & (s.rounds == 0)
            s.asks @= s.active & (s.doublings == 0) & (s.rounds != 0) & ~s.sent

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
            elif s.sent & s.answered:
                s.sent <<= 0
                s.rounds <<= s.rounds - 1
                s.pattern <<= s.pattern << 1
                s.doublings <<= zext(s.pattern[pattern_bits - 1], count_bits)
            elif s.asks & s.granted:
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
                s.power <<= s.subtract.result
            elif s.sent & s.answered:
                s.power <<= s.square

        s.from_top = Wire()
        if constant:
            s.from_top //= 0
        else:
            s.from_top //= s.mod[nbits - 1]

    def products(s) -> list[MasterIfcRTL]:
        """Return the port that asks for squarings, if there are any."""
        return [s.mul] if s.squarings else []

    def line_trace(s) -> str:
        """Show squarings left; d doubles, p a squaring is under way."""
        return f"{int(s.rounds)}{'p' if s.sent else 'd' if s.doublings else ' '}"
