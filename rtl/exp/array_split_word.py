"""What a word of a row that splits holds: x, M' and a table of powers."""

from pymtl3 import (
    Bits1,
    InPort,
    OutPort,
    Wire,
    mk_bits,
    mk_bitstruct,
    sext,
    update,
    update_ff,
    zext,
)

from fl.array_split_program import ANSWER
from rtl.leaf.register import Register
from rtl.mul.array_word import RowWord


def mk_split_take(entry_bits: int) -> type:
    """Make the order that passes the elements: what is taken as a product ends, or without end."""
    fields = {
        "ends": Bits1,
        "x": Bits1,  # x is taken: the value as an operation ends, or
        "of_operand": Bits1,  # without x: an operand, such as m
        "inverted": Bits1,  # all its bits inverted
        "less_1": Bits1,  # it is odd, and 1 is subtracted
        "to_mod": Bits1,
        "to_table": Bits1,
        "entry": mk_bits(entry_bits),
    }
    return mk_bitstruct(f"SplitTake{entry_bits}", fields)


class SplitWord(RowWord):
    """Takes what the order says as its element resolves a word, or a word of an operand.

    lowest: it may have the lowest bit of a modulus, as `is_lowest` says. half_bits: if it is the
    highest word of a half, the bits of values there, as long as the row is `split`.
    fits: whether m fitted into what was last taken, which only the last word sees; from there it
    goes from word to word to the left.
    """

    def construct(
        s,
        word_bits: int,
        value_bits: int,
        digits_bits: int,
        Take: type,
        entries: int,
        lowest: bool = False,
        half_bits: int | None = None,
    ):
        super().construct(word_bits, value_bits, digits_bits, Take, others=entries)
        s.operand = InPort(word_bits)
        s.mod = OutPort(word_bits)
        s.answer = OutPort(word_bits)
        s.fits = OutPort()
        s.taken = Wire(word_bits)
        s.inverted = Wire(word_bits)  # bits of the operand
        s.powers = [Register(word_bits) for _ in range(entries)]
        for other, power in zip(s.others, s.powers, strict=True):
            other //= power
        s.answer //= s.powers[ANSWER]

        @update
        def invert():
            s.inverted @= sext(s.take.inverted, word_bits)

        if half_bits is None:
            s.taken //= s.value[0:word_bits]

        else:
            used = mk_bits(word_bits)((1 << half_bits) - 1)
            s.split = InPort()

            @update
            def cut():
                s.taken @= s.value[0:word_bits]
                if s.split:
                    s.taken @= s.value[0:word_bits] & used

        if lowest:
            s.is_lowest = InPort()
            s.lowest = Wire(word_bits)

            @update
            def subtract():
                s.lowest @= zext(s.take.less_1 & s.is_lowest, word_bits)

            @update_ff
            def take_x_or_less():
                if s.take.of_operand:
                    s.x <<= s.operand ^ s.inverted ^ s.lowest
                elif s.take.ends & s.take.x:
                    s.x <<= s.taken

        else:

            @update_ff
            def take_x():
                if s.take.of_operand:
                    s.x <<= s.operand ^ s.inverted
                elif s.take.ends & s.take.x:
                    s.x <<= s.taken

        @update_ff
        def take_modulus():
            if s.take.ends & s.take.to_mod:
                s.mod <<= s.value[0:word_bits]

        @update_ff
        def take_power():
            if s.take.ends & s.take.to_table:
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
