"""The registers of interrupts, and where the program goes on; proc/fl/interrupts.py's in hardware.

They change when an interrupt or mret leaves D, and when an instruction that writes them leaves X;
never at once, since D waits for such an instruction.
"""

from pymtl3 import (
    Bits2,
    Bits27,
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    update,
    update_ff,
    zext,
)

from proc.csr import MCAUSE, MEPC, MIE, MIP, MSCRATCH, MSTATUS, MTVEC
from proc.fl.interrupts import EXTERNAL_BIT, MACHINE_MODE, MIE_BIT, MPIE_BIT
from proc.isa import F3_CSRRC, F3_CSRRS
from rtl.leaf.register import Register

KEPT_CAUSE = 1 << 4 | EXTERNAL_BIT  # bits 31 and 3..0 of mcause


class Interrupts(Component):
    """Keeps the registers; stands where X reads the manager's word, and F takes its target.

    hidden_W: what is in W is an interrupt, no instruction. counts: an instruction leaves X.
    """

    def construct(s):
        s.irq = InPort()
        s.pending = OutPort()
        s.wakes = OutPort()

        # D: what leaves it in a cycle with go_D
        s.go_D = InPort()
        s.word_D = InPort(32)
        s.pc_D = InPort(32)
        s.interrupts = InPort()
        s.returns = InPort()
        s.accesses = InPort()

        # X
        s.ready_X = InPort()
        s.go_X = InPort()
        s.fn_X = InPort(3)
        s.operand_X = InPort(32)
        s.mngr = InPort(32)
        s.read_X = OutPort(32)
        s.branch_target = InPort(32)
        s.target = OutPort(32)
        s.counts = OutPort()
        s.go_M = InPort()
        s.hidden_W = OutPort()

        s.line = Register()
        s.enabled = Register()  # bit 11 of mie
        s.on = Register()  # MIE
        s.saved = Register()  # MPIE
        s.handler = Register(30)  # mtvec
        s.resume = Register(30)  # mepc
        s.cause = Register(5)
        s.scratch = Register(32)
        s.enters_X = Register()
        s.returns_X = Register()
        s.access_X = Register()
        s.number_X = Register(12)
        s.hidden_M = Register()

        s.value = Wire(32)
        s.written = Wire(32)
        s.write = Wire()

        @update
        def watch():
            s.wakes @= s.line & s.enabled
            s.pending @= s.wakes & s.on

        @update
        def read():
            s.value @= 0
            if s.number_X == MSTATUS:
                s.value @= (
                    MACHINE_MODE | (zext(s.on, 32) << MIE_BIT) | (zext(s.saved, 32) << MPIE_BIT)
                )
            elif s.number_X == MIE:
                s.value @= zext(s.enabled, 32) << EXTERNAL_BIT
            elif s.number_X == MIP:
                s.value @= zext(s.line, 32) << EXTERNAL_BIT
            elif s.number_X == MTVEC:
                s.value @= concat(s.handler, Bits2(0))
            elif s.number_X == MEPC:
                s.value @= concat(s.resume, Bits2(0))
            elif s.number_X == MCAUSE:
                s.value @= concat(s.cause[4], Bits27(0), s.cause[0:4])
            elif s.number_X == MSCRATCH:
                s.value @= s.scratch

        @update
        def choose():
            s.read_X @= s.mngr
            if s.access_X:
                s.read_X @= s.value
            s.target @= s.branch_target
            if s.enters_X:
                s.target @= concat(s.handler, Bits2(0))
            elif s.returns_X:
                s.target @= concat(s.resume, Bits2(0))

        @update
        def combine():
            s.counts @= s.go_X & ~s.enters_X
            s.write @= s.go_X & s.access_X
            s.written @= s.operand_X
            if s.fn_X[0:2] == F3_CSRRS:
                s.written @= s.value | s.operand_X
            elif s.fn_X[0:2] == F3_CSRRC:
                s.written @= s.value & ~s.operand_X

        @update_ff
        def sample():
            s.line <<= s.irq & ~s.reset

        @update_ff
        def change():
            if s.reset:
                s.on <<= 0
                s.saved <<= 0
                s.enabled <<= 0
            elif s.go_D & s.interrupts:
                s.on <<= 0
                s.saved <<= s.on
            elif s.go_D & s.returns:
                s.on <<= s.saved
                s.saved <<= 1
            elif s.write & (s.number_X == MSTATUS):
                s.on <<= s.written[MIE_BIT]
                s.saved <<= s.written[MPIE_BIT]
            elif s.write & (s.number_X == MIE):
                s.enabled <<= s.written[EXTERNAL_BIT]

        @update_ff
        def keep():
            if s.reset:
                s.handler <<= 0
                s.resume <<= 0
                s.cause <<= 0
                s.scratch <<= 0
            else:
                if s.go_D & s.interrupts:
                    s.resume <<= s.pc_D[2:32]
                    s.cause <<= KEPT_CAUSE
                if s.write & (s.number_X == MTVEC):
                    s.handler <<= s.written[2:32]
                if s.write & (s.number_X == MEPC):
                    s.resume <<= s.written[2:32]
                if s.write & (s.number_X == MCAUSE):
                    s.cause <<= concat(s.written[31], s.written[0:4])
                if s.write & (s.number_X == MSCRATCH):
                    s.scratch <<= s.written

        @update_ff
        def enter_X():
            if s.reset:
                s.enters_X <<= 0
                s.returns_X <<= 0
                s.access_X <<= 0
            elif s.ready_X:
                s.enters_X <<= s.go_D & s.interrupts
                s.returns_X <<= s.go_D & s.returns
                s.access_X <<= s.go_D & s.accesses
                s.number_X <<= s.word_D[20:32]

        @update_ff
        def follow():
            if s.go_X:
                s.hidden_M <<= s.enters_X
            if s.go_M:
                s.hidden_W <<= s.hidden_M
