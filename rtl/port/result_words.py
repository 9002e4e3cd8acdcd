"""The accelerator's result, which leaves in words, least significant first; after the last, 0."""

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
    zext,
)

from fl.xcel import WORD_BITS, words
from rtl.leaf.register import Register


class ResultPorts(Component):
    """Gives a word of the value that comes with `take`; the next one after each `pop`.

    Before the first `take`, and from `reset` on, there is none.
    """

    def construct(s, nbits: int):
        s.take = InPort()
        s.value = InPort(nbits)
        s.pop = InPort()
        s.word = OutPort(WORD_BITS)

    def line_trace(s) -> str:
        return f"{s.word}"


class ChosenWords(ResultPorts):
    """Chooses among the words of a value that stays until the next one."""

    def construct(s, nbits: int):
        super().construct(nbits)
        count = words(nbits)
        Place = mk_bits(clog2(count + 1))
        s.place = Register(Place)
        s.words = [Wire(WORD_BITS) for _ in range(1 << Place.nbits)]
        for i in range(count):
            bits = min(WORD_BITS, nbits - WORD_BITS * i)
            connect(s.words[i][0:bits], s.value[WORD_BITS * i : WORD_BITS * i + bits])
            if bits < WORD_BITS:
                connect(s.words[i][bits:WORD_BITS], 0)
        for word in s.words[count:]:
            connect(word, 0)

        @update
        def choose():
            s.word @= s.words[s.place]

        @update_ff
        def follow():
            if s.reset:
                s.place <<= Place(count)
            elif s.take:
                s.place <<= 0
            elif s.pop & (s.place != count):
                s.place <<= s.place + 1


class ShiftedWords(ResultPorts):
    """Keeps a value that goes away, and shifts it out."""

    def construct(s, nbits: int):
        super().construct(nbits)
        total = WORD_BITS * words(nbits)
        s.kept = Register(total)
        s.word //= s.kept[0:WORD_BITS]

        @update_ff
        def follow():
            if s.reset:
                s.kept <<= 0
            elif s.take:
                s.kept <<= zext(s.value, total)
            elif s.pop:
                s.kept <<= s.kept >> WORD_BITS
