"""Which division's answer the divider still holds: a remainder after its quotient is free."""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff

from rtl.leaf.register import Register


class DivisionTag(Component):
    """Remembers the source registers of the last division while neither has been written.

    hit: the instruction in D is a division of the same registers and signedness, so that the
    same values are divided. `enter` says that the instruction in D moves to X in this cycle.
    """

    def construct(s):
        s.enter = InPort()
        s.is_div = InPort()
        s.as_unsigned = InPort()
        s.rs1 = InPort(5)
        s.rs2 = InPort(5)
        s.wen = InPort()
        s.rd = InPort(5)
        s.hit = OutPort()
        s.live = OutPort()

        s.tag_rs1 = Register(5)
        s.tag_rs2 = Register(5)
        s.tag_as_unsigned = Register()
        s.next_rs1 = Wire(5)
        s.next_rs2 = Wire(5)
        s.overwritten = Wire()

        @update
        def compare():
            s.hit @= (
                s.live
                & s.is_div
                & (s.as_unsigned == s.tag_as_unsigned)
                & (s.rs1 == s.tag_rs1)
                & (s.rs2 == s.tag_rs2)
            )
            s.next_rs1 @= s.tag_rs1
            s.next_rs2 @= s.tag_rs2
            if s.is_div:
                s.next_rs1 @= s.rs1
                s.next_rs2 @= s.rs2
            s.overwritten @= s.wen & ((s.rd == s.next_rs1) | (s.rd == s.next_rs2))

        @update_ff
        def remember():
            if s.reset:
                s.live <<= 0
            elif s.enter:
                s.live <<= (s.live | s.is_div) & ~s.overwritten
            if s.enter & s.is_div:
                s.tag_rs1 <<= s.rs1
                s.tag_rs2 <<= s.rs2
                s.tag_as_unsigned <<= s.as_unsigned
