"""A row whose ladder has shares of the exponent (fl/array_masked.py).

Orders that depend on a share pass the elements in a bit for either one. Each is 0 but in the cycle
of its share: as a result is taken, or as x takes an entry.
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
from fl.xcel import WORD_BITS
from rtl.exp.array_order import LEAVE, SQUARE
from rtl.exp.array_row import RELAYED
from rtl.exp.exponent_shares import ExponentShares
from rtl.leaf.register import Register
from rtl.leaf.relay import Relay
from rtl.mul.array_element import mk_take
from rtl.mul.array_word import RowSizes, RowWord, make_row

ORDERS = ("ends", "x", "of_m", "inverted", "to_mod", "to_table")
ShareTake = mk_bitstruct(
    "RowShareTake", dict.fromkeys((*ORDERS, "entry", "loads", "loads_entry"), Bits1)
)


class ShareWord(RowWord):
    """Takes what the order says as its element resolves a word; x takes an entry of the table.

    m, base_in: words of operands, which somebody holds. fits: as rtl/exp/array_word.py has it.
    """

    def construct(s, word_bits: int, value_bits: int, digits_bits: int, Take: type):
        super().construct(word_bits, value_bits, digits_bits, Take, others=2)
        s.m = InPort(word_bits)
        s.base_in = InPort(word_bits)
        s.mod = OutPort(word_bits)
        s.fits = OutPort()
        s.entry_0 = Register(word_bits)
        s.entry_1 = Register(word_bits)
        s.others[0] //= s.entry_0
        s.others[1] //= s.entry_1

        @update_ff
        def operand():
            if s.take.loads:
                s.x <<= s.entry_0
                if s.take.loads_entry:
                    s.x <<= s.entry_1
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
        def take_result():
            if s.take.ends & s.take.to_table:
                if s.take.entry:
                    s.entry_1 <<= s.value[0:word_bits]
                else:
                    s.entry_0 <<= s.value[0:word_bits]

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


class ShareRow(Component):
    """Takes an order per cycle, as rtl/exp/array_row.py; loads comes with `take`.

    entry: which one takes a result. loads_entry: which one x takes.
    """

    def construct(s, shape: RowShape):
        w, nbits = shape.digit_bits, shape.nbits
        sizes = RowSizes(w, shape.word_bits, shape.value_bits)
        row_bits = sizes.row_bits
        s.m = InPort(nbits)
        s.base_in = InPort(nbits)
        s.take = InPort(mk_take(1))
        s.entry = InPort()
        s.loads = InPort()
        s.loads_entry = InPort()
        s.digit = InPort(w)
        s.low = InPort()
        s.go = InPort()
        s.source = InPort(2)
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

        row = make_row(s, sizes, ShareTake, 2, partial(ShareWord, Take=ShareTake))
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
        first.take_in.entry //= s.entry
        first.take_in.loads //= s.loads
        first.take_in.loads_entry //= s.loads_entry
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
    """Counts the rounds of the ladder, and says by the exponent's shares which entry is meant.

    public_bits: an exponent of at most so many takes as many rounds; 0 if all take the same.

    The ports are those of rtl/exp/array_order.py, and those of the shares. Share 0 says which one
    takes a result, `here`, and which the next result, `there`; then it gives its next bit. Share 1
    says which one x takes as it `loads`, and gives its next bit; `entry` is the other one then.
    """

    def construct(s, nbits: int, public_bits: int):
        Count = mk_bits(clog2(nbits + 1))
        s.load = InPort()
        s.advance = InPort()
        s.next = OutPort(2)
        s.entry = OutPort()
        s.push = InPort()
        s.word = InPort(WORD_BITS)
        s.random = InPort(WORD_BITS)
        s.here = InPort()
        s.there = InPort()
        s.loads = InPort()
        s.takes_entry = OutPort()
        s.loads_entry = OutPort()
        s.rounds_left = Register(Count)
        s.none_left = Wire()
        s.other = Register()
        s.shares = ExponentShares(nbits, public_bits)
        s.shares.push //= s.push
        s.shares.word //= s.word
        s.shares.random //= s.random
        s.shares.next_0 //= s.there
        s.shares.next_1 //= s.loads
        s.entry //= s.other

        if public_bits:

            @update
            def see_end_by_length():
                s.none_left @= s.rounds_left == 0
                if s.shares.short:
                    s.none_left @= s.rounds_left == Count(nbits - public_bits)

        else:

            @update
            def see_end():
                s.none_left @= s.rounds_left == 0

        @update
        def follow():
            s.next @= SQUARE
            if s.none_left:
                s.next @= LEAVE

        @update
        def by_share_0():
            s.takes_entry @= (s.here & s.shares.delta_0) | (s.there & ~s.shares.delta_0)

        @update
        def by_share_1():
            s.loads_entry @= s.loads & ~s.shares.delta_1

        @update_ff
        def keep_other():
            if s.reset:
                s.other <<= 0
            elif s.loads:
                s.other <<= s.shares.delta_1

        @update_ff
        def rounds():
            if s.load:
                s.rounds_left <<= Count(nbits)
            elif s.advance:
                s.rounds_left <<= s.rounds_left - 1

    def line_trace(s) -> str:
        return s.shares.line_trace()
