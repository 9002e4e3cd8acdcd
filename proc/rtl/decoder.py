"""From an instruction word to its control word; encodings are those of proc/isa.py."""

from pymtl3 import Component, InPort, OutPort, Wire, update

from proc.isa import (
    F3_ADD,
    F3_FENCE,
    F3_FENCE_I,
    F3_SLL,
    F3_SLT,
    F3_SLTU,
    F3_SR,
    F7_ALT,
    F7_BASE,
    F7_MULDIV,
    OP_AUIPC,
    OP_BRANCH,
    OP_FENCE,
    OP_IMM,
    OP_JAL,
    OP_JALR,
    OP_LOAD,
    OP_LUI,
    OP_REG,
    OP_STORE,
    OP_SYSTEM,
)
from proc.rtl.control_word import (
    AUX_LINK,
    AUX_RS2,
    IMM_B,
    IMM_J,
    IMM_S,
    IMM_U,
    IMM_Z,
    UNIT_AUX,
    UNIT_CSR,
    UNIT_DIV,
    UNIT_MUL,
    ControlWord,
)
from proc.rtl.csr_decoder import CsrDecoder


class Decoder(Component):
    """Gives the control word of any 32-bit word; `trap` for all that cannot be executed."""

    def construct(s):
        s.word = InPort(32)
        s.control = OutPort(ControlWord)

        s.op = Wire(7)
        s.f3 = Wire(3)
        s.f7 = Wire(7)
        s.rd_used = Wire()
        s.op //= s.word[0:7]
        s.f3 //= s.word[12:15]
        s.f7 //= s.word[25:32]

        s.csr = CsrDecoder()
        s.csr.word //= s.word

        @update
        def decode():
            s.control @= ControlWord()
            s.rd_used @= s.word[7:12] != 0
            s.control.fn @= s.f3

            if s.op == OP_LUI:
                s.control.imm @= IMM_U
                s.control.unit @= UNIT_AUX
                s.control.wen @= s.rd_used
            elif s.op == OP_AUIPC:
                s.control.imm @= IMM_U
                s.control.from_pc @= 1
                s.control.unit @= UNIT_AUX
                s.control.wen @= s.rd_used
            elif s.op == OP_JAL:
                s.control.imm @= IMM_J
                s.control.from_pc @= 1
                s.control.aux @= AUX_LINK
                s.control.unit @= UNIT_AUX
                s.control.jal @= 1
                s.control.wen @= s.rd_used
            elif s.op == OP_JALR:
                s.control.use_imm @= 1
                s.control.reads_rs1 @= 1
                s.control.aux @= AUX_LINK
                s.control.unit @= UNIT_AUX
                s.control.jalr @= 1
                s.control.wen @= s.rd_used
                s.control.trap @= s.f3 != 0
            elif s.op == OP_BRANCH:
                s.control.imm @= IMM_B
                s.control.from_pc @= 1
                s.control.reads_rs1 @= 1
                s.control.reads_rs2 @= 1
                s.control.alt @= 1
                s.control.branch @= 1
                s.control.trap @= s.f3[1:3] == 1
            elif s.op == OP_LOAD:
                s.control.use_imm @= 1
                s.control.reads_rs1 @= 1
                s.control.load @= 1
                s.control.wen @= s.rd_used
                s.control.trap @= (s.f3 == 3) | (s.f3 >= 6)
            elif s.op == OP_STORE:
                s.control.imm @= IMM_S
                s.control.use_imm @= 1
                s.control.reads_rs1 @= 1
                s.control.reads_rs2 @= 1
                s.control.aux @= AUX_RS2
                s.control.store @= 1
                s.control.trap @= s.f3 >= 3
            elif s.op == OP_IMM:
                s.control.use_imm @= 1
                s.control.reads_rs1 @= 1
                s.control.wen @= s.rd_used
                if s.f3 == F3_SLL:
                    s.control.trap @= s.f7 != F7_BASE
                elif s.f3 == F3_SR:
                    s.control.alt @= s.f7 == F7_ALT
                    s.control.trap @= (s.f7 != F7_BASE) & (s.f7 != F7_ALT)
                else:
                    s.control.alt @= (s.f3 == F3_SLT) | (s.f3 == F3_SLTU)
            elif s.op == OP_REG:
                s.control.reads_rs1 @= 1
                s.control.reads_rs2 @= 1
                s.control.wen @= s.rd_used
                if s.f7 == F7_MULDIV:
                    if s.f3[2]:
                        s.control.unit @= UNIT_DIV
                    else:
                        s.control.unit @= UNIT_MUL
                elif s.f7 == F7_ALT:
                    s.control.alt @= 1
                    s.control.trap @= (s.f3 != F3_ADD) & (s.f3 != F3_SR)
                else:
                    s.control.alt @= (s.f3 == F3_SLT) | (s.f3 == F3_SLTU)
                    s.control.trap @= s.f7 != F7_BASE
            elif s.op == OP_FENCE:
                s.control.aux @= AUX_LINK
                s.control.fence_i @= s.f3 == F3_FENCE_I
                s.control.trap @= (s.f3 != F3_FENCE) & (s.f3 != F3_FENCE_I)
            elif s.op == OP_SYSTEM:
                s.control.imm @= IMM_Z
                s.control.unit @= UNIT_CSR
                s.control.reads_rs1 @= ~s.f3[2]
                s.control.wen @= s.rd_used
                s.control.csr @= s.csr.read
                s.control.mngr_get @= s.csr.mngr_get
                s.control.mngr_put @= s.csr.mngr_put
                s.control.stats_put @= s.csr.stats_put
                s.control.xcel @= s.csr.xcel
                s.control.xcel_write @= s.csr.writes
                s.control.trap @= ~s.csr.legal
            else:
                s.control.trap @= 1
