"""The word of the peripheral's output that the bus sees."""

from pymtl3 import Component, InPort, OutPort, Wire, connect, update, zext

from fl.xcel import WORD_BITS, words
from rtl.port.operand_banks import place_bits
from rtl.port.pkcs1 import length_bits_of


class OutputWord(Component):
    """word = the one of the value at a place, 0 in the bytes from `length` on."""

    def construct(s, nbits: int):
        count = words(nbits)
        length_bits = length_bits_of(nbits)
        wide = length_bits + 1
        s.value = InPort(WORD_BITS * count)
        s.at = InPort(place_bits(nbits))
        s.length = InPort(length_bits)
        s.word = OutPort(WORD_BITS)
        s.words = [Wire(WORD_BITS) for _ in range(count)]
        for i, wire in enumerate(s.words):
            connect(wire, s.value[WORD_BITS * i : WORD_BITS * (i + 1)])
        s.chosen = Wire(WORD_BITS)
        s.above = Wire(wide)  # the length, and the place of the word's lowest byte
        s.first = Wire(wide)

        @update
        def choose():
            s.chosen @= s.words[s.at]
            s.above @= zext(s.length, wide)
            s.first @= zext(s.at, wide) << 2

        @update
        def show():
            s.word @= 0
            if s.first < s.above:
                s.word[0:8] @= s.chosen[0:8]
            if s.first + 1 < s.above:
                s.word[8:16] @= s.chosen[8:16]
            if s.first + 2 < s.above:
                s.word[16:24] @= s.chosen[16:24]
            if s.first + 3 < s.above:
                s.word[24:32] @= s.chosen[24:32]

    def line_trace(s) -> str:
        return f"{s.word}"
