"""The element of a row in two stages: one chooses and adds what a step multiplies, one sums up.

    products     = a * x + q * m                                         kept in a few rows of bits
    s + c        = (s + c >> w) + late + products + carry in             a cycle later

Both in carry-save form, and otherwise as rtl/mul/array_element.py: carries and orders move an
element to the right per cycle, and what element j + 1 has to add to element j comes late. Of a and
q moves what they choose: x, m or both.

A quotient digit stands in a register of the first element a cycle after it stood in its sum, and is
used two steps late (fl/array.py). The last two of a product are the lowest digits of its value:
element j resolves what stands above them, so that its high bits belong to the next word, whose
order to take it comes a cycle later.

    cycle 0   the last step's products
    cycle 1   they are added
    cycle 2   take_in.ends: sums and carries of the low bits and of the high ones are added up
    cycle 3   take.ends: carries run through the word, which takes the low bits
    cycle 4   the next word takes the high ones; the first products of the next product
    cycle 5   the sum is 0, and these are added
    cycle 6   the sum is that of the first products; the earliest q of it comes a cycle later

x + m stands two cycles after x and m, which is before that q; and where a first step adds both
(plus_mod), neither is new.
"""

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    connect,
    sext,
    update,
    update_ff,
    zext,
)

from fl.array import delayed_by
from rtl.leaf.add_rows import OUTPUTS, rows_left, span
from rtl.leaf.flattened import Flattened
from rtl.leaf.register import Register
from rtl.mul.array_element import RESOLVE_CARRY, Rows, element_value_bits

DELAY = delayed_by(stages=2)
KEPT_ROWS = {8: 3, 16: 4}  # between the stages, by the bits of a digit; at most two otherwise
CHOICES = ("only_x", "only_m", "takes_both")
FROM_LEFT = {
    **{f"{choice}_in": choice for choice in CHOICES},
    **{"take_in": "take", "sum_in": "sum_out", "carry_in": "carry_out"},
    "resolve_in": "resolve_out",
}


class Selected(Flattened):
    """out = x, m, both or 0, by the choice that is 1."""

    def construct(s, nbits: int):
        wide = nbits + 1
        s.x = InPort(nbits)
        s.m = InPort(nbits)
        s.both = InPort(wide)
        s.only_x = InPort()
        s.only_m = InPort()
        s.takes_both = InPort()
        s.out = OutPort(wide)

        @update
        def choose():
            s.out @= (
                zext(s.x & sext(s.only_x, nbits), wide)
                | zext(s.m & sext(s.only_m, nbits), wide)
                | (s.both & sext(s.takes_both, wide))
            )


class TwoStageElement(Component):
    """Takes the steps of one word of so many bits; first: it finds q; last: no carry leaves it."""

    def construct(s, digit_bits: int, word_bits: int, first: bool, last: bool, Take: type):
        w, k = digit_bits, word_bits
        wide = k + w + 1  # of a step's sum
        carry_bits = w + 1
        both_bits = k + 1
        high_bits = w * DELAY
        low_bits = k - high_bits
        sum_bits = element_value_bits(w, k, last)
        out_bits = low_bits + last  # above its word a value of the last one has a bit
        s.clear = InPort()  # no order stands
        s.take_in = InPort(Take)
        s.x = InPort(k)
        s.m = InPort(k)
        s.only_x = OutPort(w)
        s.only_m = OutPort(w)
        s.takes_both = OutPort(w)
        s.take = OutPort(Take)
        s.value = OutPort(out_bits)
        s.sums = Register(sum_bits)
        s.carries = Register(sum_bits)
        s.both = Wire(both_bits)
        s.next_sums = Wire(sum_bits)
        s.next_carries = Wire(sum_bits)
        s.clears = Register()  # the word is resolved, or was in the cycle before
        products, rows = Rows(s, wide, "product"), Rows(s, wide)
        for i in range(w):
            selected = Selected(k)
            setattr(s, f"selected_{i}", selected)
            for name in ("x", "m", "both"):
                connect(getattr(selected, name), getattr(s, name))
            for name in CHOICES:
                connect(getattr(selected, name), getattr(s, name)[i])
            products.place(selected.out, k + 1, i)

        if first:
            s.a_in = InPort(w)
            s.plus_one_in = InPort()
            s.plus_mod_in = InPort()
            s.fed = OutPort(w)  # the digit a
            s.low = OutPort(w)  # the lowest digit, resolved
            s.waiting = OutPort(high_bits)  # quotient digits, which stand below it
            s.plus_one = Register()
            s.digit = Wire(carry_bits)
            s.next_q = Wire(w)
            s.q = Wire(w)
            s.q_before = Register(w)
            s.q_earlier = Register(w)
            s.low //= s.digit[0:w]
            s.waiting[0:w] //= s.q_earlier
            s.waiting[w:high_bits] //= s.q_before
            products.place(s.plus_one, 1, 0)

            @update
            def lowest_digit():
                s.digit @= zext(s.sums[0:w], carry_bits) + zext(s.carries[0:w], carry_bits)

            @update
            def quotient_digit():
                s.next_q @= s.digit[0:w] | zext(s.plus_mod_in, w)
                if s.take.ends:
                    s.next_q @= zext(s.plus_mod_in, w)
                s.q @= s.only_m | s.takes_both
                s.fed @= s.only_x | s.takes_both

            @update_ff
            def decode():
                s.only_x <<= s.a_in & ~s.next_q
                s.only_m <<= s.next_q & ~s.a_in
                s.takes_both <<= s.a_in & s.next_q

            @update_ff
            def follow():
                s.plus_one <<= s.plus_one_in
                s.q_before <<= s.q
                s.q_earlier <<= s.q_before

        else:
            s.only_x_in = InPort(w)
            s.only_m_in = InPort(w)
            s.takes_both_in = InPort(w)
            s.sum_in = InPort(carry_bits)
            s.carry_in = InPort(carry_bits)
            s.resolve_in = InPort(RESOLVE_CARRY)
            s.low_sum = OutPort(w)
            s.low_carry = OutPort(w)
            s.low_sum //= s.sums[0:w]
            s.low_carry //= s.carries[0:w]

            @update_ff
            def pass_choices():
                s.only_x <<= s.only_x_in
                s.only_m <<= s.only_m_in
                s.takes_both <<= s.takes_both_in

        left = min(len(products.rows), KEPT_ROWS.get(w, 2))
        kept_bits = left * wide
        s.made = Wire(kept_bits)
        s.kept = Register(kept_bits)
        made = products.add("compress", left)
        for i, columns in enumerate(rows_left(tuple(products.rows), left)):
            connect(s.made[i * wide : (i + 1) * wide], getattr(made, OUTPUTS[i]))
            low, high = span(columns)
            rows.place(s.kept[i * wide + low : i * wide + high], high - low, low)
        rows.place(s.sums[w:sum_bits], sum_bits - w, 0)
        rows.place(s.carries[w:sum_bits], sum_bits - w, 0)
        s.left_over = Wire(RESOLVE_CARRY)
        if first:
            rows.place(s.digit[w], 1, 0, 2)
            s.left_over //= 0
        else:
            rows.place(s.sum_in, carry_bits, 0)
            rows.place(s.carry_in, carry_bits, 0)
            s.left_over //= s.resolve_in

        added_bits = out_bits if last else low_bits
        raw_bits = out_bits if last else low_bits + 1
        s.raw = Wire(raw_bits)  # the low bits without the carry from the left
        low_value_bits = out_bits if last else low_bits + RESOLVE_CARRY
        s.low_value = Wire(low_value_bits)
        s.value //= s.low_value[0:out_bits]

        @update
        def add_low():
            s.raw @= zext(s.sums[0:added_bits], raw_bits) + zext(s.carries[0:added_bits], raw_bits)

        @update
        def resolve_low():
            s.low_value @= zext(s.sums[0:added_bits], low_value_bits) + zext(
                s.left_over, low_value_bits
            )

        if last:
            s.next_sums[0:out_bits] //= s.raw
            s.next_sums[out_bits:sum_bits] //= 0
            s.next_carries //= 0

        else:
            top = high_bits - w
            upper_bits = high_bits + RESOLVE_CARRY
            s.late_sum = InPort(w)
            s.late_carry = InPort(w)
            s.sum_out = OutPort(carry_bits)
            s.carry_out = OutPort(carry_bits)
            s.resolve_out = OutPort(RESOLVE_CARRY)
            s.high = OutPort(high_bits)
            s.upper = Wire(upper_bits)  # the high bits without the carry from the low ones
            s.above = Register(RESOLVE_CARRY)  # what passes them
            s.middle = Wire(RESOLVE_CARRY)  # the carry from the low ones
            s.high_value = Wire(upper_bits)
            s.next_sums[0:low_bits] //= s.raw[0:low_bits]
            s.next_sums[low_bits:k] //= s.upper[0:high_bits]
            s.next_carries[0:low_bits] //= 0
            s.next_carries[low_bits] //= s.raw[low_bits]
            s.next_carries[low_bits + 1 : k] //= 0
            rows.place(s.late_sum, w, k - 2 * w)
            rows.place(s.late_carry, w, k - 2 * w)

            @update
            def add_high():
                s.upper @= (
                    zext(s.sums[low_bits:k], upper_bits)
                    + zext(s.carries[low_bits:k], upper_bits)
                    + (zext(s.late_sum, upper_bits) << top)
                    + (zext(s.late_carry, upper_bits) << top)
                )

            @update
            def resolve_high():
                s.middle @= s.low_value[low_bits:low_value_bits] + zext(
                    s.carries[low_bits], RESOLVE_CARRY
                )
                s.high_value @= concat(s.above, s.sums[low_bits:k]) + zext(s.middle, upper_bits)

            @update_ff
            def keep_high():
                s.above <<= s.upper[high_bits:upper_bits]
                s.high <<= s.high_value[0:high_bits]
                s.resolve_out <<= s.high_value[high_bits:upper_bits]

            @update_ff
            def pass_carry():
                s.sum_out <<= s.add.sum[k:wide]
                s.carry_out <<= s.add.carry[k:wide]

        rows.add()

        @update_ff
        def keep_products():
            s.kept <<= s.made

        @update_ff
        def step():
            if s.take_in.ends:
                s.sums <<= s.next_sums
                s.carries <<= s.next_carries
            elif s.clears:
                s.sums <<= 0
                s.carries <<= 0
            else:
                s.sums <<= s.add.sum[0:sum_bits]
                s.carries <<= s.add.carry[0:sum_bits]

        half = (k + 1) // 2
        half_bits = half + 1
        s.half_sum = Wire(half_bits)
        s.both_low = Register(half)
        s.both_carry = Register()
        if half < k:
            rest = both_bits - half
            s.both_high = Register(rest)
            s.both[half:both_bits] //= s.both_high

            @update_ff
            def keep_both_high():
                s.both_high <<= (
                    zext(s.x[half:k], rest) + zext(s.m[half:k], rest) + zext(s.both_carry, rest)
                )

        else:
            s.both[half:both_bits] //= s.both_carry
        s.both[0:half] //= s.both_low

        @update
        def add_low_half():
            s.half_sum @= zext(s.x[0:half], half_bits) + zext(s.m[0:half], half_bits)

        @update_ff
        def keep_both():
            s.both_low <<= s.half_sum[0:half]
            s.both_carry <<= s.half_sum[half]

        @update_ff
        def pass_on():
            s.take <<= s.take_in
            s.clears <<= s.take_in.ends | s.take.ends
            if s.clear:
                s.take <<= Take()

    def line_trace(s) -> str:
        """Show | as the word is resolved, the digit that is added, or a point for 0."""
        digit = s.only_x | s.takes_both
        return "|" if s.take.ends else f"{digit}" if digit else "."
