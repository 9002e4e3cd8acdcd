"""An exponent as two shares, each random: their sum mod 2, bit by bit, is the exponent.

    cycle 0             split: both registers are filled with the same random bytes
    cycles 1 to c       a byte each
    cycle c+1           a fresh bit is kept
    cycle c+2           share 1 moves up by a bit, and the fresh one enters
    cycle c+3           share 0 does so, too, and the exponent is added to it
    from cycle c+4 on   delta: whether the top bit and the one before it differ, of either share

A share moves with `next`, never both in one cycle. The same fresh bit enters both at the bottom,
so that shares of 0 follow on the last bit, and stand before the first one of the next request. It
is added to both at the top, so that each bit has a new mask when it is used. Nothing in a share's
registers and delta comes from the other share. Share 0 moves as the exponent is added: if it
stayed, its toggles would count the exponent's bits. It does so last, as the fresh bit is then bit 0
of share 1, and is replaced.
"""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, concat, mk_bits, update, update_ff

from fl.array_masked import BYTE
from rtl.leaf.register import Register


class Share(Component):
    """Holds one share; adds: the one of the two that the exponent is added to as it splits."""

    def construct(s, nbits: int, adds: bool):
        s.fill = InPort()
        s.random = InPort(BYTE)
        s.splits = InPort()  # moves up, and what is to be added is
        s.next = InPort()  # moves up
        s.fresh = InPort()
        s.delta = OutPort()
        s.share = Register(nbits)
        s.served = Register()
        s.moved = Wire(nbits)
        s.entered = Wire(nbits)

        @update
        def see():
            s.delta @= s.share[nbits - 1] ^ s.served

        @update
        def move():
            s.moved @= concat(s.share[nbits - 2] ^ s.fresh, s.share[0 : nbits - 2], s.fresh)

        if adds:
            s.exp = InPort(nbits)

            @update
            def add_exponent():
                s.entered @= s.moved ^ s.exp

        else:
            s.entered //= s.moved

        s.with_byte = Wire(nbits)
        if nbits > BYTE:

            @update
            def fill_byte():
                s.with_byte @= concat(s.share[0 : nbits - BYTE], s.random)

        else:
            s.with_byte //= s.random

        @update_ff
        def hold():
            if s.reset:
                s.share <<= 0
            elif s.fill:
                s.share <<= s.with_byte
            elif s.splits:
                s.share <<= s.entered
            elif s.next:
                s.share <<= s.moved

        @update_ff
        def hold_bit():
            if s.reset:
                s.served <<= 0
            elif s.next:
                s.served <<= s.share[nbits - 1]

    def line_trace(s) -> str:
        return f"{s.share}"


class PublicExponent(Component):
    """Moves an exponent of at most so many bits to the top, where the ladder begins; leaves others.

    Nothing is left below it: shares of 0 follow on its last bit.
    """

    def construct(s, nbits: int, public_bits: int):
        Below = mk_bits(nbits - public_bits)
        s.exp = InPort(nbits)
        s.is_short = OutPort()
        s.from_top = OutPort(nbits)
        s.low = Wire(public_bits)
        s.top = Wire(public_bits)

        @update
        def judge():
            s.is_short @= s.exp[public_bits:nbits] == 0

        @update
        def part():
            s.low @= s.exp[0:public_bits]
            s.top @= 0
            if s.is_short:
                s.low @= 0
                s.top @= s.exp[0:public_bits]

        @update
        def move():
            s.from_top @= concat(s.exp[public_bits:nbits], s.low) | concat(s.top, Below(0))


class ExponentShares(Component):
    """Splits `exp` into shares by random bytes, one of which comes in each cycle."""

    def construct(s, nbits: int):
        count = -(-nbits // BYTE)
        Count = mk_bits(clog2(count + 1))
        s.split = InPort()
        s.exp = InPort(nbits)
        s.random = InPort(BYTE)
        s.next_0 = InPort()
        s.next_1 = InPort()
        s.delta_0 = OutPort()
        s.delta_1 = OutPort()
        s.left = Register(Count)  # bytes to come
        s.fresh = Register()
        s.filled = Register()  # the last byte came in the cycle before
        s.split_0 = Register()
        s.split_1 = Register()
        s.share_0 = Share(nbits, True)
        s.share_1 = Share(nbits, False)
        s.share_0.exp //= s.exp
        s.delta_0 //= s.share_0.delta
        s.delta_1 //= s.share_1.delta
        s.share_0.splits //= s.split_0
        s.share_1.splits //= s.split_1
        s.share_0.next //= s.next_0
        s.share_1.next //= s.next_1
        s.share_0.random //= s.random
        s.share_1.random //= s.random
        s.share_0.fresh //= s.fresh
        s.share_1.fresh //= s.fresh

        @update
        def fill():
            s.share_0.fill @= s.left != 0
            s.share_1.fill @= s.left != 0

        @update_ff
        def count_bytes():
            if s.reset:
                s.left <<= 0
            elif s.split:
                s.left <<= Count(count)
            elif s.left != 0:
                s.left <<= s.left - 1

        @update_ff
        def follow_bytes():
            s.filled <<= s.left == 1
            s.split_1 <<= s.filled
            s.split_0 <<= s.split_1
            if s.reset:
                s.filled <<= 0
                s.split_0 <<= 0
                s.split_1 <<= 0

        @update_ff
        def take_fresh_bit():
            if s.reset:
                s.fresh <<= 0
            elif s.filled | s.split_0 | s.next_1:
                s.fresh <<= s.random[0]

    def line_trace(s) -> str:
        return f"{s.share_0.line_trace()} {s.share_1.line_trace()}"
