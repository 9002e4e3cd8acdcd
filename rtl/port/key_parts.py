"""The peripheral's register of a key in its parts (fl/peripheral_crt.py), beside its other ones."""

from pymtl3 import Component, InPort, OutPort, Wire, connect, update, update_ff, zext

from fl.axi_lite import ADDRESS_BITS
from fl.peripheral_crt import HAS_PARTS, KEY_PARTS, PARTS
from fl.peripheral_map import CAPABILITIES
from fl.xcel import WORD_BITS, words
from rtl.leaf.register import Register
from rtl.port.operand_banks import KeptWord, place_bits


class KeyParts(Component):
    """Keeps the parts of a key of n bits, and whether the operation is by them.

    takes: what is written is a place of a part, now. also: what a read gives beside others' data.
    """

    def construct(s, nbits: int):
        half_bits = -(-nbits // 2)
        half_words = words(half_bits)
        count = len(PARTS) * half_words
        at_bits = place_bits(WORD_BITS * count)
        has_parts = HAS_PARTS
        s.write = InPort()
        s.to = InPort(ADDRESS_BITS)
        s.data = InPort(WORD_BITS)
        s.from_ = InPort(ADDRESS_BITS)
        s.word = InPort(WORD_BITS)
        s.busy = InPort()
        s.start = InPort()
        s.takes = OutPort()
        s.also = OutPort(WORD_BITS)
        s.by_parts = OutPort()
        s.chosen = Wire(count)
        s.is_by_parts = Register()
        s.by_parts //= s.is_by_parts
        s.banks = [KeptWord() for _ in range(count)]
        for i, bank in enumerate(s.banks):
            connect(bank.write, s.chosen[i])
            connect(bank.data, s.word)
        for i, name in enumerate(PARTS):
            part = OutPort(half_bits)
            setattr(s, name, part)
            for j in range(half_words):
                at = WORD_BITS * j
                bits = min(WORD_BITS, half_bits - at)
                connect(part[at : at + bits], s.banks[i * half_words + j].word[0:bits])

        @update
        def choose():
            s.takes @= (s.to == KEY_PARTS) & ~s.busy & (s.data < count)
            s.chosen @= zext(s.write & s.takes, count) << zext(s.data[0:at_bits], count)

        @update
        def tell():
            s.also @= 0
            if s.from_ == CAPABILITIES:
                s.also @= has_parts

        @update_ff
        def keep():
            if s.reset:
                s.is_by_parts <<= 0
            elif s.start:
                s.is_by_parts <<= s.data[5]

    def line_trace(s) -> str:
        """Show k for an operation by the parts."""
        return "k" if s.is_by_parts else "."
