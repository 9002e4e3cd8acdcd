"""The exponentiator with the fewest gates beside its registers: interleaved steps, word by word.

As rtl/exp/interleaved.py, with an adder of a few bits or one: of wide operands little is left but
the registers of base, exponent and modulus, which stand where they came, those of the result and of
the product, which turn, and what chooses words and bits.

The result need not be set before: the first square is that of 1, whose words are known. Whether the
modulus is 0 shows as its words pass; then the result becomes 0.
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, clog2, mk_bits, update, update_ff, zext

from cl.interleaved import word_count, words_exp_latency
from fl.schedule import LEFT_TO_RIGHT_ALWAYS, Counts
from rtl.exp.holding import CorePorts, OfHeldOperands
from rtl.leaf.interleaved import BitAt, BitsAt
from rtl.leaf.register import Register
from rtl.mul.interleaved_words import TurningWords, WordPasses, check_word

IDLE, WORK, DONE = 0, 1, 2


class InterleavedWordsExpRTL(CorePorts):
    """result = base^exp mod mod for any n-bit request; mod = 0 gives status BAD_MODULUS."""

    def construct(s, nbits: int, word_bits: int = 16):
        check_word(word_bits)
        total = word_bits * word_count(nbits, word_bits)
        Bit = mk_bits(clog2(nbits))
        super().construct(nbits)
        s.state = Register(2)
        s.index = Register(Bit)  # of the exponent
        s.multiplies = Register()  # this product does; else it squares
        s.opens = Register()  # the first square, of 1
        s.bad = Register()  # no word of the modulus was other than 0
        s.load = Wire()
        s.ends = Wire()
        s.taken = Wire()  # this product becomes the result
        s.low = Wire(word_bits)

        s.passes = WordPasses(nbits, word_bits)
        s.result = TurningWords(total, word_bits)
        s.exp_bit = BitAt(nbits)
        s.base_bit = BitAt(nbits)
        s.result_bit = BitAt(nbits)
        s.modulus = BitsAt(nbits, word_bits)
        s.exp_bit.value //= s.held.exp
        s.exp_bit.place //= s.index
        s.base_bit.value //= s.held.base
        s.base_bit.place //= s.passes.place
        s.result_bit.value //= s.result.value[0:nbits]
        s.result_bit.place //= s.passes.place
        s.modulus.value //= s.held.mod
        s.modulus.place //= s.passes.index
        s.passes.modulus //= s.modulus.bits
        s.low //= s.result.value[0:word_bits]

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.send.msg.result @= s.result.value[0:nbits]
            s.send.msg.status @= s.bad

        @update
        def products():
            s.load @= (s.state == IDLE) & s.recv.val
            s.ends @= s.passes.over & s.multiplies & (s.index == 0)
            s.passes.start @= s.load | (s.passes.over & ~s.ends)

        @update
        def operands():
            s.passes.bit_in @= s.result_bit.chosen
            s.passes.multiplicand @= s.low
            if s.multiplies:
                s.passes.bit_in @= s.base_bit.chosen
            if s.opens:
                s.passes.bit_in @= s.passes.place == 0
                s.passes.multiplicand @= zext(s.passes.index == 0, word_bits)

        @update
        def keep():
            s.taken @= ~s.multiplies | s.exp_bit.chosen
            s.result.turn @= s.passes.adds | s.passes.lifts
            s.result.high @= s.low
            if s.passes.lifts & s.taken:
                s.result.high @= s.passes.product
                if s.bad:
                    s.result.high @= 0

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.load:
                s.state <<= WORK
            elif s.state == WORK:
                if s.ends:
                    s.state <<= DONE
            elif s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def follow_bits():
            if s.load:
                s.index <<= Bit(nbits - 1)
                s.multiplies <<= 0
                s.opens <<= 1
            elif s.passes.over:
                s.multiplies <<= ~s.multiplies
                s.opens <<= 0
                if s.multiplies:
                    s.index <<= s.index - 1

        @update_ff
        def judge():
            if s.load:
                s.bad <<= 1
            elif s.passes.active & (s.modulus.bits != 0):
                s.bad <<= 0

    def line_trace(s) -> str:
        """Show I idle, S squares, M multiplies, D done; the exponent's place, the passes, the
        result."""
        state = "ISD"[int(s.state)] if not (s.state == WORK and s.multiplies) else "M"
        parts = f"{s.passes.line_trace()} {s.result.line_trace()}"
        return f"{s.recv}({state} {s.index} {parts}){s.send}"


@dataclass(frozen=True)
class InterleavedWordsExp(OfHeldOperands):
    """Makes a square and a product per exponent bit, a word per cycle, for any modulus."""

    result_stays = True
    constant_time = True
    schedule = f"{LEFT_TO_RIGHT_ALWAYS.text} one unit"

    word_bits: int = 16

    def counts(self, exp: int) -> Counts:
        """Count the loop's products, the same for every exponent."""
        return LEFT_TO_RIGHT_ALWAYS.counts(exp, self.nbits)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """Count cycles to the response, the same for all."""
        return words_exp_latency(self.nbits, self.word_bits)

    def core(self) -> Component:
        """Make a new component of the hardware, for operands that are held."""
        return InterleavedWordsExpRTL(self.nbits, self.word_bits)
