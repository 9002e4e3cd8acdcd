"""The place where a row of elements is cut: what stands between two of them."""

from pymtl3 import Component, InPort, OutPort, update, update_ff

from rtl.leaf.register import Register
from rtl.mul.array_element import RESOLVE_CARRY
from rtl.mul.array_word import Part


class Cut(Component):
    """Connects neighbours, or if `split` has the element on the right begin a row of its own.

    That takes its orders and digits a cycle after those of the first element come: its own ones,
    or if `whole` those that the first element takes, of the words of both.
    """

    def construct(s, digit_bits: int, Take: type, source_bits: int):
        w = digit_bits
        s.clear = InPort()  # no order is given
        s.split_in = InPort()
        s.whole_in = InPort()
        s.split = Register()
        s.whole = Register()
        # of the part on the left
        s.a_in = InPort(w)
        s.take_in = InPort(Take)
        s.sum_in = InPort(w + 1)
        s.carry_in = InPort(w + 1)
        s.resolve_in = InPort(RESOLVE_CARRY)
        s.go_in = InPort()
        s.source_in = InPort(source_bits)
        s.late_sum = OutPort(w)
        s.late_carry = OutPort(w)
        s.from_right = OutPort(w)
        # of that on the right
        s.low = InPort(w)
        s.low_sum = InPort(w)
        s.low_carry = InPort(w)
        s.now = InPort(w)
        s.resolving = InPort()
        s.digit_out = InPort(w)
        s.begins = OutPort()
        s.a = OutPort(w)
        s.take = OutPort(Take)
        s.sum = OutPort(w + 1)
        s.carry = OutPort(w + 1)
        s.resolve = OutPort(RESOLVE_CARRY)
        s.go = OutPort()
        s.source = OutPort(source_bits)
        s.plus_one = OutPort()
        # orders, as the first element gets them
        s.first_a = InPort(w)  # what that adds
        s.own_take = InPort(Take)
        s.own_digit = InPort(w)
        s.own_go = InPort()
        s.own_source = InPort(source_bits)
        s.own_plus_one = InPort()
        s.kept_take = Register(Take)
        s.kept_digit = Register(w)
        s.kept_go = Register()
        s.kept_source = Register(source_bits)
        s.kept_plus_one = Register()
        s.begins //= s.split
        s.plus_one //= s.kept_plus_one

        @update
        def to_right():
            s.a @= s.a_in
            s.take @= s.take_in
            s.sum @= s.sum_in
            s.carry @= s.carry_in
            s.resolve @= s.resolve_in
            if s.split:
                s.a @= s.now | s.kept_digit
                if s.whole:
                    s.a @= s.first_a
                elif s.kept_go & (s.kept_source == 0) & s.resolving:
                    s.a @= s.low
                s.take @= s.kept_take
                s.sum @= 0
                s.carry @= 0
                s.resolve @= 0

        @update
        def digits():
            s.go @= s.go_in
            s.source @= s.source_in
            s.from_right @= s.digit_out
            if s.split & ~s.whole:
                s.go @= s.kept_go
                s.source @= s.kept_source
                s.from_right @= 0

        @update
        def to_left():
            s.late_sum @= s.low_sum
            s.late_carry @= s.low_carry
            if s.split:
                s.late_sum @= 0
                s.late_carry @= 0

        @update_ff
        def keep():
            s.split <<= s.split_in
            s.whole <<= s.whole_in
            s.kept_take <<= s.own_take
            s.kept_digit <<= s.own_digit
            s.kept_go <<= s.own_go
            s.kept_source <<= s.own_source
            s.kept_plus_one <<= s.own_plus_one
            if s.clear:
                s.kept_take <<= Take()
                s.kept_go <<= 0

    def connect(s, left_part: Part, right_part: Part) -> None:
        """Stand between two parts of a row."""
        left, left_feed, _ = left_part
        right, feed, _ = right_part
        s.a_in //= left.a
        s.take_in //= left.take
        s.sum_in //= left.sum_out
        s.carry_in //= left.carry_out
        s.resolve_in //= left.resolve_out
        s.go_in //= left_feed.go_out
        s.source_in //= left_feed.source_out
        left.late_sum //= s.late_sum
        left.late_carry //= s.late_carry
        left_feed.from_right //= s.from_right
        s.low //= right.low
        s.low_sum //= right.low_sum
        s.low_carry //= right.low_carry
        s.now //= feed.now
        s.digit_out //= feed.digit
        right.begins //= s.begins
        right.a_in //= s.a
        right.q_in //= left.q
        right.take_in //= s.take
        right.sum_in //= s.sum
        right.carry_in //= s.carry
        right.resolve_in //= s.resolve
        right.plus_one_in //= s.plus_one
        feed.go //= s.go
        feed.source_in //= s.source

    def line_trace(s) -> str:
        """Show | where the row is cut."""
        return "|" if s.split else " "
