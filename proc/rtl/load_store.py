"""Bytes and halves of the memory's words."""

from pymtl3 import Bits4, Component, InPort, OutPort, Wire, concat, sext, update, zext

from proc.isa import F3_B, F3_BU, F3_H, F3_HU


class StoreAlign(Component):
    """Makes the lanes and the word of an access of the size that fn (a funct3) names."""

    def construct(s):
        s.fn = InPort(3)
        s.offset = InPort(2)
        s.value = InPort(32)
        s.strb = OutPort(4)
        s.data = OutPort(32)
        s.misaligned = OutPort()

        @update
        def align():
            if s.fn[0:2] == F3_B:
                s.strb @= Bits4(1) << zext(s.offset, 4)
                s.data @= concat(s.value[0:8], s.value[0:8], s.value[0:8], s.value[0:8])
                s.misaligned @= 0
            elif s.fn[0:2] == F3_H:
                s.strb @= concat(s.offset[1], s.offset[1], ~s.offset[1], ~s.offset[1])
                s.data @= concat(s.value[0:16], s.value[0:16])
                s.misaligned @= s.offset[0]
            else:
                s.strb @= 0xF
                s.data @= s.value
                s.misaligned @= s.offset != 0


class LoadAlign(Component):
    """value = the part of `word` at `offset` that fn names, extended as fn says."""

    def construct(s):
        s.fn = InPort(3)
        s.offset = InPort(2)
        s.word = InPort(32)
        s.value = OutPort(32)

        s.one_half = Wire(16)
        s.one_byte = Wire(8)

        @update
        def select():
            if s.offset[1]:
                s.one_half @= s.word[16:32]
            else:
                s.one_half @= s.word[0:16]
            if s.offset[0]:
                s.one_byte @= s.one_half[8:16]
            else:
                s.one_byte @= s.one_half[0:8]

        @update
        def extend():
            if s.fn == F3_B:
                s.value @= sext(s.one_byte, 32)
            elif s.fn == F3_H:
                s.value @= sext(s.one_half, 32)
            elif s.fn == F3_BU:
                s.value @= zext(s.one_byte, 32)
            elif s.fn == F3_HU:
                s.value @= zext(s.one_half, 32)
            else:
                s.value @= s.word
