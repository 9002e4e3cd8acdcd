"""The memory section: N, 2B and 2B + N, of which both processors read the same words.

Document 003 has one RAM for these, P and Z, addressed by number and word, with two ports to read.
But all that is read in a cycle is the same word of each number: here each has a memory of its own
with one port to read, and P and Z stand in the registers U that made them. Nor is there a RAM of
constants: R^2 is found in 2B's memory, 1 is set in register A, the base waits in the bus register.
"""

from pymtl3 import Component, InPort, OutPort, concat, update_ff

from rtl.leaf.ram import Ram
from rtl.mul.serial_words import mk_word


class MemorySection(Component):
    """Gives the word `fetched` of each number; keeps N's from `bus`, and what is `summed`."""

    def construct(s, bits: int, words: int):
        Word = mk_word(words)
        s.fetched = InPort(Word)
        s.summed = InPort(Word)
        s.store_n = InPort()
        s.bus = InPort(bits)
        s.new_double = InPort(bits)
        s.new_both = InPort(bits)
        s.n = OutPort(bits)
        s.double = OutPort(bits)
        s.both = OutPort(bits)
        for name in ("n", "double", "both"):
            ram = Ram(words, bits)
            setattr(s, f"ram_{name}", ram)
            ram.at //= s.fetched.index
            ram.out //= getattr(s, name)
        s.ram_n.write //= s.store_n
        s.ram_n.to //= s.fetched.index
        s.ram_n.data //= s.bus
        s.ram_double.write //= s.summed.to_double
        s.ram_double.to //= s.summed.index
        s.ram_double.data //= s.new_double
        s.ram_both.write //= s.summed.to_both
        s.ram_both.to //= s.summed.index
        s.ram_both.data //= s.new_both

    def line_trace(s) -> str:
        return f"{s.n} {s.double} {s.both}"


class BusRegister(Component):
    """Holds a number whole at one side, in words at the other: it moves by a word on `shift`."""

    def construct(s, bits: int, words: int):
        total = bits * words
        s.set = InPort()
        s.value = InPort(total)
        s.shift = InPort()
        s.word_in = InPort(bits)
        s.word_out = OutPort(bits)
        s.held = OutPort(total)
        s.word_out //= s.held[0:bits]

        @update_ff
        def hold():
            if s.set:
                s.held <<= s.value
            elif s.shift:
                s.held <<= concat(s.word_in, s.held[bits:total])

    def line_trace(s) -> str:
        return f"{s.held}"
