"""Document 003's Montgomery product by itself: P-processor and memory section (algorithm 17.1.1).

LOAD       m and b, in words, into the memories of N and 2B
PREPARE    2B + N
STEP       U = (U + V) / 2, n + 3 times
UNLOAD     U, in words, into the register that b came from
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, clog2, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.digit_serial import serial_unit_latency
from cl.unit import Unit
from fl.digit_serial import serial_product, serial_radix, serial_words
from fl.messages import mk_mul_msgs
from fl.mont_mul import GUARD_BITS
from rtl.leaf.ram import Ram
from rtl.leaf.register import Register
from rtl.mul.serial_memory import BusRegister, MemorySection
from rtl.mul.serial_processor import PProcessor, RegisterA
from rtl.mul.serial_words import Passes, SerialFetch, Stages, mk_word

IDLE, LOAD, PREPARE, STEP, UNLOAD, DONE = range(6)


class DigitSerialRTL(Component):
    """r = serial_product in fl; time as cl/digit_serial.py."""

    def construct(s, nbits: int, word_bits: int):
        words = serial_words(nbits, word_bits)
        total = words * word_bits
        width = nbits + GUARD_BITS
        steps = serial_radix(nbits) + 1
        Count = mk_bits(clog2(steps))
        Word = mk_word(words)
        Request, Response = mk_mul_msgs(nbits, GUARD_BITS)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.state = Register(3)
        s.left = Register(Count)
        s.fresh = Register()
        s.load = Wire()
        s.none_left = Wire()
        s.fetched = Wire(Word)
        s.fetch = Wire(SerialFetch)

        s.passes = Passes(words)
        s.stages = Stages(words)
        s.memory = MemorySection(word_bits, words)
        s.a = RegisterA(word_bits, words)
        s.b = BusRegister(word_bits, words)
        s.m = BusRegister(word_bits, words)
        s.u = Ram(words, word_bits)
        s.p = PProcessor(word_bits, words)
        s.stages.fetched //= s.fetched
        s.memory.fetched //= s.fetched
        s.memory.summed //= s.stages.summed
        s.memory.store_n //= s.fetch.storing
        s.memory.bus //= s.m.word_out
        s.memory.new_double //= s.p.written
        s.memory.new_both //= s.p.sum
        s.p.serve(s.fetched, s.fetch, s.stages, s.memory, s.a)
        s.p.u //= s.u.out
        s.p.start //= s.b.word_out
        s.u.at //= s.fetched.index
        s.u.to //= s.stages.halved.index
        s.u.write //= s.stages.halved.to_p
        s.u.data //= s.p.half
        s.a.set //= s.load
        s.a.push //= 0
        s.a.word //= 0
        s.a.shift //= s.fetch.shifting
        s.b.set //= s.load
        s.b.word_in //= s.u.out
        s.m.set //= s.load
        s.m.word_in //= 0
        s.m.shift //= s.fetch.storing
        s.send.msg.r //= s.b.held[0:width]

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.load @= (s.state == IDLE) & s.recv.val

        @update
        def operands():
            s.a.value @= zext(s.recv.msg.a, total)
            s.b.value @= zext(s.recv.msg.b, total)
            s.m.value @= zext(s.recv.msg.m, total)
            s.b.shift @= (s.state == LOAD) | (s.state == UNLOAD)

        @update
        def when_pass_ends():
            s.none_left @= s.left == 0
            s.passes.active @= (s.state != IDLE) & (s.state != DONE)
            s.passes.chained @= (s.state != STEP) | ~s.none_left

        @update
        def words_go():
            s.fetched @= Word()
            s.fetched.index @= s.passes.index
            s.fetched.first @= s.passes.first
            s.fetched.last @= s.passes.last
            s.fetched.twice @= s.state == LOAD
            s.fetched.to_double @= s.state == LOAD
            s.fetched.to_both @= s.state == PREPARE
            s.fetched.to_p @= (s.state == STEP) & s.passes.passing
            s.fetch @= SerialFetch()
            s.fetch.storing @= s.state == LOAD
            s.fetch.from_double @= s.state == PREPARE
            s.fetch.with_n @= s.state == PREPARE
            s.fetch.from_u @= s.state == STEP
            s.fetch.stepping @= s.state == STEP
            s.fetch.fresh @= s.fresh
            s.fetch.shifting @= (s.state == STEP) & s.passes.last

        @update_ff
        def next_state():
            if s.reset:
                s.state <<= IDLE
            elif s.load:
                s.state <<= LOAD
            elif s.send.val & s.send.rdy:
                s.state <<= IDLE
            elif s.passes.over & ((s.state != STEP) | s.none_left):
                s.state <<= s.state + 1  # each follows the one before

        @update_ff
        def count():
            if s.passes.over:
                s.fresh <<= s.state == PREPARE
                s.left <<= s.left - 1
                if s.state == PREPARE:
                    s.left <<= Count(steps - 1)

    def line_trace(s) -> str:
        return f"{s.recv}({'ILPSUD'[int(s.state)]} {s.passes.line_trace()}){s.send}"


@dataclass(frozen=True)
class DigitSerial(Unit):
    """r = a * b / 2^(n+2) mod m below 2m, for odd m; a bit of operand a per pass over the words."""

    hardware = DigitSerialRTL

    word_bits: int

    guard_bits = GUARD_BITS

    @property
    def radix(self) -> int:
        """Return r of R = 2^r."""
        return serial_radix(self.nbits)

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: for m odd, b below 2m."""
        return m % 2 == 1 and b < 2 * m

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product in the Montgomery domain."""
        return serial_product(a, b, m, self.nbits)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response."""
        return serial_unit_latency(self.nbits, self.word_bits)
