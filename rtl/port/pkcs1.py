"""The blocks of fl/pkcs1.py a byte per cycle, from the highest place of an operand to the lowest.

Every pass takes as many cycles as the operand has bytes, whatever it meets there. The modulus comes
in step: its first byte that is not 0 tells where a block begins.
"""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, update, update_ff, zext

from fl.pkcs1 import ENCRYPTION, FIRST_END, LEAST_BYTES, SIGNATURE
from fl.xcel import words
from rtl.leaf.register import Register

END, SIGNATURES_BYTE = 0x00, 0xFF  # after the padding; in it


def byte_places(nbits: int) -> int:
    """Return the bytes of an operand's words."""
    return 4 * words(nbits)


def length_bits_of(nbits: int) -> int:
    """Return the bits of a length in bytes, and of the least modulus that has blocks."""
    return clog2(max(byte_places(nbits), LEAST_BYTES) + 1)


class Places(Component):
    """Counts down the places of a pass, and up those of the block in it.

    in_block: the place is one of the block's; position: which, from its top on, up to FIRST_END;
    top: the first.
    """

    def construct(s, nbits: int):
        bits = clog2(byte_places(nbits))
        highest = byte_places(nbits) - 1
        s.restart = InPort()
        s.step = InPort()
        s.modulus_byte = InPort(8)
        s.place = OutPort(bits)
        s.position = OutPort(4)
        s.in_block = OutPort()
        s.top = OutPort()
        s.last = OutPort()
        s.left = Register(bits)
        s.counted = Register(4)
        s.place //= s.left
        s.position //= s.counted

        @update
        def find():
            s.in_block @= (s.counted != 0) | (s.modulus_byte != 0)
            s.top @= s.in_block & (s.counted == 0)
            s.last @= s.left == 0

        @update_ff
        def count():
            if s.restart:
                s.left <<= highest
                s.counted <<= 0
            elif s.step:
                s.left <<= s.left - 1
                if s.in_block & (s.counted != FIRST_END):
                    s.counted <<= s.counted + 1

    def line_trace(s) -> str:
        return f"{s.place}"


class Pad(Component):
    """Makes the input a block where it is to be one, and clears what is above its length.

    draws: the place takes a random byte, also where that is not used, so that time does not tell
    the message's length. blocks, k, below: of the whole pass, after it: the modulus has bytes
    enough for a block; how many it has; the input is below it.
    """

    def construct(s, nbits: int):
        count = byte_places(nbits)
        bits, length_bits = clog2(count), length_bits_of(nbits)
        s.restart = InPort()
        s.step = InPort()
        s.kind = InPort(2)
        s.pads = InPort()
        s.length = InPort(length_bits)
        s.place = InPort(bits)
        s.position = InPort(4)
        s.in_block = InPort()
        s.top = InPort()
        s.here = InPort(8)
        s.modulus_byte = InPort(8)
        s.random = InPort(8)
        s.draws = OutPort()
        s.padded = OutPort(8)
        s.blocks = OutPort()
        s.k = OutPort(length_bits)
        s.below = OutPort()

        s.has_blocks = Register()
        s.known_k = Register(length_bits)
        s.reach = Register(length_bits)  # of the message in this block
        s.differs = Register()
        s.is_below = Register()
        s.blocks //= s.has_blocks
        s.k //= s.known_k
        s.below //= s.is_below

        s.at = Wire(length_bits)
        s.blocks_here = Wire()
        s.formats = Wire()

        @update
        def find_block():
            s.at @= zext(s.place, length_bits)
            s.blocks_here @= s.has_blocks
            if s.top:
                s.blocks_here @= s.at >= LEAST_BYTES - 1
            s.formats @= s.pads & s.in_block & s.blocks_here
            s.draws @= s.formats & (s.kind == ENCRYPTION)

        @update
        def choose():
            s.padded @= s.here
            if (s.at >= s.length) | (s.pads & ~s.in_block):
                s.padded @= 0
            if s.formats:
                if s.position == 0:
                    s.padded @= 0
                elif s.position == 1:
                    s.padded @= zext(s.kind, 8)
                elif s.at == s.reach:
                    s.padded @= END
                elif s.at > s.reach:
                    s.padded @= SIGNATURES_BYTE
                    if s.kind == ENCRYPTION:
                        s.padded @= s.random

        @update_ff
        def follow():
            if s.restart:
                s.has_blocks <<= 0
                s.known_k <<= 0
                s.differs <<= 0
                s.is_below <<= 0
            elif s.step:
                if s.top:
                    s.has_blocks <<= s.blocks_here
                    s.known_k <<= s.at + 1
                    s.reach <<= s.length
                    if s.at - FIRST_END < s.length:
                        s.reach <<= s.at - FIRST_END
                if ~s.differs & (s.padded != s.modulus_byte):
                    s.differs <<= 1
                    s.is_below <<= s.padded < s.modulus_byte

    def line_trace(s) -> str:
        return f"{s.padded}"


class Unpad(Component):
    """Finds the message in a block; good, length: of the whole pass, after it."""

    def construct(s, nbits: int):
        bits, length_bits = clog2(byte_places(nbits)), length_bits_of(nbits)
        s.restart = InPort()
        s.step = InPort()
        s.kind = InPort(2)
        s.place = InPort(bits)
        s.position = InPort(4)
        s.in_block = InPort()
        s.here = InPort(8)
        s.good = OutPort()
        s.length = OutPort(length_bits)

        s.ended = Register()
        s.bad = Register()
        s.found = Register(length_bits)
        s.length //= s.found
        s.wrong = Wire()

        @update
        def judge():
            s.good @= s.ended & ~s.bad
            s.wrong @= 0
            if s.position == 0:
                s.wrong @= s.here != 0
            elif s.position == 1:
                s.wrong @= s.here != zext(s.kind, 8)
            elif ~s.ended:
                if s.here == END:
                    s.wrong @= s.position != FIRST_END
                else:
                    s.wrong @= (s.kind == SIGNATURE) & (s.here != SIGNATURES_BYTE)

        @update_ff
        def follow():
            if s.restart:
                s.ended <<= 0
                s.bad <<= 0
            elif s.step & s.in_block:
                s.bad <<= s.bad | s.wrong
                if (s.here == END) & (s.position > 1) & ~s.ended:
                    s.ended <<= 1
                    s.found <<= zext(s.place, length_bits)

    def line_trace(s) -> str:
        return "-" if s.bad else "+"
