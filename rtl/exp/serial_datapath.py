"""Document 003's datapath (figure 17.2): memory section, P-processor, and the Z-processor or none.

Without it the P-processor makes both P and Z, each in a register U of its own.
"""

from pymtl3 import Component, InPort, OutPort, mk_bits, update, update_ff, zext

from rtl.leaf.ram import Ram
from rtl.mul.serial_memory import BusRegister, MemorySection
from rtl.mul.serial_processor import PProcessor, RegisterA, ZProcessor
from rtl.mul.serial_words import SerialFetch, SerialProduct, Stages, mk_word


class SerialDatapath(Component):
    """Has what there is with and without the Z-processor.

    `load` takes the modulus, and into the bus register a base; the result is there at the end.
    """

    def construct(s, nbits: int, bits: int, words: int):
        Word = mk_word(words)
        total = bits * words
        A = mk_bits(total)
        start_word, start_bit = nbits // bits, nbits % bits
        s.load = InPort()
        s.base = InPort(nbits)
        s.mod = InPort(nbits)
        s.fetched = InPort(Word)
        s.fetch = InPort(SerialFetch)
        s.product = InPort(SerialProduct)
        s.negative = OutPort()
        s.full = OutPort()  # the modulus has all bits
        s.result = OutPort(nbits)

        s.stages = Stages(words)
        s.memory = MemorySection(bits, words)
        s.bus = BusRegister(bits, words)
        s.u_p = Ram(words, bits)
        s.u_z = Ram(words, bits)
        s.a_p = RegisterA(bits, words)
        s.p = PProcessor(bits, words)

        s.stages.fetched //= s.fetched
        s.memory.fetched //= s.fetched
        s.memory.summed //= s.stages.summed
        s.memory.store_n //= s.fetch.storing
        s.memory.bus //= s.a_p.low
        s.memory.new_both //= s.p.sum
        s.bus.set //= s.load
        s.bus.word_in //= s.p.sum
        s.result //= s.bus.held[0:nbits]
        s.p.negative //= s.negative
        s.p.serve(s.fetched, s.fetch, s.stages, s.memory, s.a_p)
        s.a_p.shift //= s.fetch.shifting
        for u in (s.u_p, s.u_z):
            u.at //= s.fetched.index
            u.to //= s.stages.halved.index
        s.u_p.write //= s.stages.halved.to_p
        s.u_p.data //= s.p.half
        s.u_z.write //= s.stages.halved.to_z

        @update
        def start():
            s.p.start @= 0  # 2^n or 1, where doublings of fl/digit_serial.py start
            s.p.start[0] @= s.fetched.first & ~s.full
            if s.full & (s.fetched.index == start_word):
                s.p.start[start_bit] @= 1

        @update
        def bus_moves():
            s.bus.value @= zext(s.base, total)
            s.bus.shift @= s.stages.summed.to_result | (
                s.fetch.loading & s.product.from_base & s.product.z
            )

        @update
        def register_a():
            s.a_p.set @= s.load | (s.fetch.loading & s.product.from_one & s.product.p)
            s.a_p.push @= s.fetch.storing | s.fetch.loading
            s.a_p.value @= A(1)
            if s.load:
                s.a_p.value @= zext(s.mod, total)

        @update_ff
        def length():
            if s.load:
                s.full <<= s.mod[nbits - 1]


class PDatapath(SerialDatapath):
    """Makes one product at a time."""

    def construct(s, nbits: int, bits: int, words: int):
        super().construct(nbits, bits, words)
        s.memory.new_double //= s.p.written
        s.u_z.data //= s.p.half

        @update
        def choose():
            s.p.u @= s.u_p.out
            if s.product.z:
                s.p.u @= s.u_z.out
            s.a_p.word @= s.p.u
            if s.product.from_base:
                s.a_p.word @= s.bus.word_out

    def line_trace(s) -> str:
        return s.p.line_trace()


class PzDatapath(SerialDatapath):
    """Makes a P and a Z at the same time."""

    def construct(s, nbits: int, bits: int, words: int):
        super().construct(nbits, bits, words)
        s.a_z = RegisterA(bits, words)
        s.z = ZProcessor(bits, words)
        s.z.serve(s.fetched, s.fetch, s.stages, s.memory, s.a_z)
        s.a_z.shift //= s.fetch.shifting
        s.a_z.set //= 0
        s.a_z.value //= 0
        s.p.u //= s.u_p.out
        s.a_p.word //= s.u_p.out
        s.z.u //= s.u_z.out
        s.a_z.push //= s.fetch.loading
        s.u_z.data //= s.z.half

        @update
        def choose():
            s.a_z.word @= s.u_z.out
            if s.product.from_base:
                s.a_z.word @= s.bus.word_out
            s.memory.new_double @= s.p.written
            if s.stages.summed.to_z:
                s.memory.new_double @= s.z.sum

    def line_trace(s) -> str:
        return f"{s.p.line_trace()}|{s.z.line_trace()}"
