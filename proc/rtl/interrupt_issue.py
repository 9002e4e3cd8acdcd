"""Stage D's control of a processor with interrupts: what they add to Issue."""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff

from proc.csr import MCAUSE, MEPC, MIE, MIP, MSCRATCH, MSTATUS, MTVEC
from proc.isa import MRET, OP_SYSTEM, WFI
from proc.rtl.control_word import READ_MNGR, ControlWord
from proc.rtl.issue import Issue
from rtl.leaf.register import Register


class InterruptIssue(Component):
    """Issues as Issue does, and an interrupt in the place of an instruction where one is pending.

    An interrupt (`interrupts`) and mret (`returns`) go through X as fence.i does: alone, and then
    the program goes on elsewhere. `accesses`: an interrupt register is read or written, which is
    read as the manager's word is; what follows waits until that has left X. wfi waits here.
    """

    def construct(s, reuse: bool):
        s.word = InPort(32)
        s.enter = InPort()
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

        s.ready_X = InPort()
        s.pending = InPort()
        s.wakes = InPort()
        s.interrupts = OutPort()
        s.returns = OutPort()
        s.accesses = OutPort()

        s.number = Wire(12)
        s.waits = Wire()
        s.access_X = Register()
        s.number //= s.word[20:32]

        s.issue = Issue(reuse)
        s.issue.word //= s.word
        s.issue.enter //= lambda: s.enter & ~s.interrupts
        s.issue.wen_X //= s.wen_X
        s.issue.late_X //= s.late_X
        s.issue.rd_X //= s.rd_X
        s.issue.wen_M //= s.wen_M
        s.issue.go_M //= s.go_M
        s.issue.rd_M //= s.rd_M
        s.issue.wen_W //= s.wen_W
        s.issue.rd_W //= s.rd_W
        s.issue.from_1 //= s.from_1
        s.issue.from_2 //= s.from_2
        s.issue.reuse //= s.reuse
        s.issue.keep //= s.keep

        @update
        def recognise():
            s.waits @= s.word == WFI
            s.interrupts @= s.pending & ~s.waits
            s.returns @= (s.word == MRET) & ~s.interrupts
            s.accesses @= (
                (s.word[0:7] == OP_SYSTEM)
                & (s.word[12:14] != 0)
                & ~s.interrupts
                & (
                    (s.number == MSTATUS)
                    | (s.number == MIE)
                    | (s.number == MTVEC)
                    | (s.number == MSCRATCH)
                    | (s.number == MEPC)
                    | (s.number == MCAUSE)
                    | (s.number == MIP)
                )
            )

        @update
        def decode():
            s.control @= s.issue.control
            if s.interrupts | s.returns:
                s.control @= ControlWord()
                s.control.fence_i @= 1
            elif s.waits:
                s.control @= ControlWord()
            elif s.accesses:
                s.control.csr @= READ_MNGR
                s.control.trap @= 0

        @update
        def find_hazard():
            s.hazard @= s.issue.hazard | s.access_X | (s.waits & ~s.wakes)

        @update_ff
        def follow_access():
            if s.reset:
                s.access_X <<= 0
            elif s.ready_X:
                s.access_X <<= s.enter & s.accesses
