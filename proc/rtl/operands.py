"""Stage D's datapath: the three operands that an instruction takes into X."""

from pymtl3 import Component, InPort, OutPort, Wire, update

from proc.rtl.control_word import AUX_LINK, AUX_RS2, ControlWord
from proc.rtl.hazards import FROM_M, FROM_W, FROM_X
from proc.rtl.immediate import Immediate
from proc.rtl.register_file import RegisterFile


class Bypass(Component):
    """Takes a register operand from the stage that `source` names."""

    def construct(s):
        s.source = InPort(2)
        s.file = InPort(32)
        s.result_X = InPort(32)
        s.result_M = InPort(32)
        s.result_W = InPort(32)
        s.value = OutPort(32)

        @update
        def select():
            if s.source == FROM_X:
                s.value @= s.result_X
            elif s.source == FROM_M:
                s.value @= s.result_M
            elif s.source == FROM_W:
                s.value @= s.result_W
            else:
                s.value @= s.file


class Operands(Component):
    """a = rs1; b = rs2 or the immediate; aux = pc + immediate, the next pc, or rs2.

    `sum` is (pc or 0) + immediate: the target of jal and of branches.
    """

    def construct(s):
        s.word = InPort(32)
        s.pc = InPort(32)
        s.next_pc = InPort(32)
        s.control = InPort(ControlWord)
        s.from_1 = InPort(2)
        s.from_2 = InPort(2)
        s.result_X = InPort(32)
        s.result_M = InPort(32)
        s.result_W = InPort(32)
        s.wen_W = InPort()
        s.rd_W = InPort(5)
        s.a = OutPort(32)
        s.b = OutPort(32)
        s.aux = OutPort(32)
        s.sum = OutPort(32)

        s.base = Wire(32)
        s.registers = RegisterFile()
        s.registers.rs1 //= s.word[15:20]
        s.registers.rs2 //= s.word[20:25]
        s.registers.wen //= s.wen_W
        s.registers.rd //= s.rd_W
        s.registers.wdata //= s.result_W
        s.immediate = Immediate()
        s.immediate.word //= s.word
        s.immediate.format //= s.control.imm

        s.bypass_1 = Bypass()
        s.bypass_2 = Bypass()
        s.bypass_1.source //= s.from_1
        s.bypass_2.source //= s.from_2
        s.bypass_1.file //= s.registers.value1
        s.bypass_2.file //= s.registers.value2
        for bypass in (s.bypass_1, s.bypass_2):
            bypass.result_X //= s.result_X
            bypass.result_M //= s.result_M
            bypass.result_W //= s.result_W
        s.a //= s.bypass_1.value

        @update
        def add():
            s.base @= 0
            if s.control.from_pc:
                s.base @= s.pc
            s.sum @= s.base + s.immediate.value

        @update
        def select():
            s.b @= s.bypass_2.value
            if s.control.use_imm:
                s.b @= s.immediate.value
            s.aux @= s.sum
            if s.control.aux == AUX_LINK:
                s.aux @= s.next_pc
            elif s.control.aux == AUX_RS2:
                s.aux @= s.bypass_2.value
