"""The P- and the Z-processor (document 003, figure 17.2): each makes U = (U + V) / 2 word by word.

V is chosen by a bit of A and the lowest bit of U. The P-processor also makes 2B + N for both, and
what signs are asked of: the doublings on the way to R^2, and the last subtraction.
"""

from pymtl3 import Component, InPort, OutPort, Wire, concat, update, update_ff

from rtl.leaf.flattened import Flattened
from rtl.leaf.register import Register
from rtl.leaf.serial_adder import SerialAdder
from rtl.mul.serial_memory import MemorySection
from rtl.mul.serial_words import SerialFetch, Stages, mk_word


class StepOperand(Flattened):
    """value = a * double + odd * n, for both = double + n."""

    def construct(s, bits: int):
        s.a = InPort()
        s.odd = InPort()
        s.double = InPort(bits)
        s.n = InPort(bits)
        s.both = InPort(bits)
        s.value = OutPort(bits)

        @update
        def choose():
            s.value @= 0
            if s.a & s.odd:
                s.value @= s.both
            elif s.a:
                s.value @= s.double
            elif s.odd:
                s.value @= s.n


class RegisterA(Component):
    """Keeps the operand whose bits are taken in turn; it comes in words, or whole with `set`."""

    def construct(s, bits: int, words: int):
        total = bits * words
        s.set = InPort()
        s.value = InPort(total)
        s.push = InPort()
        s.word = InPort(bits)
        s.shift = InPort()
        s.lowest = OutPort()
        s.low = OutPort(bits)
        s.held = Register(total)
        s.lowest //= s.held[0]
        s.low //= s.held[0:bits]

        @update_ff
        def hold():
            if s.set:
                s.held <<= s.value
            elif s.push:
                s.held <<= concat(s.word, s.held[bits:total])
            elif s.shift:
                s.held <<= s.held >> 1

    def line_trace(s) -> str:
        return f"{s.held}"


class Processor(Component):
    """Has what both processors have: V, the adder, and how sums are halved on their way to U.

    u is the word of U that is fetched, which is 0 if it is fresh; its next words leave as `half`.
    """

    def construct(s, bits: int, words: int):
        Word = mk_word(words)
        s.fetched = InPort(Word)
        s.summed = InPort(Word)
        s.fetch = InPort(SerialFetch)
        s.a = InPort()  # the step's bit of A
        s.u = InPort(bits)
        s.double = InPort(bits)
        s.n = InPort(bits)
        s.both = InPort(bits)
        s.half = OutPort(bits)
        s.sum = OutPort(bits)

        s.old = Wire(bits)  # the word of U
        s.odd = Register()  # the lowest bit of U, as the pass began
        s.next_odd = Register()
        s.previous = Register(bits)  # the sum of the word before
        s.operand = StepOperand(bits)
        s.operand.a //= s.a
        s.operand.double //= s.double
        s.operand.n //= s.n
        s.operand.both //= s.both
        s.adder = SerialAdder(bits)
        s.adder.first //= s.fetched.first
        s.adder.sum //= s.sum

        @update
        def halve():
            s.operand.odd @= s.odd & ~s.fetch.fresh
            # After the last word comes the lowest of the next sum, which is even: 0 at the top.
            s.half @= concat(s.sum[0], s.previous[1:bits])
            s.old @= s.u
            if s.fetch.fresh:
                s.old @= 0

        @update_ff
        def keep():
            s.previous <<= s.sum
            if s.summed.first:
                s.next_odd <<= s.sum[1]
            if s.fetched.last:
                s.odd <<= s.next_odd

    def serve(
        s, fetched: object, fetch: object, stages: Stages, memory: MemorySection, a: RegisterA
    ) -> None:
        """Connect what every processor is given by what stands beside it."""
        s.fetched //= fetched
        s.fetch //= fetch
        s.summed //= stages.summed
        s.n //= memory.n
        s.double //= memory.double
        s.both //= memory.both
        s.a //= a.lowest

    def line_trace(s) -> str:
        return f"{int(s.a)}{int(s.odd)} {s.adder.line_trace()}"


class ZProcessor(Processor):
    """Makes the steps of products, nothing else."""

    def construct(s, bits: int, words: int):
        super().construct(bits, words)
        s.adder.carry_in //= 0
        s.adder.left //= s.old
        s.adder.right //= s.operand.value


class PProcessor(Processor):
    """Makes the steps of products, and beside them sums of a word of U, 2B or `start` with N's.

    Beside a step, N is added, subtracted, or left out; `negative` says so of the last number
    that may have been.
    """

    def construct(s, bits: int, words: int):
        super().construct(bits, words)
        top = bits - 1
        s.start = InPort(bits)
        s.negative = OutPort()
        s.written = OutPort(bits)
        s.right = Wire(bits)
        s.adder.carry_in //= s.fetch.subtract

        @update
        def choose_left():
            s.adder.left @= s.start
            if s.fetch.from_u:
                s.adder.left @= s.old
            elif s.fetch.from_double:
                s.adder.left @= s.double

        @update
        def choose_right():
            s.right @= 0
            if s.fetch.stepping:
                s.right @= s.operand.value
            elif s.fetch.with_n:
                s.right @= s.n

        @update
        def complement():
            s.adder.right @= s.right
            if s.fetch.subtract:
                s.adder.right @= ~s.right

        @update
        def shift():
            s.written @= s.sum
            if s.summed.twice:
                s.written @= concat(s.sum[0:top], s.previous[top] & ~s.summed.first)

        @update_ff
        def sign():
            if s.reset:
                s.negative <<= 0
            elif s.summed.tells_sign & s.summed.last:
                s.negative <<= s.sum[top]
