"""The processor's control: which instruction is where, what moves on, what goes out."""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff

from proc.rtl.control_word import UNIT_DIV, ControlWord
from proc.rtl.issue import Issue
from rtl.leaf.register import Register


class Control(Component):
    """Keeps the valid bits, stalls and squashes of stages D, X, M and W.

    An instruction moves on in a cycle with go_*; a stage takes a new one in a cycle with
    ready_*. Branches and jalr redirect when they leave X, jal when it leaves D. Everything that
    reaches X is executed, so requests are sent there; W never waits.
    """

    def construct(s, reuse: bool):
        # F and D
        s.val_F = InPort()
        s.redirect = OutPort()
        s.word_D = InPort(32)
        s.ready_D = OutPort()
        s.go_D = OutPort()
        s.control_D = OutPort(ControlWord)
        s.from_1 = OutPort(2)
        s.from_2 = OutPort(2)

        # X
        s.taken_X = InPort()
        s.misaligned_X = InPort()
        s.target_misaligned_X = InPort()
        s.div_done = InPort()
        s.dmem_req_rdy = InPort()
        s.xcel_req_rdy = InPort()
        s.mngr_get_val = InPort()
        s.mngr_put_rdy = InPort()
        s.control_X = OutPort(ControlWord)
        s.mem_X = OutPort()
        s.xcel_register = OutPort(5)
        s.ready_X = OutPort()
        s.go_X = OutPort()
        s.redirect_X = OutPort()
        s.error = OutPort()
        s.div_val = OutPort()
        s.div_reuse = OutPort()
        s.div_keep = OutPort()
        s.dmem_req_val = OutPort()
        s.xcel_req_val = OutPort()
        s.mngr_get_rdy = OutPort()
        s.mngr_put_val = OutPort()

        # M and W
        s.dmem_resp_val = InPort()
        s.xcel_resp_val = InPort()
        s.dmem_resp_rdy = OutPort()
        s.xcel_resp_rdy = OutPort()
        s.go_M = OutPort()
        s.load_M = OutPort()
        s.fn_M = OutPort(3)
        s.xcel_M = OutPort()
        s.val_W = OutPort()
        s.wen_W = OutPort()
        s.rd_W = OutPort(5)

        s.val_D = Register()
        s.jump_D = Wire()
        s.bad_target_D = Wire()
        s.val_X = Register()
        s.rd_X = Register(5)
        s.trap_X = Register()
        s.error_X = Wire()
        s.wait_X = Wire()
        s.active_X = Wire()
        s.val_M = Register()
        s.rd_M = Register(5)
        s.wen_M = Register()
        s.mem_M = Register()
        s.ready_M = Wire()

        s.issue = s.make_issue(reuse)
        s.issue.word //= s.word_D
        s.issue.enter //= s.go_D
        s.issue.wen_X //= lambda: s.val_X & s.control_X.wen
        s.issue.late_X //= lambda: s.control_X.load | s.control_X.xcel
        s.issue.rd_X //= s.rd_X
        s.issue.wen_M //= lambda: s.val_M & s.wen_M
        s.issue.go_M //= s.go_M
        s.issue.rd_M //= s.rd_M
        s.issue.wen_W //= s.wen_W
        s.issue.rd_W //= s.rd_W
        s.issue.control //= s.control_D
        s.issue.from_1 //= s.from_1
        s.issue.from_2 //= s.from_2
        s.issue.keep //= s.div_keep

        @update
        def leave_D():
            s.go_D @= s.val_D & ~s.issue.hazard & s.ready_X & ~s.redirect_X
            s.ready_D @= ~s.val_D | s.go_D
            s.bad_target_D @= s.control_D.jal & s.word_D[21]  # bit 1 of the offset
            s.jump_D @= s.go_D & s.control_D.jal & ~s.bad_target_D
            s.redirect @= s.redirect_X | s.jump_D

        @update
        def leave_X():
            s.mem_X @= s.control_X.load | s.control_X.store
            s.error_X @= s.val_X & (
                s.trap_X
                | (s.mem_X & s.misaligned_X)
                | (((s.control_X.branch & s.taken_X) | s.control_X.jalr) & s.target_misaligned_X)
            )
            s.wait_X @= (
                (s.mem_X & ~s.dmem_req_rdy)
                | (s.control_X.xcel & ~s.xcel_req_rdy)
                | (s.div_val & ~s.div_done)
                | (s.control_X.mngr_get & ~s.mngr_get_val)
                | (s.control_X.mngr_put & ~s.mngr_put_rdy)
                | (s.control_X.fence_i & s.val_M)
            )
            s.go_X @= s.val_X & ~s.error_X & ~s.wait_X & s.ready_M
            s.ready_X @= ~s.val_X | s.go_X
            s.redirect_X @= s.go_X & (
                (s.control_X.branch & s.taken_X) | s.control_X.jalr | s.control_X.fence_i
            )
            s.error @= s.error_X & ~s.val_M & ~s.val_W

        @update
        def use_divider():
            s.div_val @= s.val_X & (s.control_X.unit == UNIT_DIV) & ~s.trap_X

        @update
        def send():
            s.active_X @= s.val_X & ~s.trap_X & s.ready_M
            s.dmem_req_val @= s.active_X & s.mem_X & ~s.misaligned_X
            s.xcel_req_val @= s.active_X & s.control_X.xcel
            s.mngr_get_rdy @= s.active_X & s.control_X.mngr_get
            s.mngr_put_val @= s.active_X & s.control_X.mngr_put

        @update
        def receive():
            s.dmem_resp_rdy @= s.val_M & s.mem_M
            s.xcel_resp_rdy @= s.val_M & s.xcel_M

        @update
        def leave_M():
            s.go_M @= s.val_M & (~s.mem_M | s.dmem_resp_val) & (~s.xcel_M | s.xcel_resp_val)
            s.ready_M @= ~s.val_M | s.go_M

        @update_ff
        def enter_D():
            if s.reset | s.redirect_X:
                s.val_D <<= 0
            elif s.ready_D:
                s.val_D <<= s.val_F & ~s.redirect

        @update_ff
        def enter_X():
            if s.reset:
                s.val_X <<= 0
            elif s.ready_X:
                s.val_X <<= s.go_D
                s.control_X <<= s.control_D
                s.rd_X <<= s.word_D[7:12]
                s.xcel_register <<= s.word_D[20:25]
                s.trap_X <<= s.control_D.trap | s.bad_target_D
                s.div_reuse <<= s.issue.reuse

        @update_ff
        def enter_M():
            if s.reset:
                s.val_M <<= 0
            elif s.ready_M:
                s.val_M <<= s.go_X
                s.mem_M <<= s.mem_X
                s.load_M <<= s.control_X.load
                s.fn_M <<= s.control_X.fn
                s.xcel_M <<= s.control_X.xcel
                s.wen_M <<= s.control_X.wen
                s.rd_M <<= s.rd_X

        @update_ff
        def enter_W():
            if s.reset:
                s.val_W <<= 0
                s.wen_W <<= 0
            else:
                s.val_W <<= s.go_M
                s.wen_W <<= s.go_M & s.wen_M
                s.rd_W <<= s.rd_M

    def make_issue(s, reuse: bool) -> Component:
        """Make what decodes and holds back instructions."""
        return Issue(reuse)
