"""Interleaved multiplication a word per cycle, a pass over the words per step.

fl/tiny.py's step, by four adders of one word. While the words of a value pass, from the lowest up,

    reduced  value - held*m              held is 0, 1 or 2, known from the pass before
    next     2*reduced + bit*multiplicand
    once     whether next holds m
    twice    whether next holds 2*m

and the next value goes where the value was. After the last bit the words of `reduced` are those of
the product. A pass ends with its last word: what leads over from word to word begins anew.
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

from cl.tiny import tiny_latency, word_count
from cl.unit import Unit
from fl.messages import mk_mul_msgs
from fl.tiny import late_product
from rtl.leaf.interleaved import BitsAt
from rtl.leaf.register import Register
from rtl.leaf.serial_adder import WordAdder
from rtl.leaf.turning_words import TurningWords, check_word

IDLE, WORK, DONE = 0, 1, 2


class StepControl(Component):
    """Leads through the passes of a product after `start`; `over` is its last cycle.

    `place` is that of the bit which the next pass adds: the highest one while nothing is done, and
    in the last pass, which lifts the product out. It `lifts` until the next start.
    """

    def construct(s, nbits: int, count: int):
        Place = mk_bits(clog2(nbits))
        Index = mk_bits(max(1, clog2(count)))
        s.start = InPort()
        s.active = OutPort()
        s.first = OutPort()  # word of a pass
        s.last = OutPort()
        s.fresh = OutPort()  # there is no value yet
        s.lifts = OutPort()
        s.over = OutPort()
        s.index = OutPort(Index)  # of the word
        s.place = OutPort(Place)
        s.works = Register()
        s.begins = Register()
        s.ends = Register()
        s.next_place = Register(Place)
        s.active //= s.works
        s.fresh //= s.begins
        s.lifts //= s.ends
        s.place //= s.next_place

        if count == 1:
            s.first //= 1
            s.last //= 1
            s.index //= 0
        else:
            s.word = Register(Index)
            s.index //= s.word

            @update
            def end_words():
                s.first @= s.word == 0
                s.last @= s.word == Index(count - 1)

            @update_ff
            def count_words():
                if ~s.works | s.last:
                    s.word <<= 0
                else:
                    s.word <<= s.word + 1

        @update
        def end_product():
            s.over @= s.works & s.last & s.ends

        @update_ff
        def work():
            if s.reset:
                s.works <<= 0
            elif s.start:
                s.works <<= 1
            elif s.over:
                s.works <<= 0

        @update_ff
        def follow_passes():
            if s.reset | (~s.works & ~s.start):
                s.begins <<= 1
                s.ends <<= 1
                s.next_place <<= Place(nbits - 1)
            elif s.start:
                s.begins <<= 1
                s.ends <<= 0
                s.next_place <<= Place(nbits - 2)
            elif s.last:
                s.begins <<= 0
                if s.next_place == Place(nbits - 1):
                    s.ends <<= 1
                elif s.next_place == 0:
                    s.next_place <<= Place(nbits - 1)
                else:
                    s.next_place <<= s.next_place - 1

    def line_trace(s) -> str:
        """Show the place that comes next, L while it lifts; the word."""
        return f"{'L' if s.works & s.ends else ' '} {s.next_place} {s.index}"


class LateSteps(Component):
    """product = bits * multiplicand mod m, for multiplicand <= m; m = 0 gives any value.

    It begins after `start`. The word of m at `index` is wanted in every cycle, the multiplicand's
    until it `lifts`, the bit at `place` with `start` and with the last word of a pass. Words of the
    product come while it `lifts`, the last with `over`. `value` is 2*product then, below the word
    that comes: the lowest bit of its highest word is that of the word before, at `next_lower`.
    """

    def construct(s, nbits: int, word_bits: int, count: int):
        total = word_bits * count
        top = word_bits - 1
        Word = mk_bits(word_bits)
        ones = (1 << word_bits) - 1
        s.start = InPort()
        s.bit_in = InPort()
        s.modulus = InPort(word_bits)
        s.multiplicand = InPort(word_bits)
        s.index = OutPort(max(1, clog2(count)))
        s.place = OutPort(clog2(nbits))
        s.active = OutPort()
        s.last = OutPort()
        s.lifts = OutPort()
        s.over = OutPort()
        s.product = OutPort(word_bits)
        s.next_lower = OutPort()
        s.value = OutPort(total)
        s.values = Register(total)
        s.adding = Register()
        s.holds_once = Register()
        s.holds_twice = Register()
        s.reducing = Register()  # carries
        s.stepping = Register()
        s.trying_once = Register()
        s.trying_twice = Register()
        s.passed = Register()  # the highest bit of the word before: of what is reduced
        s.modulus_passed = Register()  # of the modulus
        s.twice_modulus = Wire(word_bits)
        s.doubled = Wire(word_bits)
        s.once = Wire()
        s.twice = Wire()

        s.control = StepControl(nbits, count)
        s.reduce = WordAdder(word_bits)
        s.step = WordAdder(word_bits)
        s.try_once = WordAdder(word_bits)
        s.try_twice = WordAdder(word_bits)
        s.control.start //= s.start
        s.control.index //= s.index
        s.control.place //= s.place
        s.control.active //= s.active
        s.control.last //= s.last
        s.control.lifts //= s.lifts
        s.control.over //= s.over
        s.value //= s.values
        s.reduce.sum //= s.product
        s.step.left //= s.doubled
        s.try_once.left //= s.step.sum
        s.try_twice.left //= s.step.sum
        s.next_lower //= s.passed
        if word_bits > 1:
            connect(s.doubled[1:word_bits], s.product[0:top])
            connect(s.twice_modulus[1:word_bits], s.modulus[0:top])

        if count == 1:

            @update_ff
            def replace_value():
                s.values <<= s.step.sum

        else:

            @update_ff
            def move_words():
                s.values <<= concat(s.step.sum, s.values[word_bits:total])

        @update
        def double():
            s.doubled[0] @= s.passed & ~s.control.first
            s.twice_modulus[0] @= s.modulus_passed & ~s.control.first

        @update
        def choose_value():
            s.reduce.left @= s.values[0:word_bits]
            if s.control.fresh:
                s.reduce.left @= 0

        @update
        def choose_held():
            s.reduce.right @= Word(ones)
            if s.holds_once:
                s.reduce.right @= ~s.modulus
            if s.holds_twice:
                s.reduce.right @= ~s.twice_modulus

        @update
        def choose_addend():
            s.step.right @= 0
            if s.adding & ~s.control.lifts:
                s.step.right @= s.multiplicand

        @update
        def compare():
            s.try_once.right @= ~s.modulus
            s.try_twice.right @= ~s.twice_modulus

        @update
        def carry():
            s.reduce.carry_in @= s.reducing | s.control.first
            s.step.carry_in @= s.stepping & ~s.control.first
            s.try_once.carry_in @= s.trying_once | s.control.first
            s.try_twice.carry_in @= s.trying_twice | s.control.first

        @update
        def judge():
            # A step's value has two bits above the words, whose sum is at most 2; twice m has one.
            s.once @= s.product[top] | s.step.carry_out | s.try_once.carry_out
            s.twice @= (
                (s.product[top] & s.step.carry_out)
                | ((s.product[top] | s.step.carry_out) & (~s.modulus[top] | s.try_twice.carry_out))
                | (~s.modulus[top] & s.try_twice.carry_out)
            )

        @update_ff
        def between_words():
            s.reducing <<= s.reduce.carry_out
            s.stepping <<= s.step.carry_out
            s.trying_once <<= s.try_once.carry_out
            s.trying_twice <<= s.try_twice.carry_out
            s.passed <<= s.product[top]
            s.modulus_passed <<= s.modulus[top]

        @update_ff
        def between_passes():
            if s.start | ~s.control.active:
                s.holds_once <<= 0
                s.holds_twice <<= 0
            elif s.control.last:
                s.holds_once <<= s.once
                s.holds_twice <<= s.twice
            if s.start | s.control.last:
                s.adding <<= s.bit_in

    def line_trace(s) -> str:
        """Show the pass, how often the value holds m, the value."""
        held = 2 if s.holds_twice else int(s.holds_once)
        return f"{s.control.line_trace()} {held} {s.values}"


class TinyMulRTL(Component):
    """r = a * b mod m, for m >= 1, a <= m and any b; time as in cl/tiny.py."""

    def construct(s, nbits: int, word_bits: int = 8):
        check_word(word_bits)
        count = word_count(nbits, word_bits)
        total = word_bits * count
        Request, Response = mk_mul_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.state = Register(2)
        s.request = Register(Request)
        s.load = Wire()

        s.steps = LateSteps(nbits, word_bits, count)
        s.product = TurningWords(total, word_bits)
        s.a_word = BitsAt(nbits, word_bits)
        s.m_word = BitsAt(nbits, word_bits)
        s.b_bit = BitsAt(nbits, 1)
        s.a_word.value //= s.request.a
        s.m_word.value //= s.request.m
        s.a_word.place //= s.steps.index
        s.m_word.place //= s.steps.index
        s.b_bit.place //= s.steps.place
        s.steps.start //= s.load
        s.steps.bit_in //= s.b_bit.bits
        s.steps.modulus //= s.m_word.bits
        s.steps.multiplicand //= s.a_word.bits
        s.product.high //= s.steps.product

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.send.msg.r @= s.product.value[0:nbits]

        @update
        def keep():
            s.product.turn @= s.steps.active & s.steps.lifts

        @update
        def accept():
            s.load @= (s.state == IDLE) & s.recv.val
            s.b_bit.value @= s.request.b
            if s.load:
                s.b_bit.value @= s.recv.msg.b

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.load:
                s.state <<= WORK
            elif s.state == WORK:
                if s.steps.over:
                    s.state <<= DONE
            elif s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def hold():
            if s.load:
                s.request <<= s.recv.msg

    def line_trace(s) -> str:
        """Show I idle, W works, D done, and the steps."""
        return f"{s.recv}({'IWD'[int(s.state)]} {s.steps.line_trace()}){s.send}"


@dataclass(frozen=True)
class TinyMul(Unit):
    """r = a * b mod m, for m >= 1, a <= m and any n-bit b, a word per cycle."""

    hardware = TinyMulRTL

    word_bits: int = 8

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product modulo m."""
        return late_product(a, b, self.nbits, m)

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: a is the modulus at most."""
        return m >= 1 and a <= m

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, the same for all."""
        return tiny_latency(self.nbits, self.word_bits)
