"""A row whose ladder has shares of the exponent (fl/array_masked.py).

The order that x and its partner change places passes the elements in a bit for either share. Each
is 0 but in the cycle of its share, and no cycle is of both.
"""

from functools import partial

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    connect,
    mk_bits,
    mk_bitstruct,
    update,
    update_ff,
    zext,
)

from fl.array import RowShape
from fl.array_masked import BYTE
from rtl.exp.array_order import LEAVE, SQUARE
from rtl.exp.array_row import RELAYED
from rtl.exp.exponent_shares import ExponentShares
from rtl.leaf.register import Register
from rtl.leaf.relay import Relay
from rtl.mul.array_element import mk_take
from rtl.mul.array_word import RowSizes, RowWord, make_row

ORDERS = ("ends", "x", "of_m", "inverted", "to_mod", "to_table", "entry")
SwapTake = mk_bitstruct("RowSwapTake", dict.fromkeys((*ORDERS, "swap_0", "swap_1"), Bits1))


class SwapWord(RowWord):
    """Takes what the order says as its element resolves a word; x and its partner change places.

    m, base_in: words of operands, which somebody holds. fits: as rtl/exp/array_word.py has it.
    """

    def construct(s, word_bits: int, value_bits: int, digits_bits: int, Take: type):
        super().construct(word_bits, value_bits, digits_bits, Take, others=1)
        s.m = InPort(word_bits)
        s.base_in = InPort(word_bits)
        s.mod = OutPort(word_bits)
        s.fits = OutPort()
        s.partner = Register(word_bits)
        s.others[0] //= s.partner
        s.swaps = Wire()

        @update
        def either_share():
            s.swaps @= s.take.swap_0 | s.take.swap_1

        @update_ff
        def operand():
            if s.swaps:
                s.x <<= s.partner
            elif s.take.ends & s.take.x:
                if s.take.of_m & s.take.inverted:
                    s.x <<= ~s.m
                elif s.take.of_m:
                    s.x <<= s.m
                else:
                    s.x <<= s.value[0:word_bits]
            elif s.take.ends & s.take.of_m:
                s.x <<= s.base_in

        @update_ff
        def other():
            if s.swaps:
                s.partner <<= s.x
            elif s.take.ends & s.take.to_table:
                s.partner <<= s.value[0:word_bits]

        @update_ff
        def moduli():
            if s.take.ends & s.take.to_mod:
                s.mod <<= s.value[0:word_bits]

        if value_bits > word_bits:

            @update_ff
            def see_whether_it_fits():
                if s.take.ends & s.take.x:
                    s.fits <<= s.value[word_bits]

        else:
            s.fits_in = InPort()

            @update_ff
            def pass_whether_it_fits():
                s.fits <<= s.fits_in


class SwapRow(Component):
    """Takes an order per cycle, as rtl/exp/array_row.py; swap_0 and swap_1 come with `take`."""

    def construct(s, shape: RowShape):
        w, nbits = shape.digit_bits, shape.nbits
        sizes = RowSizes(w, shape.word_bits, shape.value_bits)
        row_bits = sizes.row_bits
        s.m = InPort(nbits)
        s.base_in = InPort(nbits)
        s.take = InPort(mk_take(1))
        s.swap_0 = InPort()
        s.swap_1 = InPort()
        s.digit = InPort(w)
        s.low = InPort()
        s.go = InPort()
        s.source = InPort()
        s.plus_one = InPort()
        s.plus_mod = InPort()
        s.fed = OutPort(w)  # the digit that the first element adds
        s.fits = OutPort()
        s.x = OutPort(nbits)
        s.whole_m = Wire(row_bits)
        s.whole_base = Wire(row_bits)
        s.kept_x = Wire(row_bits)
        s.kept_low = Register(w)
        s.resolving = Wire()  # the first element resolves the word that x becomes
        s.x //= s.kept_x[0:nbits]

        row = make_row(s, sizes, SwapTake, 1, partial(SwapWord, Take=SwapTake))
        right = None
        for j, (element, feed, word) in reversed(list(enumerate(row))):
            if not right or j % RELAYED == RELAYED - 1:
                relay = Relay()
                setattr(s, f"relay_{j}", relay)
                relay.in_ //= s.reset
            element.clear //= relay.out
            feed.clear //= relay.out
            low, high = sizes.bounds(j)
            word.m //= s.whole_m[low:high]
            word.base_in //= s.whole_base[low:high]
            element.m //= word.mod
            s.kept_x[low:high] //= word.x
            if right:
                word.fits_in //= right.fits
            right = word
        first, feed, word = row[0]
        s.fits //= word.fits
        s.fed //= first.a
        for name in ORDERS:
            connect(getattr(first.take_in, name), getattr(s.take, name))
        first.take_in.swap_0 //= s.swap_0
        first.take_in.swap_1 //= s.swap_1
        first.plus_one_in //= s.plus_one
        first.plus_mod_in //= s.plus_mod
        feed.go //= s.go
        feed.source_in //= s.source

        @update
        def operands():
            s.whole_m @= zext(s.m, row_bits)
            s.whole_base @= zext(s.base_in, row_bits)

        @update
        def first_digit():
            s.resolving @= s.element_0.take.ends & s.element_0.take.x
            s.element_0.a_in @= s.feed_0.now | s.digit
            if s.low:
                s.element_0.a_in @= s.kept_low
            elif s.go & (s.source == 0) & s.resolving:
                s.element_0.a_in @= s.element_0.low

        @update_ff
        def keep_low():
            if s.element_0.take.ends:
                s.kept_low <<= s.element_0.low

    def line_trace(s) -> str:
        return s.element_0.line_trace()


class LadderOrder(Component):
    """Counts the rounds of the ladder, and says of the exponent's shares whether they swap.

    The ports are those of rtl/exp/array_order.py, and those of the shares. A swap by a share comes
    in a cycle of its own; the share then gives its next bit.
    """

    def construct(s, nbits: int):
        Count = mk_bits(clog2(nbits + 1))
        s.load = InPort()
        s.held = InPort(nbits)
        s.advance = InPort()
        s.next = OutPort(2)
        s.split = InPort()
        s.random = InPort(BYTE)
        s.swap_0 = InPort()
        s.swap_1 = InPort()
        s.swaps_0 = OutPort()
        s.swaps_1 = OutPort()
        s.rounds_left = Register(Count)
        s.shares = ExponentShares(nbits)
        s.shares.split //= s.split
        s.shares.exp //= s.held
        s.shares.random //= s.random
        s.shares.next_0 //= s.swap_0
        s.shares.next_1 //= s.swap_1

        @update
        def follow():
            s.next @= SQUARE
            if s.rounds_left == 0:
                s.next @= LEAVE

        @update
        def decide_0():
            s.swaps_0 @= s.swap_0 & s.shares.delta_0

        @update
        def decide_1():
            s.swaps_1 @= s.swap_1 & s.shares.delta_1

        @update_ff
        def rounds():
            if s.load:
                s.rounds_left <<= Count(nbits)
            elif s.advance:
                s.rounds_left <<= s.rounds_left - 1

    def line_trace(s) -> str:
        return s.shares.line_trace()
