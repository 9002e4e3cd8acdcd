"""Stage D's control: what the instruction is, where its operands are, whether it must wait."""

from pymtl3 import Component, InPort, OutPort, Wire, update

from proc.rtl.control_word import UNIT_DIV, ControlWord
from proc.rtl.decoder import Decoder
from proc.rtl.hazards import Producers
from proc.rtl.reuse import DivisionTag


class Issue(Component):
    """Holds an instruction back: `hazard` says that a register which `word` reads is not there yet.

    A result that is late in X comes with the answer of a port, in M; `go` says that it is
    there. reuse: the divider still holds this division's answer; keep: it must hold its last.
    """

    def construct(s, reuse: bool):
        s.word = InPort(32)
        s.enter = InPort()  # the instruction moves to X
        s.wen_X = InPort()
        s.late_X = InPort()
        s.rd_X = InPort(5)
        s.wen_M = InPort()
        s.go_M = InPort()
        s.rd_M = InPort(5)
        s.wen_W = InPort()
        s.rd_W = InPort(5)
        s.control = OutPort(ControlWord)
        s.from_1 = OutPort(2)
        s.from_2 = OutPort(2)
        s.hazard = OutPort()
        s.reuse = OutPort()
        s.keep = OutPort()

        s.in_X = Wire()
        s.in_M = Wire()
        s.decoder = Decoder()
        s.decoder.word //= s.word
        s.decoder.control //= s.control

        s.producer_1 = Producers()
        s.producer_1.rs //= s.word[15:20]
        s.producer_1.used //= s.control.reads_rs1
        s.producer_1.source //= s.from_1
        s.producer_2 = Producers()
        s.producer_2.rs //= s.word[20:25]
        s.producer_2.used //= s.control.reads_rs2
        s.producer_2.source //= s.from_2
        for producer in (s.producer_1, s.producer_2):
            producer.wen_X //= s.wen_X
            producer.rd_X //= s.rd_X
            producer.wen_M //= s.wen_M
            producer.rd_M //= s.rd_M
            producer.wen_W //= s.wen_W
            producer.rd_W //= s.rd_W

        @update
        def find_hazard():
            s.in_X @= s.producer_1.in_X | s.producer_2.in_X
            s.in_M @= s.producer_1.in_M | s.producer_2.in_M
            s.hazard @= (s.in_X & s.late_X) | (s.in_M & ~s.go_M)

        if reuse:
            s.tag = DivisionTag()
            s.tag.enter //= s.enter
            s.tag.is_div //= lambda: s.control.unit == UNIT_DIV
            s.tag.as_unsigned //= s.control.fn[0]
            s.tag.rs1 //= s.word[15:20]
            s.tag.rs2 //= s.word[20:25]
            s.tag.wen //= s.control.wen
            s.tag.rd //= s.word[7:12]
            s.tag.live //= s.keep
            s.tag.hit //= s.reuse
        else:
            s.keep //= 0
            s.reuse //= 0
