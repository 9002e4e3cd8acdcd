"""What a row's control has more of for elements of two stages, whose cycle is short: registers."""

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    concat,
    connect,
    mk_bits,
    update,
    update_ff,
    zext,
)

from fl.array import RowShape
from rtl.leaf.register import Register
from rtl.leaf.significant_bits import SignificantBits
from rtl.mul.array_element import mk_take

ORDERS = ("take", "digit", "low", "go", "source", "plus_one", "plus_mod")


class OrdersLater(Component):
    """Each order as it came in the cycle before; none in the cycle after a reset.

    source stays during an operation; it goes on at once, as feeds want it early.
    """

    def construct(s, shape: RowShape, entries: int):
        low_bits, source_bits = shape.low_bits, clog2(1 + entries)
        Take = mk_take(max(1, clog2(entries)))
        s.take_in = InPort(Take)
        s.digit_in = InPort(low_bits)
        s.low_in = InPort()
        s.go_in = InPort()
        s.source_in = InPort(source_bits)
        s.plus_one_in = InPort()
        s.plus_mod_in = InPort()
        s.take = OutPort(Take)
        s.digit = OutPort(low_bits)
        s.low = OutPort()
        s.go = OutPort()
        s.source = OutPort(source_bits)
        s.plus_one = OutPort()
        s.plus_mod = OutPort()

        s.source //= s.source_in

        @update_ff
        def later():
            s.take <<= s.take_in
            s.digit <<= s.digit_in
            s.low <<= s.low_in
            s.go <<= s.go_in
            s.plus_one <<= s.plus_one_in
            s.plus_mod <<= s.plus_mod_in
            if s.reset:
                s.take <<= Take()
                s.go <<= 0

    def line_trace(s) -> str:
        return "|" if s.take.ends else "." if s.go else " "


def connect_orders(taker: Component, giver: Component, suffix: str = "") -> None:
    """Connect ports of one with those of the other, or those with a suffix."""
    for order in ORDERS:
        connect(getattr(taker, order + suffix), getattr(giver, order))


class LateShiftLength(Component):
    """Finds what ShiftLength does (rtl/exp/array_control.py), with a register behind each part.

    digit: a power of 2 of low_bits, the next turn's, from the fifth cycle after `used` on.
    """

    def construct(s, shape: RowShape):
        w, low_bits, most = shape.digit_bits, shape.low_bits, shape.shift_bits
        count_bits = clog2(shape.value_bits + w + 1)
        Count = mk_bits(count_bits)
        turn_bits = clog2(low_bits)
        Turn = mk_bits(turn_bits)
        one = mk_bits(low_bits)(1)
        s.load = InPort()
        s.scan = InPort()
        s.fed = InPort(w)  # two cycles after `scan`
        s.used = InPort()
        s.digit = OutPort(low_bits)
        s.more = OutPort()
        s.more //= 0
        s.scanned = Register(4)  # so many cycles ago
        s.word = Register(w)
        s.room = Register(Count)  # bits of a value from this digit on
        s.length = Register(count_bits)
        s.any = Register()
        s.found = Wire(count_bits)
        s.left = Register(Count)
        s.few = Register()  # are left
        s.turn = Register(Turn)
        if w > 1:
            s.significant = SignificantBits(w)
            s.significant.word //= s.word

            @update
            def length_of_digit():
                s.found @= zext(s.significant.count, count_bits)

        else:
            s.found //= 1

        @update_ff
        def scan_digits():
            s.scanned <<= concat(s.scanned[0:3], s.scan)
            s.word <<= s.fed
            s.length <<= s.found
            s.any <<= s.word != 0
            if s.load:
                s.room <<= Count(shape.value_bits)
            elif s.scanned[3]:
                s.room <<= s.room - w

        @update_ff
        def count():
            if s.scanned[3] & s.any:
                s.left <<= s.room - s.length
            elif s.used:
                s.left <<= s.left - zext(s.turn, count_bits)

        @update_ff
        def turns():
            s.few <<= s.left < most
            s.turn <<= Turn(most)
            if s.few:
                s.turn <<= s.left[0:turn_bits]
            s.digit <<= one << zext(s.turn, low_bits)

    def line_trace(s) -> str:
        return f"{int(s.left)}"
