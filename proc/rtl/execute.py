"""Stage X's datapath: the units, and the result that they make of the operands."""

from pymtl3 import Bits1, Component, InPort, OutPort, concat, update

from proc.rtl.alu import Alu
from proc.rtl.control_word import UNIT_AUX, UNIT_CSR, UNIT_DIV, UNIT_MUL, ControlWord
from proc.rtl.csr_unit import CsrUnit
from proc.rtl.multiplier import Multiplier
from proc.rtl.signed_divider import SignedDivider


class Execute(Component):
    """Makes `result` of the operands, which a later instruction may take in the same cycle, from D.

    operand: what a CSR instruction writes. target: where a branch, jalr or fence.i goes on.
    """

    def construct(s, divider: str):
        s.control = InPort(ControlWord)
        s.a = InPort(32)
        s.b = InPort(32)
        s.aux = InPort(32)
        s.go = InPort()
        s.mngr = InPort(32)
        s.div_val = InPort()
        s.div_reuse = InPort()
        s.div_keep = InPort()
        s.div_done = OutPort()
        s.result = OutPort(32)
        s.address = OutPort(32)
        s.operand = OutPort(32)
        s.stats = OutPort()
        s.taken = OutPort()
        s.target = OutPort(32)

        s.alu = Alu()
        s.alu.a //= s.a
        s.alu.b //= s.b
        s.alu.fn //= s.control.fn
        s.alu.alt //= s.control.alt
        s.alu.sum //= s.address
        s.alu.taken //= s.taken

        s.mul = Multiplier()
        s.mul.a //= s.a
        s.mul.b //= s.b
        s.mul.fn //= s.control.fn[0:2]

        s.div = SignedDivider(divider)
        s.div.a //= s.a
        s.div.b //= s.b
        s.div.as_unsigned //= s.control.fn[0]
        s.div.remainder //= s.control.fn[1]
        s.div.val //= s.div_val
        s.div.reuse //= s.div_reuse
        s.div.keep //= s.div_keep
        s.div.taken //= s.go
        s.div.done //= s.div_done

        s.csr = CsrUnit()
        s.csr.control //= s.control
        s.csr.operand //= s.operand
        s.csr.mngr //= s.mngr
        s.csr.go //= s.go
        s.csr.stats //= s.stats

        @update
        def select():
            if s.control.unit == UNIT_MUL:
                s.result @= s.mul.out
            elif s.control.unit == UNIT_DIV:
                s.result @= s.div.result
            elif s.control.unit == UNIT_AUX:
                s.result @= s.aux
            elif s.control.unit == UNIT_CSR:
                s.result @= s.csr.value
            else:
                s.result @= s.alu.out

        @update
        def address_and_operand():
            if s.control.jalr:
                s.target @= concat(s.alu.sum[1:32], Bits1(0))
            else:
                s.target @= s.aux
            if s.control.fn[2]:
                s.operand @= s.aux
            else:
                s.operand @= s.a
