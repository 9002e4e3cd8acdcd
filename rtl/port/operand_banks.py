"""The peripheral's operands: words that are written by place, whose bytes may turn."""

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

from fl.xcel import WORD_BITS, words
from rtl.leaf.register import Register


def place_bits(nbits: int) -> int:
    """Return the bits of the place of a word in an operand."""
    return max(1, clog2(words(nbits)))


class TurningWord(Component):
    """Keeps a word that is written, or moves up by a byte: `low` enters, the highest leaves."""

    def construct(s):
        s.write = InPort()
        s.data = InPort(WORD_BITS)
        s.turn = InPort()
        s.low = InPort(8)
        s.word = OutPort(WORD_BITS)
        s.kept = Register(WORD_BITS)
        s.word //= s.kept

        @update_ff
        def keep():
            if s.reset:
                s.kept <<= 0
            elif s.write:
                s.kept <<= s.data
            elif s.turn:
                s.kept <<= concat(s.kept[0 : WORD_BITS - 8], s.low)

    def line_trace(s) -> str:
        return f"{s.kept}"


class Turning(Component):
    """Keeps words in a chain, which a turn moves up by a byte; `high` is the highest of them."""

    def construct(s, count: int):
        total = WORD_BITS * count
        s.write = InPort(count)
        s.data = InPort(total)
        s.turn = InPort()
        s.low = InPort(8)
        s.high = OutPort(8)
        s.value = OutPort(total)
        s.parts = [TurningWord() for _ in range(count)]
        for i, part in enumerate(s.parts):
            at = WORD_BITS * i
            connect(part.write, s.write[i])
            connect(part.data, s.data[at : at + WORD_BITS])
            connect(part.turn, s.turn)
            connect(part.low, s.value[at - 8 : at] if i else s.low)
            connect(part.word, s.value[at : at + WORD_BITS])
        s.high //= s.value[total - 8 : total]

    def line_trace(s) -> str:
        return f"{s.value}"


class WordPorts(Component):
    """Has the ports of an operand whose words are written by place; bits above nbits are 0."""

    def construct(s, nbits: int):
        count = words(nbits)
        last = nbits - WORD_BITS * (count - 1)
        s.write = InPort()
        s.at = InPort(place_bits(nbits))
        s.data = InPort(WORD_BITS)
        s.value = OutPort(nbits)
        s.chosen = Wire(count)
        s.last = Wire(WORD_BITS)
        connect(s.last[0:last], s.data[0:last])
        if last < WORD_BITS:
            connect(s.last[last:WORD_BITS], 0)

        @update
        def choose():
            s.chosen @= zext(s.write, count) << zext(s.at, count)

    def line_trace(s) -> str:
        return f"{s.value}"


class KeptWord(Component):
    """Keeps a word that is written."""

    def construct(s):
        s.write = InPort()
        s.data = InPort(WORD_BITS)
        s.word = OutPort(WORD_BITS)
        s.kept = Register(WORD_BITS)
        s.word //= s.kept

        @update_ff
        def keep():
            if s.reset:
                s.kept <<= 0
            elif s.write:
                s.kept <<= s.data

    def line_trace(s) -> str:
        return f"{s.kept}"


class LoadedWords(WordPorts):
    """Keeps an operand."""

    def construct(s, nbits: int):
        super().construct(nbits)
        s.parts = [KeptWord() for _ in range(words(nbits))]
        for i, part in enumerate(s.parts):
            at = WORD_BITS * i
            bits = min(WORD_BITS, nbits - at)
            connect(part.write, s.chosen[i])
            connect(part.data, s.last if part is s.parts[-1] else s.data)
            connect(part.word[0:bits], s.value[at : at + bits])


class LoadedBytes(WordPorts):
    """Keeps an operand and turns it."""

    def construct(s, nbits: int):
        super().construct(nbits)
        count = words(nbits)
        s.turn = InPort()
        s.low = InPort(8)
        s.high = OutPort(8)
        s.bank = Turning(count)
        s.bank.write //= s.chosen
        s.bank.turn //= s.turn
        s.bank.low //= s.low
        s.bank.high //= s.high
        s.value //= s.bank.value[0:nbits]
        for i in range(count):
            connect(
                s.bank.data[WORD_BITS * i : WORD_BITS * (i + 1)],
                s.last if i == count - 1 else s.data,
            )


class FixedValue(Component):
    """Is a constant."""

    def construct(s, nbits: int, constant: int):
        value = mk_bits(nbits)(constant)
        s.value = OutPort(nbits)

        @update
        def give():
            s.value @= value

    def line_trace(s) -> str:
        return "="


class FixedBytes(FixedValue):
    """Is a constant, of which `high` is the byte at `place`; stands for LoadedBytes, and stays."""

    def construct(s, nbits: int, constant: int):
        super().construct(nbits, constant)
        count = 4 * words(nbits)
        s.place = InPort(clog2(count))
        s.turn = InPort()
        s.low = InPort(8)
        s.high = OutPort(8)
        s.bytes = [Wire(8) for _ in range(count)]
        for i, wire in enumerate(s.bytes):
            connect(wire, constant >> 8 * i & 0xFF)

        @update
        def choose():
            s.high @= s.bytes[s.place]
