"""What a CSR instruction reads and writes, and whether it may; the rules are proc/csr.py's."""

from pymtl3 import Component, InPort, OutPort, Wire, update

from proc.csr import (
    CYCLE,
    CYCLEH,
    INSTRET,
    INSTRETH,
    MCYCLE,
    MCYCLEH,
    MHARTID,
    MINSTRET,
    MINSTRETH,
    MNGR2PROC,
    PROC2MNGR,
    STATS_EN,
    XCEL_FIRST,
)
from proc.isa import F3_CSRRW
from proc.rtl.control_word import (
    READ_CYCLE,
    READ_CYCLEH,
    READ_INSTRET,
    READ_INSTRETH,
    READ_MNGR,
    READ_STATS,
    READ_ZERO,
)

XCEL_UPPER = XCEL_FIRST >> 5  # the 7 upper bits that all accelerator registers share


class CsrDecoder(Component):
    """Decodes words whose opcode is OP_SYSTEM; otherwise nothing looks at the outputs."""

    def construct(s):
        s.word = InPort(32)
        s.read = OutPort(3)
        s.writes = OutPort()
        s.mngr_get = OutPort()
        s.mngr_put = OutPort()
        s.stats_put = OutPort()
        s.xcel = OutPort()
        s.legal = OutPort()

        s.number = Wire(12)
        s.reads = Wire()
        s.swaps = Wire()
        s.is_csr = Wire()
        s.number //= s.word[20:32]

        @update
        def access():
            s.is_csr @= s.word[12:14] != 0
            s.swaps @= s.word[12:14] == F3_CSRRW
            s.reads @= ~s.swaps | (s.word[7:12] != 0)
            s.writes @= s.swaps | (s.word[15:20] != 0)

        @update
        def select():
            s.read @= READ_ZERO
            s.legal @= 0
            s.mngr_get @= s.number == MNGR2PROC
            s.mngr_put @= s.number == PROC2MNGR
            s.stats_put @= (s.number == STATS_EN) & s.writes
            s.xcel @= s.number[5:12] == XCEL_UPPER
            if s.mngr_get:
                s.read @= READ_MNGR
                s.legal @= s.is_csr & ~s.writes
            elif s.mngr_put:
                s.legal @= s.is_csr & ~s.reads
            elif s.xcel:
                s.legal @= s.is_csr & (s.reads ^ s.writes)
            elif s.number == STATS_EN:
                s.read @= READ_STATS
                s.legal @= s.is_csr
            elif s.number == MHARTID:
                s.legal @= s.is_csr & ~s.writes
            elif (s.number == MCYCLE) | (s.number == CYCLE):
                s.read @= READ_CYCLE
                s.legal @= s.is_csr & ~s.writes
            elif (s.number == MCYCLEH) | (s.number == CYCLEH):
                s.read @= READ_CYCLEH
                s.legal @= s.is_csr & ~s.writes
            elif (s.number == MINSTRET) | (s.number == INSTRET):
                s.read @= READ_INSTRET
                s.legal @= s.is_csr & ~s.writes
            elif (s.number == MINSTRETH) | (s.number == INSTRETH):
                s.read @= READ_INSTRETH
                s.legal @= s.is_csr & ~s.writes
