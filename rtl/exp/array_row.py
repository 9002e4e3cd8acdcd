"""The row of elements that exponentiates by itself: what stands before its first element."""

from functools import partial

from pymtl3 import Component, InPort, OutPort, Wire, clog2, update, update_ff, zext

from fl.array import RowShape
from rtl.exp.array_word import PowerWord
from rtl.leaf.register import Register
from rtl.leaf.relay import Relay
from rtl.mul.array_element import mk_take
from rtl.mul.array_word import RowSizes, make_row

RELAYED = 8  # elements that one register resets


class PowerRow(Component):
    """Takes an order per cycle, which every element follows in its turn.

    digit: the first digit of a product, or digits that elements of two stages need more of; or,
    with `go`, source says whose digits they are; or `low`, the lowest ones of the value that was
    resolved before the last one. All orders stand
    in registers of the first element in the cycle after they come. None may come in the cycle after
    a reset, in which the elements are reset.
    """

    def construct(s, shape: RowShape, entries: int, base: int | None):
        w, nbits = shape.digit_bits, shape.nbits
        sizes = RowSizes(w, shape.word_bits, shape.value_bits, stages=shape.stages)
        low_bits = shape.low_bits
        row_bits = sizes.row_bits
        Take = mk_take(max(1, clog2(entries)))
        s.load = InPort()
        s.m = InPort(nbits)  # from the cycle after `load` on
        s.base_in = InPort(nbits)
        s.take = InPort(Take)
        s.digit = InPort(low_bits)
        s.low = InPort()
        s.go = InPort()
        s.source = InPort(clog2(1 + entries))
        s.plus_one = InPort()
        s.plus_mod = InPort()
        s.fed = OutPort(w)  # the digit that the first element adds
        s.fits = OutPort()
        s.x = OutPort(nbits)
        s.whole_m = Wire(row_bits)
        s.whole_base = Wire(row_bits)
        s.kept_x = Wire(row_bits)
        s.kept_low = Register(low_bits)
        s.low_now = Wire(low_bits)  # digits of the value that is resolved
        s.resolving = Wire()  # the first element resolves the word that x becomes
        s.x //= s.kept_x[0:nbits]

        doubles = low_bits == 1
        make_word = partial(PowerWord, Take=Take, entries=entries, base=base, doubles=doubles)
        row = make_row(s, sizes, Take, entries, make_word)
        right = None
        for j, (element, feed, word) in reversed(list(enumerate(row))):
            if not right or j % RELAYED == RELAYED - 1:
                relay = Relay()
                setattr(s, f"relay_{j}", relay)
                relay.in_ //= s.reset
                if base is not None:
                    load_relay = Relay()
                    setattr(s, f"load_relay_{j}", load_relay)
                    load_relay.in_ //= s.load
            element.clear //= relay.out
            feed.clear //= relay.out
            low, high = sizes.bounds(j)
            if base is not None:
                word.load //= load_relay.out
            word.m //= s.whole_m[low:high]
            word.base_in //= s.whole_base[low:high]
            element.m //= word.mod
            s.kept_x[low:high] //= word.x
            if right:
                word.fits_in //= right.fits
            if right and doubles:
                right.from_left //= word.to_right
            right = word
        first, feed, word = row[0]
        s.fits //= word.fits
        if doubles:
            word.from_left //= 0
        s.fed //= first.a if shape.stages == 1 else first.fed
        first.take_in //= s.take
        first.plus_one_in //= s.plus_one
        first.plus_mod_in //= s.plus_mod
        feed.go //= s.go
        feed.source_in //= s.source

        @update
        def operands():
            s.whole_m @= zext(s.m, row_bits)
            s.whole_base @= zext(s.base_in, row_bits)

        s.low_now[low_bits - w : low_bits] //= first.low
        s.further = Wire(w)  # a digit after the first one
        if shape.stages == 1:
            s.further //= 0
        else:
            waiting_bits = low_bits - w
            s.low_now[0:waiting_bits] //= first.waiting
            s.waiting = Register(waiting_bits)
            s.further //= s.waiting[0:w]

            @update_ff
            def further_digits():
                s.waiting <<= (s.waiting >> w) | s.digit[w:low_bits]
                if s.low:
                    s.waiting <<= s.kept_low[w:low_bits]

        @update
        def first_digit():
            s.resolving @= s.element_0.take.ends & s.element_0.take.x
            s.element_0.a_in @= s.feed_0.now | s.digit[0:w] | s.further
            if s.low:
                s.element_0.a_in @= s.kept_low[0:w]
            elif s.go & (s.source == 0) & s.resolving:
                s.element_0.a_in @= s.low_now[0:w]

        @update_ff
        def keep_low():
            if s.element_0.take.ends:
                s.kept_low <<= s.low_now

    def line_trace(s) -> str:
        return s.element_0.line_trace()
