"""What a word of a row holds that exponentiates by itself: x, M' and a table of powers."""

from pymtl3 import Bits1, InPort, OutPort, Wire, concat, update, update_ff

from rtl.leaf.register import Register
from rtl.mul.array_word import RowWord


class PowerWord(RowWord):
    """Takes what the order says as its element resolves a word; the base at `load`.

    m: a word of the modulus, which somebody holds. base: which entry of the table the base is; None
    where instead x takes it by an order of_m without x.
    fits: whether m fitted into what was last taken, which only the last word sees; from there it
    goes from word to word to the left.
    doubles: where not m but the value is taken `inverted`, it is doubled.
    """

    def construct(
        s,
        word_bits: int,
        value_bits: int,
        digits_bits: int,
        Take: type,
        entries: int,
        base: int | None,
        doubles: bool,
    ):
        super().construct(word_bits, value_bits, digits_bits, Take, others=entries)
        by_order, loaded = Bits1(base is None), base or 0
        s.load = Wire() if base is None else InPort()
        if base is None:
            s.load //= 0
        s.m = InPort(word_bits)
        s.base_in = InPort(word_bits)
        s.mod = OutPort(word_bits)
        s.fits = OutPort()
        s.taken = Wire(word_bits)
        s.powers = [Register(word_bits) for _ in range(entries)]
        for other, power in zip(s.others, s.powers, strict=True):
            other //= power

        if doubles:
            s.from_left = InPort()
            s.to_right = OutPort()

            if word_bits > 1:

                @update
                def double():
                    s.taken @= s.value[0:word_bits]
                    if s.take.inverted:
                        s.taken @= concat(s.value[0 : word_bits - 1], s.from_left)

            else:

                @update
                def double_bit():
                    s.taken @= s.value[0]
                    if s.take.inverted:
                        s.taken @= s.from_left

            @update_ff
            def pass_bit():
                s.to_right <<= s.value[word_bits - 1]

        else:
            s.taken //= s.value[0:word_bits]

        @update_ff
        def operand():
            if s.take.ends & s.take.x:
                if s.take.of_m & s.take.inverted:
                    s.x <<= ~s.m
                elif s.take.of_m:
                    s.x <<= s.m
                else:
                    s.x <<= s.taken
            elif by_order & s.take.ends & s.take.of_m:
                s.x <<= s.base_in

        @update_ff
        def moduli():
            if s.take.ends & s.take.to_mod:
                s.mod <<= s.value[0:word_bits]

        @update_ff
        def keep_powers():
            if s.load:
                s.powers[loaded] <<= s.base_in
            elif s.take.ends & s.take.to_table:
                s.powers[s.take.entry] <<= s.value[0:word_bits]

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
