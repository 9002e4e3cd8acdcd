"""The bits of an exponent one after the other, without a copy of it.

Of the exponent, which somebody else holds, a word at a time is taken into a register and shifted
there.
"""

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    connect,
    mk_bits,
    update,
    update_ff,
)

from fl.exponent_bits import FEWEST_TURNS, turns_to_end
from rtl.leaf.flattened import Flattened
from rtl.leaf.register import Register


class ExponentBits(Component):
    """Gives `bits`, the first from the cycle after `load` on, the next after each `advance`.

    exp comes with `load`; from the next cycle on held is the same. A word is shifted by `step` bits
    in so many turns, a power of 2 above 1; the first is the lowest one, or from_top the highest. If
    it skips, a whole word of 0s passes by an `advance` with `skip`, one in every cycle if need be.
    """

    def construct(
        s,
        nbits: int,
        step: int = 1,
        turns: int = FEWEST_TURNS,
        from_top: bool = False,
        skips: bool = False,
    ):
        s.nbits, s.from_top = nbits, from_top
        s.word_bits = step * turns
        s.top = -(-nbits // step) * step
        s.count = -(-nbits // s.word_bits)
        word_bits = s.word_bits
        Place = mk_bits(clog2(s.count + 1))
        last_turn = turns - 1
        s.load = InPort()
        s.exp = InPort(nbits)
        s.held = InPort(nbits)
        s.advance = InPort()
        s.bits = OutPort(step)
        s.first = Wire(word_bits)
        s.words = [Wire(word_bits) for _ in range(1 << Place.nbits)]
        s.word = Register(word_bits)
        s.turn = Register(clog2(turns))
        s.place = Register(Place)  # of the next word, once what was taken is counted
        s.taken = Wire() if skips else Register()
        s.new_word = Wire()
        s.shifted = Wire(word_bits)
        s.connect_word(s.first, s.exp, 0)
        for i, word in enumerate(s.words):
            s.connect_word(word, s.held, i)

        if from_top:
            s.bits //= s.word[word_bits - step : word_bits]

            @update
            def shift_up():
                s.shifted @= s.word << step

        else:
            s.bits //= s.word[0:step]

            @update
            def shift_down():
                s.shifted @= s.word >> step

        if skips:
            s.skip = InPort()
            s.passes = OutPort()  # a word of 0s

            @update
            def word_ends_or_passes():
                s.passes @= s.skip & (s.word == 0)
                s.new_word @= (s.turn == last_turn) | s.passes
                s.taken @= s.advance & s.new_word

        else:

            @update
            def word_ends():
                s.new_word @= s.turn == last_turn

            @update_ff
            def count_later():
                s.taken <<= s.advance & s.new_word & ~s.load

        @update_ff
        def follow():
            if s.load:
                s.word <<= s.first
                s.turn <<= 0
            elif s.advance:
                s.turn <<= s.turn + 1
                if s.new_word:
                    s.turn <<= 0
                    s.word <<= s.words[s.place]
                else:
                    s.word <<= s.shifted

        @update_ff
        def count_words():
            if s.load:
                s.place <<= 1
            elif s.taken:
                s.place <<= s.place + 1

    def connect_word(s, word: Wire, exp: InPort, i: int) -> None:
        """Make a wire the i-th word of an exponent, with 0 where that has no bits."""
        low = s.top - s.word_bits * (i + 1) if s.from_top else s.word_bits * i
        begin, end = max(low, 0), min(low + s.word_bits, s.nbits)
        if begin >= end:
            connect(word, 0)
            return
        connect(word[begin - low : end - low], exp[begin:end])
        if begin > low:
            connect(word[0 : begin - low], 0)
        if end < low + s.word_bits:
            connect(word[end - low : s.word_bits], 0)

    def line_trace(s) -> str:
        return f"{s.word}"


class AnyBit(Flattened):
    """yes = (word is not 0)."""

    def construct(s, nbits: int):
        s.word = InPort(nbits)
        s.yes = OutPort()

        @update
        def see():
            s.yes @= s.word != 0


class BitsToLast(ExponentBits):
    """Gives the bits from the lowest on, and says of each and of the next whether it is the last 1.

    last: there is no 1 above this bit; next_last: none above the next one, next_bit.
    """

    def construct(s, nbits: int):
        super().construct(nbits, turns=turns_to_end(nbits))
        word_bits, count = s.word_bits, s.count
        s.last = OutPort()
        s.next_bit = OutPort()
        s.next_last = OutPort()
        s.used = Wire(count)  # bit i: word i of exp is not 0
        s.used_left = Register(count)  # from the next word on
        s.next_word = Wire(word_bits)
        for i in range(count):
            s.connect_any(i)

        @update
        def see_last():
            s.last @= (s.word[1:word_bits] == 0) & (s.used_left == 0)

        @update
        def see_next():
            s.next_word @= s.words[s.place]
            s.next_bit @= s.word[1]
            s.next_last @= (s.word[2:word_bits] == 0) & (s.used_left == 0)
            if s.new_word:
                s.next_bit @= s.next_word[0]
                s.next_last @= (s.next_word[1:word_bits] == 0) & (s.used_left[1:count] == 0)

        @update_ff
        def follow_words():
            if s.load:
                s.used_left <<= s.used >> 1
            elif s.advance & s.new_word:
                s.used_left <<= s.used_left >> 1

    def connect_any(s, i: int) -> None:
        """Connect what says whether word i is used."""
        any_bit = AnyBit(s.word_bits)
        setattr(s, f"any_{i}", any_bit)
        s.connect_word(any_bit.word, s.exp, i)
        connect(any_bit.yes, s.used[i])
