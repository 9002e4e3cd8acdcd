"""The control and status registers, read and written in X."""

from pymtl3 import Component, InPort, OutPort, update, update_ff, zext

from proc.isa import F3_CSRRC, F3_CSRRS
from proc.rtl.control_word import (
    READ_CYCLE,
    READ_CYCLEH,
    READ_INSTRET,
    READ_INSTRETH,
    READ_MNGR,
    READ_STATS,
    ControlWord,
)
from proc.rtl.counter import Counter
from rtl.leaf.register import Register


class CsrUnit(Component):
    """Reads and writes CSRs for X: `value` is what its instruction reads, `stats` what it sets.

    cycles counts from reset; instructions counts those that left X before this cycle.
    """

    def construct(s):
        s.control = InPort(ControlWord)
        s.operand = InPort(32)
        s.mngr = InPort(32)
        s.go = InPort()
        s.value = OutPort(32)
        s.stats = OutPort()

        s.stats_en = Register()
        s.cycles = Counter()
        s.cycles.step //= 1
        s.instructions = Counter()
        s.instructions.step //= s.go

        @update
        def read():
            if s.control.csr == READ_MNGR:
                s.value @= s.mngr
            elif s.control.csr == READ_STATS:
                s.value @= zext(s.stats_en, 32)
            elif s.control.csr == READ_CYCLE:
                s.value @= s.cycles.low
            elif s.control.csr == READ_CYCLEH:
                s.value @= s.cycles.high
            elif s.control.csr == READ_INSTRET:
                s.value @= s.instructions.low
            elif s.control.csr == READ_INSTRETH:
                s.value @= s.instructions.high
            else:
                s.value @= 0

        @update
        def write():
            s.stats @= s.stats_en
            if s.control.stats_put:
                if s.control.fn[0:2] == F3_CSRRS:
                    s.stats @= s.stats_en | s.operand[0]
                elif s.control.fn[0:2] == F3_CSRRC:
                    s.stats @= s.stats_en & ~s.operand[0]
                else:
                    s.stats @= s.operand[0]

        @update_ff
        def keep():
            if s.reset:
                s.stats_en <<= 0
            elif s.go:
                s.stats_en <<= s.stats
