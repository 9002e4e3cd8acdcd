"""The immediate of an instruction word, in the format that the decoder names."""

from pymtl3 import Bits1, Bits12, Component, InPort, OutPort, Wire, concat, sext, update, zext

from proc.rtl.control_word import IMM_B, IMM_J, IMM_S, IMM_U, IMM_Z


class Immediate(Component):
    """value = the sign-extended immediate of `word`, or the zero-extended one of IMM_Z."""

    def construct(s):
        s.word = InPort(32)
        s.format = InPort(3)
        s.value = OutPort(32)

        s.i = Wire(12)
        s.s = Wire(12)
        s.b = Wire(13)
        s.u = Wire(32)
        s.j = Wire(21)

        @update
        def gather():
            s.i @= s.word[20:32]
            s.s @= concat(s.word[25:32], s.word[7:12])
            s.b @= concat(s.word[31], s.word[7], s.word[25:31], s.word[8:12], Bits1(0))
            s.u @= concat(s.word[12:32], Bits12(0))
            s.j @= concat(s.word[31], s.word[12:20], s.word[20], s.word[21:31], Bits1(0))

        @update
        def select():
            if s.format == IMM_S:
                s.value @= sext(s.s, 32)
            elif s.format == IMM_B:
                s.value @= sext(s.b, 32)
            elif s.format == IMM_U:
                s.value @= s.u
            elif s.format == IMM_J:
                s.value @= sext(s.j, 32)
            elif s.format == IMM_Z:
                s.value @= zext(s.word[15:20], 32)
            else:
                s.value @= sext(s.i, 32)
