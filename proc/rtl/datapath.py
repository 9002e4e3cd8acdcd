"""The processor's datapath: the registers between the stages, and what is between them."""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff

from proc.rtl.control_word import ControlWord
from proc.rtl.execute import Execute
from proc.rtl.load_store import LoadAlign, StoreAlign
from proc.rtl.operands import Operands
from rtl.leaf.register import Register


class Datapath(Component):
    """Joins the stages' datapaths by registers; what Control has too has the same name there."""

    def construct(s, divider: str):
        # F and D
        s.word_F = InPort(32)
        s.pc_F = InPort(32)
        s.ready_D = InPort()
        s.control_D = InPort(ControlWord)
        s.from_1 = InPort(2)
        s.from_2 = InPort(2)
        s.redirect_X = InPort()
        s.word_D = OutPort(32)
        s.pc_D = OutPort(32)
        s.target = OutPort(32)

        # X
        s.control_X = InPort(ControlWord)
        s.ready_X = InPort()
        s.go_X = InPort()
        s.div_val = InPort()
        s.div_reuse = InPort()
        s.div_keep = InPort()
        s.mngr_get_msg = InPort(32)
        s.div_done = OutPort()
        s.taken_X = OutPort()
        s.misaligned_X = OutPort()
        s.target_misaligned_X = OutPort()
        s.address_X = OutPort(32)
        s.strb_X = OutPort(4)
        s.store_X = OutPort(32)
        s.operand_X = OutPort(32)

        # M and W
        s.go_M = InPort()
        s.load_M = InPort()
        s.fn_M = InPort(3)
        s.xcel_M = InPort()
        s.dmem_resp_data = InPort(32)
        s.xcel_resp_data = InPort(32)
        s.wen_W = InPort()
        s.rd_W = InPort(5)
        s.value_W = OutPort(32)
        s.stats_en = OutPort()

        s.a = Register(32)
        s.b = Register(32)
        s.aux = Register(32)
        s.result_M = Register(32)  # as X made it
        s.final_M = Wire(32)  # as later instructions and W take it
        s.offset_M = Register(2)
        s.stats_M = Register()

        s.execute = Execute(divider)
        s.operands = Operands()
        s.operands.word //= s.word_D
        s.operands.pc //= s.pc_D
        s.operands.next_pc //= s.pc_F  # F holds the instruction after the one in D
        s.operands.control //= s.control_D
        s.operands.from_1 //= s.from_1
        s.operands.from_2 //= s.from_2
        s.operands.result_X //= s.execute.result
        s.operands.result_M //= s.final_M
        s.operands.result_W //= s.value_W
        s.operands.wen_W //= s.wen_W
        s.operands.rd_W //= s.rd_W

        s.execute.control //= s.control_X
        s.execute.a //= s.a
        s.execute.b //= s.b
        s.execute.aux //= s.aux
        s.execute.go //= s.go_X
        s.execute.mngr //= s.mngr_get_msg
        s.execute.div_val //= s.div_val
        s.execute.div_reuse //= s.div_reuse
        s.execute.div_keep //= s.div_keep
        s.execute.div_done //= s.div_done
        s.execute.address //= s.address_X
        s.execute.operand //= s.operand_X
        s.execute.taken //= s.taken_X

        s.store = StoreAlign()
        s.store.fn //= s.control_X.fn
        s.store.offset //= s.address_X[0:2]
        s.store.value //= s.aux
        s.store.strb //= s.strb_X
        s.store.data //= s.store_X
        s.store.misaligned //= s.misaligned_X

        s.load = LoadAlign()
        s.load.fn //= s.fn_M
        s.load.offset //= s.offset_M
        s.load.word //= s.dmem_resp_data

        s.target_misaligned_X //= s.execute.target[1]

        @update
        def go_on():
            if s.redirect_X:
                s.target @= s.execute.target
            else:
                s.target @= s.operands.sum

        @update
        def finish_M():
            if s.load_M:
                s.final_M @= s.load.value
            elif s.xcel_M:
                s.final_M @= s.xcel_resp_data
            else:
                s.final_M @= s.result_M

        @update_ff
        def enter_D():
            if s.ready_D:
                s.word_D <<= s.word_F
                s.pc_D <<= s.pc_F

        @update_ff
        def enter_X():
            if s.ready_X:
                s.a <<= s.operands.a
                s.b <<= s.operands.b
                s.aux <<= s.operands.aux

        @update_ff
        def enter_M():
            if s.reset:
                s.stats_M <<= 0
            elif s.go_X:
                s.result_M <<= s.execute.result
                s.offset_M <<= s.address_X[0:2]
                s.stats_M <<= s.execute.stats

        @update_ff
        def enter_W():
            if s.reset:
                s.stats_en <<= 0
            elif s.go_M:
                s.value_W <<= s.final_M
                s.stats_en <<= s.stats_M
