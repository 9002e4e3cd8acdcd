"""The exponentiator that is little else than its registers: interleaved steps that reduce late.

A square and a product follow each other at every bit of the exponent; the first square is that of
1. A step takes one pass over the words (rtl/mul/tiny.py), and
nothing is chosen from a long register: base, exponent, modulus and result turn by words of the
accelerator's port, once around in each pass, and what is wanted of them is at their low ends. A bit
of the base, of the result or of the exponent is seen as its word comes by.

The operands are outside, where they came. The result turns once more as it is popped; what the
steps build turns by words of the adder, and new words of the result leave at its high end.
"""

from dataclasses import dataclass

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
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.exponentiator import Exponentiator
from cl.tiny import step_words, tiny_exp_latency
from fl.messages import mk_exp_msgs
from fl.schedule import LEFT_TO_RIGHT_ALWAYS, Counts
from fl.xcel import BASE, EXP, MOD, words
from rtl.leaf.interleaved import BitAt, BitsAt
from rtl.leaf.register import Register
from rtl.leaf.turning_words import TurningWords, check_word
from rtl.mul.tiny import LateSteps


def turned_bits(nbits: int, word_bits: int) -> int:
    """Return by how many bits the registers turn: a word of the port, of short numbers all."""
    return word_bits * step_words(nbits, word_bits) // words(nbits)


def index_bits(count: int) -> int:
    """Return the bits that tell one of so many words."""
    return max(1, clog2(count))


class PassingBit(Component):
    """chosen = bit at `place` of a number, in the cycle with its word and until the next time.

    Of a number of several words, one comes with each `turn`, and is the one at `index`.
    """

    def construct(s, nbits: int, turned: int):
        count = -(-nbits // turned)
        low, high = clog2(turned), clog2(nbits)
        s.word = InPort(turned)
        s.index = InPort(index_bits(count))
        s.turn = InPort()
        s.place = InPort(high)
        s.chosen = OutPort()

        if count == 1:
            s.choose = BitAt(nbits)
            s.choose.value //= s.word[0:nbits]
            s.choose.place //= s.place
            s.choose.chosen //= s.chosen
        else:
            s.passing = Wire()
            s.seen = Register()
            if turned == 1:
                s.passing //= s.word
            else:
                s.choose = BitAt(turned)
                s.choose.value //= s.word
                s.choose.place //= s.place[0:low]
                s.choose.chosen //= s.passing

            @update
            def choose_passing():
                s.chosen @= s.seen
                if s.turn & (s.index == s.place[low:high]):
                    s.chosen @= s.passing

            @update_ff
            def keep_passing():
                s.seen <<= s.chosen

    def line_trace(s) -> str:
        return f"{s.chosen}"


class LowWord(Component):
    """word = the one of the adder's size at `index` of what turns at once."""

    def construct(s, turned: int, word_bits: int):
        s.turned = InPort(turned)
        s.index = InPort(index_bits(turned // word_bits))
        s.word = OutPort(word_bits)
        if turned == word_bits:
            s.word //= s.turned
        else:
            s.choose = BitsAt(turned, word_bits)
            s.choose.value //= s.turned
            s.choose.place //= s.index
            s.choose.bits //= s.word

    def line_trace(s) -> str:
        return f"{s.word}"


class TinyCore(Component):
    """result = base^exp mod mod for any n-bit request; mod = 0 gives 0, and is `bad`.

    It begins with `start`, which comes while it is `idle`, and is then `done` until `leave`. The
    low words of base, exponent and modulus are wanted at its ports as they turn. A `pop`, while
    nothing is done, turns a result of several words on, and 0 into it.
    """

    def construct(s, nbits: int, word_bits: int):
        check_word(word_bits)
        Bit = mk_bits(clog2(nbits))
        count = step_words(nbits, word_bits)
        turned = turned_bits(nbits, word_bits)
        several = words(nbits) > 1
        result_turned = turned if several else word_bits
        total = word_bits * count
        s.start = InPort()
        s.idle = OutPort()
        s.done = OutPort()
        s.leave = InPort()
        s.base = InPort(turned)
        s.exp = InPort(turned)
        s.mod = InPort(turned)
        s.turn = OutPort()
        s.pop = InPort()
        s.result = OutPort(total)
        s.bad = OutPort()
        s.ended = Register()
        s.index = Register(Bit)  # of the exponent
        s.multiplies = Register()  # this product does; else it squares
        s.opens = Register()  # the first square, of 1
        s.no_modulus = Register()  # no word of it was other than 0
        s.ends = Wire()
        s.empties = Wire()  # 0 enters the result
        s.high = Wire(result_turned)  # enters the result
        s.lifted = Wire(result_turned)  # a word of the product

        s.steps = LateSteps(nbits, word_bits, count)
        s.kept = TurningWords(total, result_turned)
        s.base_bit = PassingBit(nbits, turned)
        s.result_bit = PassingBit(nbits, result_turned)
        s.exp_bit = PassingBit(nbits, turned)
        s.multiplicand = LowWord(result_turned, word_bits)
        s.modulus = LowWord(turned, word_bits)
        s.result //= s.kept.value
        s.bad //= s.no_modulus
        s.done //= s.ended
        s.base_bit.word //= s.base
        s.base_bit.turn //= s.turn
        s.base_bit.place //= s.steps.place
        s.exp_bit.word //= s.exp
        s.exp_bit.turn //= s.turn
        s.exp_bit.place //= s.index
        s.result_bit.word //= s.high
        s.kept.high //= s.high
        s.result_bit.place //= s.steps.place
        s.multiplicand.turned //= s.kept.value[0:result_turned]
        s.multiplicand.index //= s.steps.index[0 : index_bits(result_turned // word_bits)]
        s.modulus.index //= s.steps.index[0 : index_bits(turned // word_bits)]
        s.steps.modulus //= s.modulus.word

        first = clog2(turned // word_bits)  # bits of the place of a word in those that turn
        above = clog2(count)
        if several:
            High, highest = mk_bits(above - first), words(nbits) - 1
            s.base_bit.index //= s.steps.index[first:above]
            s.exp_bit.index //= s.steps.index[first:above]
            s.result_bit.index //= s.steps.index[first:above]
            s.result_bit.turn //= s.turn

            @update
            def turn_result():
                s.kept.turn @= s.turn | s.pop
                s.empties @= s.no_modulus | s.pop

        else:
            s.base_bit.index //= 0
            s.exp_bit.index //= 0
            s.result_bit.index //= s.steps.index
            s.result_bit.turn //= s.steps.active
            s.kept.turn //= s.steps.active
            s.empties //= s.no_modulus

        if not several or first == 0:
            s.turn //= s.steps.active
        else:
            Part, ones = mk_bits(first), (1 << first) - 1

            @update
            def turn_words():
                s.turn @= s.steps.active & (s.steps.index[0:first] == Part(ones))

        known = result_turned - word_bits  # bits of the lifted word that came before
        connect(s.lifted[known:result_turned], s.steps.product)
        if known:
            connect(s.lifted[known - 1], s.steps.next_lower)
        if known > 1:
            connect(s.lifted[0 : known - 1], s.steps.value[total - known + 1 : total])

        top = nbits - (words(nbits) - 1) * turned  # bits of the modulus in its highest word
        connect(s.modulus.turned[0:top], s.mod[0:top])
        if top < turned and several:

            @update
            def cut_modulus():
                s.modulus.turned[top:turned] @= s.mod[top:turned]
                if s.steps.index[first:above] == High(highest):
                    s.modulus.turned[top:turned] @= 0

        elif top < turned:
            connect(s.modulus.turned[top:turned], 0)

        @update
        def products():
            s.idle @= ~s.steps.active & ~s.ended
            s.ends @= s.steps.over & s.multiplies & (s.index == 0)
            s.steps.start @= s.start | (s.steps.over & ~s.ends)

        @update
        def operands():
            s.steps.bit_in @= s.result_bit.chosen
            if s.multiplies ^ s.steps.lifts:  # so will the step whose bit this is
                s.steps.bit_in @= s.base_bit.chosen
            s.steps.multiplicand @= s.multiplicand.word
            if s.opens:
                s.steps.multiplicand @= zext(s.steps.index == 0, word_bits)
                if ~s.steps.lifts:
                    s.steps.bit_in @= s.steps.place == 0
            if s.start:
                s.steps.bit_in @= 0

        @update
        def keep():
            s.high @= s.kept.value[0:result_turned]
            if s.steps.lifts & (~s.multiplies | s.exp_bit.chosen):
                s.high @= s.lifted
            if s.empties:
                s.high @= 0

        @update_ff
        def follow_end():
            if s.reset:
                s.ended <<= 0
            elif s.ends:
                s.ended <<= 1
            elif s.leave:
                s.ended <<= 0

        @update_ff
        def follow_bits():
            if ~s.steps.active:
                s.index <<= Bit(nbits - 1)
                s.multiplies <<= 0
                s.opens <<= 1
            elif s.steps.over:
                s.multiplies <<= ~s.multiplies
                s.opens <<= 0
                if s.multiplies:
                    s.index <<= s.index - 1

        @update_ff
        def judge():
            if s.reset:
                s.no_modulus <<= 0
            elif s.start:
                s.no_modulus <<= 1
            elif s.steps.active & (s.steps.modulus != 0):
                s.no_modulus <<= 0

    def line_trace(s) -> str:
        """Show I idle, S squares, M multiplies, D done; the exponent's place, steps, the result."""
        state = "D" if s.ended else "I" if s.idle else "SM"[int(s.multiplies)]
        return f"({state} {s.index} {s.steps.line_trace()} {s.kept.line_trace()})"


class TurningOperand(Component):
    """Keeps a number that is written at once, and turns it by words; the low one is seen."""

    def construct(s, nbits: int, total: int, turned: int):
        s.load = InPort()
        s.turn = InPort()
        s.value = InPort(nbits)
        s.low = OutPort(turned)
        s.kept = Register(total)
        s.low //= s.kept[0:turned]
        s.next = Wire(total)
        if total == turned:
            s.next //= s.kept
        else:
            connect(s.next[0 : total - turned], s.kept[turned:total])
            connect(s.next[total - turned : total], s.low)

        @update_ff
        def keep():
            if s.load:
                s.kept <<= zext(s.value, total)
            elif s.turn:
                s.kept <<= s.next

    def line_trace(s) -> str:
        return f"{s.kept}"


class TinyRTL(Component):
    """Holds the operands for the core where requests come whole, from anywhere."""

    def construct(s, nbits: int, word_bits: int):
        turned = turned_bits(nbits, word_bits)
        total = turned * words(nbits)
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.load = Wire()
        s.core = TinyCore(nbits, word_bits)
        s.base = TurningOperand(nbits, total, turned)
        s.exp = TurningOperand(nbits, total, turned)
        s.mod = TurningOperand(nbits, total, turned)
        for operand in (s.base, s.exp, s.mod):
            connect(operand.load, s.load)
            connect(operand.turn, s.core.turn)
        s.base.value //= s.recv.msg.base
        s.exp.value //= s.recv.msg.exp
        s.mod.value //= s.recv.msg.mod
        s.core.base //= s.base.low
        s.core.exp //= s.exp.low
        s.core.mod //= s.mod.low
        s.core.start //= s.load
        s.core.pop //= 0

        @update
        def ports():
            s.recv.rdy @= s.core.idle
            s.load @= s.recv.val & s.core.idle
            s.send.val @= s.core.done
            s.core.leave @= s.core.done & s.send.rdy
            s.send.msg.result @= s.core.result[0:nbits]
            s.send.msg.status @= s.core.bad

    def line_trace(s) -> str:
        return f"{s.recv}{s.core.line_trace()}{s.send}"


@dataclass(frozen=True)
class Tiny(Exponentiator):
    """Makes a square and a product per exponent bit, a word per cycle, for any modulus."""

    result_stays = True
    constant_time = True
    schedule = f"{LEFT_TO_RIGHT_ALWAYS.text} one unit"

    word_bits: int = 8

    @property
    def wiped(self) -> tuple[int, ...]:
        """Return all operands if they turn, as those of several words do."""
        return (BASE, EXP, MOD) if words(self.nbits) > 1 else ()

    def counts(self, exp: int) -> Counts:
        """Count the loop's products, the same for every exponent."""
        return LEFT_TO_RIGHT_ALWAYS.counts(exp, self.nbits)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """Count cycles to the response, the same for all."""
        return tiny_exp_latency(self.nbits, self.word_bits)

    def rtl(self) -> Component:
        """Make a new component of the hardware, with registers for requests that come whole."""
        return TinyRTL(self.nbits, self.word_bits)
