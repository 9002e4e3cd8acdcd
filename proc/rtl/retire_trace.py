"""What each instruction did, carried to W for the retire port."""

from pymtl3 import Bits1, Bits32, Component, InPort, Wire, mk_bitstruct, update, update_ff, zext

from proc.isa import F3_B, F3_H
from proc.rtl.ports import CurrentIfc, RetireIfc
from rtl.leaf.register import Register

Executed = mk_bitstruct(
    "Executed",
    {
        "pc": Bits32,
        "word": Bits32,
        "mem": Bits1,
        "write": Bits1,
        "addr": Bits32,
        "data": Bits32,
    },
)


class RetireTrace(Component):
    """Shows the instruction in W (retire) and that in X (current); nothing else depends on it."""

    def construct(s):
        s.ready_X = InPort()
        s.go_X = InPort()
        s.go_M = InPort()
        s.word_D = InPort(32)
        s.pc_D = InPort(32)
        s.mem_X = InPort()
        s.write_X = InPort()
        s.address_X = InPort(32)
        s.store_X = InPort(32)
        s.val_W = InPort()
        s.wen_W = InPort()
        s.rd_W = InPort(5)
        s.value_W = InPort(32)
        s.retire = RetireIfc()
        s.current = CurrentIfc()

        s.in_X = Wire(Executed)
        s.in_M = Register(Executed)
        s.in_W = Register(Executed)
        s.current.address //= s.address_X

        @update
        def describe():
            s.in_X @= Executed()
            s.in_X.pc @= s.current.pc
            s.in_X.word @= s.current.word
            if s.mem_X:
                s.in_X.mem @= 1
                s.in_X.write @= s.write_X
                s.in_X.addr @= s.address_X
            if s.mem_X & s.write_X:
                if s.current.word[12:15] == F3_B:
                    s.in_X.data @= zext(s.store_X[0:8], 32)
                elif s.current.word[12:15] == F3_H:
                    s.in_X.data @= zext(s.store_X[0:16], 32)
                else:
                    s.in_X.data @= s.store_X

        @update_ff
        def carry():
            if s.ready_X:
                s.current.pc <<= s.pc_D
                s.current.word <<= s.word_D
            if s.go_X:
                s.in_M <<= s.in_X
            if s.go_M:
                s.in_W <<= s.in_M

        s.retire.val //= s.val_W
        s.retire.wen //= s.wen_W
        s.retire.rd //= s.rd_W
        s.retire.pc //= s.in_W.pc
        s.retire.word //= s.in_W.word
        s.retire.mem //= s.in_W.mem
        s.retire.write //= s.in_W.write
        s.retire.addr //= s.in_W.addr
        s.retire.data //= s.in_W.data

        @update
        def written():
            if s.wen_W:
                s.retire.value @= s.value_W
            else:
                s.retire.value @= 0
