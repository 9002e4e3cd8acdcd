"""The number of significant bits of a word, by halving: log2(n) levels of multiplexers."""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, connect, update, zext


class UpperHalf(Component):
    """Tells whether the upper half of the word is used, and passes the half that goes on."""

    def construct(s, nbits: int):
        half = nbits // 2
        s.word = InPort(nbits)
        s.upper_used = OutPort()
        s.half = OutPort(half)

        @update
        def select():
            s.upper_used @= s.word[half:nbits] != 0
            if s.upper_used:
                s.half @= s.word[half:nbits]
            else:
                s.half @= s.word[0:half]

    def line_trace(s) -> str:
        return f"{s.half}"


class SignificantBits(Component):
    """count = word.bit_length(), for words of 2 bits and more."""

    def construct(s, nbits: int):
        levels = clog2(nbits)
        padded = 1 << levels
        count_bits = levels + 1
        s.word = InPort(nbits)
        s.count = OutPort(count_bits)
        s.padded = Wire(padded)
        s.top_bit = Wire(levels)  # its position, if there is one
        s.any_bit = Wire()

        if padded == nbits:
            s.padded //= s.word
        else:

            @update
            def pad():
                s.padded @= zext(s.word, padded)

        word = s.padded
        for i in range(levels):
            level = UpperHalf(padded >> i)
            setattr(s, f"level_{i}", level)  # PyMTL3's lists take components of one type only
            connect(level.word, word)
            connect(s.top_bit[levels - 1 - i], level.upper_used)
            word = level.half
        s.any_bit //= word

        @update
        def add():
            s.count @= zext(s.top_bit, count_bits) + zext(s.any_bit, count_bits)

    def line_trace(s) -> str:
        return f"{s.count}"
