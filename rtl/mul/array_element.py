"""The element of a row that takes a step per cycle: a word of the operand, of M' and of the sum.

    s + c = (s + c >> w) + late + q * m + a * x + carry in,   what is above the word to the right

The sum is two rows of bits that nobody adds up before the last step. A bit of a and the same one of
q choose one row for both: nothing, x, m, or x + m, which stands in a register a cycle after x and
m. So where one of these is new, a or q is 0: q is so in the first step of a product.

Element j is j cycles behind the first one; a, q, carries and orders come from the left, each
through a register. The lowest digit of the neighbour on the right, which belongs to this element's
top after a step, comes when the next step is taken, and is added a digit further down.

In the cycle after the last step, `take.ends`, the word is resolved: value = s + c + late, with the
carry out of the word on the left; and the sum becomes 0.
"""

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    connect,
    mk_bits,
    mk_bitstruct,
    sext,
    update,
    update_ff,
    zext,
)

from rtl.leaf.add_rows import AddRows, Row, both, row, runs
from rtl.leaf.flattened import Flattened
from rtl.leaf.register import Register

FROM_LEFT = {
    **{"a_in": "a", "q_in": "q", "take_in": "take", "sum_in": "sum_out"},
    **{"carry_in": "carry_out", "resolve_in": "resolve_out"},
}
RESOLVE_CARRY = 2  # bits of the carry from word to word as they resolve: four rows are added


def mk_take(entry_bits: int) -> type:
    """Make the order that passes the elements: what is taken of the value as a product ends."""
    fields = {
        "ends": Bits1,
        "x": Bits1,  # x is taken: the value, or
        "of_m": Bits1,  # m (without x, in some rows: the base),
        "inverted": Bits1,  # or all its bits inverted
        "to_mod": Bits1,
        "to_table": Bits1,
        "entry": mk_bits(entry_bits),
    }
    return mk_bitstruct(f"RowTake{entry_bits}", fields)


def element_value_bits(digit_bits: int, word_bits: int, last: bool) -> int:
    """Return the bits of an element's value: of the last one's all, as no carry leaves it."""
    return word_bits + digit_bits + 1 if last else word_bits


class Chosen(Flattened):
    """out = a * x + q * m for bits a and q, of x, m and both, which is x + m."""

    def construct(s, nbits: int):
        wide = nbits + 1
        s.x = InPort(nbits)
        s.m = InPort(nbits)
        s.both = InPort(wide)
        s.a = InPort()
        s.q = InPort()
        s.out = OutPort(wide)
        s.only_x = Wire()
        s.only_m = Wire()
        s.takes_both = Wire()

        @update
        def decode():
            s.only_x @= s.a & ~s.q
            s.only_m @= s.q & ~s.a
            s.takes_both @= s.a & s.q

        @update
        def choose():
            s.out @= (
                zext(s.x & sext(s.only_x, nbits), wide)
                | zext(s.m & sext(s.only_m, nbits), wide)
                | (s.both & sext(s.takes_both, wide))
            )


class Rows:
    """Places signals as rows of so many bits within a component that then adds them."""

    def __init__(self, s: Component, nbits: int, name: str = "row") -> None:
        """Begin with no rows, which are wires of this name and a number."""
        self.s, self.nbits, self.name = s, nbits, name
        self.rows: list[Row] = []
        self.wires: list[Wire] = []

    def place(self, signal: object, bits: int, at: int, arrival: float = 0) -> None:
        """Place a signal whose lowest bit counts 2^at, in the first row with nothing there."""
        new = row(self.nbits, at, bits, arrival)
        for i, known in enumerate(self.rows):
            if joined := both(known, new):
                self.rows[i] = joined
                break
        else:
            i = len(self.rows)
            wire = Wire(self.nbits)
            setattr(self.s, f"{self.name}_{i}", wire)
            self.wires.append(wire)
            self.rows.append(new)
        connect(self.wires[i][at : at + bits], signal)

    def place_products(self, word_bits: int, digit_bits: int, arrival: float) -> None:
        """Make the rows of a * x + q * m."""
        for i in range(digit_bits):
            chosen = Chosen(word_bits)
            setattr(self.s, f"chosen_{i}", chosen)
            for name in ("x", "m", "both"):
                connect(getattr(chosen, name), getattr(self.s, name))
            connect(chosen.a, self.s.a[i])
            connect(chosen.q, self.s.q[i])
            self.place(chosen.out, word_bits + 1, i, arrival)

    def add(self, name: str = "add", left: int = 2) -> AddRows:
        """Add them up, until so many are left: s.add has the sum."""
        add = AddRows(self.nbits, tuple(self.rows), left)
        setattr(self.s, name, add)
        for i, (columns, wire) in enumerate(zip(self.rows, self.wires, strict=True)):
            connect(getattr(add, f"row_{i}"), wire)
            for at, bits in runs(columns):
                connect(wire[at : at + bits], 0)
        return add


class Element(Component):
    """Takes the steps of one word of so many bits; first: it finds q; last: no carry leaves it."""

    turns = False  # whether it may be a first one, too

    def construct(s, digit_bits: int, word_bits: int, first: bool, last: bool, Take: type):
        w, k = digit_bits, word_bits
        wide = k + w + 1  # of a step's sum
        carry_bits = w + 1
        both_bits = k + 1
        sum_bits = element_value_bits(w, k, last)
        value_bits = wide if last else k + RESOLVE_CARRY
        s.clear = InPort()  # no order stands
        s.a_in = InPort(w)
        s.take_in = InPort(Take)
        s.x = InPort(k)
        s.m = InPort(k)
        s.a = OutPort(w)
        s.q = OutPort(w)
        s.take = OutPort(Take)
        s.value = OutPort(sum_bits)
        s.sums = Register(sum_bits)
        s.carries = Register(sum_bits)
        s.both = Register(both_bits)  # x + m as they stood in the cycle before
        s.fresh = Register()  # nothing of this product stands on the right yet
        s.resolved = Wire(value_bits)
        s.value //= s.resolved[0:sum_bits]
        rows = Rows(s, wide)
        rows.place_products(k, w, 4.5 if first or s.turns else 2)
        rows.place(s.sums[w:sum_bits], sum_bits - w, 0)
        rows.place(s.carries[w:sum_bits], sum_bits - w, 0)

        if first:
            s.plus_one_in = InPort()
            s.plus_mod_in = InPort()
            s.low = OutPort(w)  # what q is made of: the lowest digit, resolved
            s.plus_one = Register()
            s.plus_mod = Register()
            s.digit = Wire(carry_bits)
            s.low //= s.digit[0:w]
            rows.place(s.plus_one, 1, 0)
            rows.place(s.digit[w], 1, 0, 2)

            @update
            def quotient_digit():
                s.digit @= zext(s.sums[0:w], carry_bits) + zext(s.carries[0:w], carry_bits)
                s.q @= s.digit[0:w] | zext(s.plus_mod, w)

            @update_ff
            def orders():
                s.plus_one <<= s.plus_one_in
                s.plus_mod <<= s.plus_mod_in

        else:
            s.q_in = InPort(w)
            s.sum_in = InPort(carry_bits)
            s.carry_in = InPort(carry_bits)
            s.resolve_in = InPort(RESOLVE_CARRY)
            s.low_sum = OutPort(w)
            s.low_carry = OutPort(w)
            s.low_sum //= s.sums[0:w]
            s.low_carry //= s.carries[0:w]
            rows.place(s.sum_in, carry_bits, 0)
            rows.place(s.carry_in, carry_bits, 0)

        if s.turns:
            s.begins = InPort()
            s.plus_one_in = InPort()
            s.low = OutPort(w)
            s.plus_one = Register()
            s.kept_q = Register(w)
            s.digit = Wire(carry_bits)
            s.low //= s.digit[0:w]
            s.lowest = Wire(2)  # what is added at the lowest bit where it begins
            rows.place(s.lowest[0], 1, 0)
            rows.place(s.lowest[1], 1, 0, 2)

            @update
            def own_quotient_digit():
                s.digit @= zext(s.sums[0:w], carry_bits) + zext(s.carries[0:w], carry_bits)
                s.q @= s.kept_q
                s.lowest @= 0
                if s.begins:
                    s.q @= s.digit[0:w]
                    s.lowest @= concat(s.digit[w], s.plus_one)

            @update_ff
            def own_orders():
                s.plus_one <<= s.plus_one_in
                s.kept_q <<= s.q_in

        elif not first:

            @update_ff
            def pass_q():
                s.q <<= s.q_in

        s.left_over = Wire(RESOLVE_CARRY)
        if first:
            s.left_over //= 0
        else:
            s.left_over //= s.resolve_in

        if last:

            @update
            def resolve_last():
                s.resolved @= s.sums + s.carries + zext(s.left_over, value_bits)

        else:
            top = k - w
            s.late_sum = InPort(w)
            s.late_carry = InPort(w)
            s.counted_sum = Wire(w)
            s.counted_carry = Wire(w)
            s.sum_out = OutPort(carry_bits)
            s.carry_out = OutPort(carry_bits)
            s.resolve_out = OutPort(RESOLVE_CARRY)
            rows.place(s.counted_sum, w, k - 2 * w, 0.5)
            rows.place(s.counted_carry, w, k - 2 * w, 0.5)

            @update
            def late_digit():
                s.counted_sum @= s.late_sum
                s.counted_carry @= s.late_carry
                if s.fresh:
                    s.counted_sum @= 0
                    s.counted_carry @= 0

            @update
            def resolve():
                s.resolved @= (
                    zext(s.sums, value_bits)
                    + zext(s.carries, value_bits)
                    + (zext(s.late_sum, value_bits) << top)
                    + (zext(s.late_carry, value_bits) << top)
                    + zext(s.left_over, value_bits)
                )

            @update_ff
            def pass_carry():
                s.sum_out <<= s.add.sum[k:wide]
                s.carry_out <<= s.add.carry[k:wide]
                s.resolve_out <<= s.resolved[k:value_bits]

        rows.add()

        @update_ff
        def step():
            if s.take.ends:
                s.sums <<= 0
                s.carries <<= 0
            else:
                s.sums <<= s.add.sum[0:sum_bits]
                s.carries <<= s.add.carry[0:sum_bits]

        @update_ff
        def keep_both():
            s.both <<= zext(s.x, both_bits) + zext(s.m, both_bits)

        @update_ff
        def pass_on():
            s.a <<= s.a_in
            s.take <<= s.take_in
            s.fresh <<= s.take.ends
            if s.clear:
                s.take <<= Take()

    def line_trace(s) -> str:
        """Show | as the word is resolved, the digit that is added, or a point for 0."""
        return "|" if s.take.ends else f"{s.a}" if s.a else "."


class TurningElement(Element):
    """Is the first one of a row of its own while `begins` is set, and nothing comes from the left;
    otherwise one in the middle."""

    turns = True
