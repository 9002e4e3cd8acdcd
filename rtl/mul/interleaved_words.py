"""Interleaved multiplication a word per cycle, the lowest first: an adder of one word is all.

A step of fl/interleaved.py compares long numbers, which words from the lowest up cannot do before
the last. So values run from -m to m - 1 here, and the sign, which the pass before has found, says
what a pass adds. Each step takes three passes over the words, each product one more:

    double   acc = 2*acc - m if acc >= 0, else 2*acc + m
    lower    acc = acc - m   if acc >= 0, else acc          now from -m to -1
    add      acc = acc + bit * multiplicand
    lift     acc + m         if acc < 0,  else acc          once, after the last step: the product
"""

from dataclasses import dataclass

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
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.interleaved import word_count, words_latency
from cl.unit import Unit
from fl.interleaved import interleaved
from fl.messages import mk_mul_msgs
from rtl.leaf.interleaved import BitsAt
from rtl.leaf.register import Register
from rtl.leaf.serial_adder import WordAdder

WORD_BITS = (1, 2, 4, 8, 16, 32)
DOUBLE, LOWER, ADD, LIFT = range(4)
IDLE, WORK, DONE = 0, 1, 2


def check_word(word_bits: int) -> None:
    """Raise ValueError unless words may have so many bits."""
    if word_bits not in WORD_BITS:
        raise ValueError(f"word_bits must be one of {WORD_BITS}, not {word_bits}")


class TurningWords(Component):
    """Keeps words, of which the lowest is seen; a `turn` moves them down, and `high` in above."""

    def construct(s, total: int, word_bits: int):
        s.turn = InPort()
        s.high = InPort(word_bits)
        s.value = OutPort(total)
        s.kept = Register(total)
        s.value //= s.kept

        if total == word_bits:

            @update_ff
            def replace_word():
                if s.turn:
                    s.kept <<= s.high

        else:

            @update_ff
            def turn_words():
                if s.turn:
                    s.kept <<= concat(s.high, s.kept[word_bits:total])

    def line_trace(s) -> str:
        return f"{s.kept}"


class PassControl(Component):
    """Leads through the passes of a product after `start`; `over` is its last cycle."""

    def construct(s, nbits: int, words: int):
        Index, Place = mk_bits(max(1, clog2(words))), mk_bits(clog2(nbits))
        s.start = InPort()
        s.active = OutPort()
        s.first = OutPort()  # word of a pass
        s.last = OutPort()
        s.fresh = OutPort()  # no pass has ended
        s.over = OutPort()
        s.phase = OutPort(2)
        s.index = OutPort(Index)  # of the word
        s.place = OutPort(Place)  # of the bit that is scanned
        s.works = Register()
        s.begins = Register()
        s.pass_ = Register(2)
        s.word = Register(Index)
        s.scanned = Register(Place)
        s.active //= s.works
        s.fresh //= s.begins
        s.phase //= s.pass_
        s.index //= s.word
        s.place //= s.scanned

        @update
        def ends():
            s.first @= s.word == 0
            s.last @= s.word == Index(words - 1)
            s.over @= s.works & s.last & (s.pass_ == LIFT)

        @update_ff
        def work():
            if s.reset:
                s.works <<= 0
            elif s.start:
                s.works <<= 1
            elif s.over:
                s.works <<= 0

        @update_ff
        def count():
            if s.start:
                s.word <<= 0
                s.pass_ <<= DOUBLE
                s.scanned <<= Place(nbits - 1)
                s.begins <<= 1
            elif s.works:
                s.word <<= s.word + 1
                if s.last:
                    s.word <<= 0
                    s.begins <<= 0
                    s.pass_ <<= s.pass_ + 1
                    if s.pass_ == ADD:
                        s.scanned <<= s.scanned - 1
                        if s.scanned != 0:
                            s.pass_ <<= DOUBLE

    def line_trace(s) -> str:
        """Show D doubles, L lowers, A adds, R lifts; the places of bit and word."""
        return f"{'DLAR'[int(s.pass_)] if s.works else ' '} {s.scanned} {s.word}"


class WordPasses(Component):
    """product = bits * multiplicand mod m, for multiplicand <= m; m = 0 gives any value.

    It begins after `start`. The word of m at `index` is wanted in every cycle, the multiplicand's
    while it `adds`, the bit at `place` while it does not. Words of the product come while it
    `lifts`, the last with `over`.
    """

    def construct(s, nbits: int, word_bits: int):
        words = word_count(nbits, word_bits)
        total = words * word_bits
        top = word_bits - 1
        s.start = InPort()
        s.bit_in = InPort()
        s.modulus = InPort(word_bits)
        s.multiplicand = InPort(word_bits)
        s.index = OutPort(max(1, clog2(words)))
        s.place = OutPort(clog2(nbits))
        s.active = OutPort()
        s.adds = OutPort()
        s.lifts = OutPort()
        s.product = OutPort(word_bits)
        s.over = OutPort()
        s.adding = Register()  # the scanned bit, once it is taken
        s.negative = Register()
        s.carry = Register()
        s.passed = Register()  # the highest bit of the word before
        s.sign = Wire()  # of what is added to, in the place above its highest word
        s.low = Wire(word_bits)
        s.doubled = Wire(word_bits)
        s.with_modulus = Wire()
        s.with_multiplicand = Wire()
        s.subtract = Wire()
        s.addend = Wire(word_bits)

        s.control = PassControl(nbits, words)
        s.acc = TurningWords(total, word_bits)
        s.adder = WordAdder(word_bits)
        s.control.start //= s.start
        s.control.index //= s.index
        s.control.place //= s.place
        s.control.active //= s.active
        s.control.over //= s.over
        s.acc.turn //= 1
        s.acc.high //= s.adder.sum
        s.acc.value[0:word_bits] //= s.low
        s.adder.sum //= s.product
        s.adder.right //= s.addend
        if word_bits > 1:
            connect(s.doubled[1:word_bits], s.low[0:top])

        @update
        def double():
            s.doubled[0] @= s.passed & ~s.control.first

        @update
        def choose_sum():
            s.adder.left @= s.low
            s.sign @= s.negative
            if s.control.phase == DOUBLE:
                s.adder.left @= s.doubled
                s.sign @= s.low[top]
            if s.control.fresh | ~s.control.active:
                s.adder.left @= 0
                s.sign @= 0

        @update
        def choose_operation():
            s.adds @= s.control.active & (s.control.phase == ADD)
            s.lifts @= s.control.active & (s.control.phase == LIFT)
            s.subtract @= s.control.active & ~s.control.phase[1] & ~s.negative
            s.with_modulus @= s.subtract
            if s.control.active & s.negative:
                s.with_modulus @= (s.control.phase == DOUBLE) | (s.control.phase == LIFT)
            s.with_multiplicand @= s.adds & s.adding

        @update
        def choose_addend():
            s.addend @= 0
            if s.with_modulus:
                s.addend @= s.modulus
            if s.with_multiplicand:
                s.addend @= s.multiplicand
            if s.subtract:
                s.addend @= ~s.modulus

        @update
        def carry_in():
            s.adder.carry_in @= s.carry
            if s.control.first:
                s.adder.carry_in @= s.subtract

        @update_ff
        def between_words():
            s.carry <<= s.adder.carry_out
            s.passed <<= s.low[top]

        @update_ff
        def between_passes():
            if s.start:
                s.negative <<= 0
            elif s.control.last:
                s.negative <<= s.sign ^ s.subtract ^ s.adder.carry_out
            if ~s.control.phase[1]:
                s.adding <<= s.bit_in

    def line_trace(s) -> str:
        """Show the pass, the sign, what is built."""
        return f"{s.control.line_trace()} {'+-'[int(s.negative)]} {s.acc.line_trace()}"


class InterleavedWordsRTL(Component):
    """r = a * b mod m, for m >= 1, a <= m and any b; time as in cl/interleaved.py."""

    def construct(s, nbits: int, word_bits: int = 16):
        check_word(word_bits)
        total = word_bits * word_count(nbits, word_bits)
        Request, Response = mk_mul_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.state = Register(2)
        s.request = Register(Request)
        s.load = Wire()

        s.passes = WordPasses(nbits, word_bits)
        s.product = TurningWords(total, word_bits)
        s.a_word = BitsAt(nbits, word_bits)
        s.m_word = BitsAt(nbits, word_bits)
        s.b_bit = BitsAt(nbits, 1)
        s.a_word.value //= s.request.a
        s.m_word.value //= s.request.m
        s.b_bit.value //= s.request.b
        s.a_word.place //= s.passes.index
        s.m_word.place //= s.passes.index
        s.b_bit.place //= s.passes.place
        s.passes.start //= s.load
        s.passes.bit_in //= s.b_bit.bits
        s.passes.modulus //= s.m_word.bits
        s.passes.multiplicand //= s.a_word.bits
        s.product.turn //= s.passes.lifts
        s.product.high //= s.passes.product

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.send.msg.r @= s.product.value[0:nbits]

        @update
        def accept():
            s.load @= (s.state == IDLE) & s.recv.val

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.load:
                s.state <<= WORK
            elif s.state == WORK:
                if s.passes.over:
                    s.state <<= DONE
            elif s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def hold():
            if s.load:
                s.request <<= s.recv.msg

    def line_trace(s) -> str:
        """Show I idle, W works, D done, and the passes."""
        return f"{s.recv}({'IWD'[int(s.state)]} {s.passes.line_trace()}){s.send}"


@dataclass(frozen=True)
class InterleavedWords(Unit):
    """r = a * b mod m, for m >= 1, a <= m and any n-bit b, a word per cycle."""

    hardware = InterleavedWordsRTL

    word_bits: int = 16

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product modulo m."""
        return interleaved(a, b, m)

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: a is the modulus at most."""
        return m >= 1 and a <= m

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, the same for all."""
        return words_latency(self.nbits, self.word_bits)
