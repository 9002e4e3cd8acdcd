"""The processor: RV32IM, five stages F D X M W with full bypassing.

Document 001's processor, figures 3 and 4, written afresh: the divider's request and the
accelerator's leave from X, not D, so that the multiplier's result goes no further in its
cycle than to the operand registers.
"""

from pymtl3 import Bits32, Component, OutPort, connect
from pymtl3.dsl import Signal
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL, RecvIfcRTL, SendIfcRTL

from fl.messages import XcelReq, XcelResp
from proc.messages import MemReq, MemResp
from proc.programs.image import DEFAULT_ENTRY
from proc.rtl.control import Control
from proc.rtl.datapath import Datapath
from proc.rtl.fetch import Fetch
from proc.rtl.ports import CurrentIfc, RetireIfc
from proc.rtl.retire_trace import RetireTrace
from proc.rtl.signed_divider import EARLY
from proc.rtl.trace import trace_line

SHARED = (
    *("word_D", "ready_D", "control_D", "from_1", "from_2", "redirect_X"),
    *("control_X", "ready_X", "go_X", "div_val", "div_reuse", "div_keep", "div_done"),
    *("taken_X", "misaligned_X", "target_misaligned_X"),
    *("go_M", "load_M", "fn_M", "xcel_M", "wen_W", "rd_W"),
)


class ProcessorRTL(Component):
    """Runs from reset_pc until `error`, which stays: the instruction in X cannot be executed.

    `divider`: "seed" divides in 32 steps, "fast" skips leading zeros and gives a remainder
    after its quotient at once. With `trace` there are the ports `retire` and `current`;
    without, the registers that only they need are not built.
    """

    def construct(s, divider: str = "seed", trace: bool = True, reset_pc: int = DEFAULT_ENTRY):
        if divider not in EARLY:
            raise ValueError(f"divider must be one of {', '.join(EARLY)}, not {divider!r}")
        s.imem = MasterIfcRTL(MemReq, MemResp)
        s.dmem = MasterIfcRTL(MemReq, MemResp)
        s.xcel = MasterIfcRTL(XcelReq, XcelResp)
        s.mngr2proc = RecvIfcRTL(Bits32)
        s.proc2mngr = SendIfcRTL(Bits32)
        s.stats_en = OutPort()
        s.error = OutPort()

        s.fetch = Fetch(reset_pc)
        s.control = s.make_control(divider == "fast")
        s.datapath = Datapath(divider)
        go_X, target, word = s.connect_flow()
        for name in SHARED:
            source = go_X if name == "go_X" else getattr(s.control, name)
            connect(source, getattr(s.datapath, name))

        s.fetch.imem //= s.imem
        s.fetch.redirect //= s.control.redirect
        s.fetch.target //= target
        s.fetch.rdy //= s.control.ready_D
        s.control.val_F //= s.fetch.val
        s.datapath.word_F //= s.fetch.word
        s.datapath.pc_F //= s.fetch.pc

        s.dmem.req.val //= s.control.dmem_req_val
        s.dmem.req.rdy //= s.control.dmem_req_rdy
        s.dmem.req.msg.type_ //= s.control.control_X.store
        s.dmem.req.msg.addr[0:2] //= 0
        s.dmem.req.msg.addr[2:32] //= s.datapath.address_X[2:32]
        s.dmem.req.msg.strb //= s.datapath.strb_X
        s.dmem.req.msg.data //= s.datapath.store_X
        s.dmem.resp.val //= s.control.dmem_resp_val
        s.dmem.resp.rdy //= s.control.dmem_resp_rdy
        s.dmem.resp.msg.data //= s.datapath.dmem_resp_data

        s.xcel.req.val //= s.control.xcel_req_val
        s.xcel.req.rdy //= s.control.xcel_req_rdy
        s.xcel.req.msg.type_ //= s.control.control_X.xcel_write
        s.xcel.req.msg.addr //= s.control.xcel_register
        s.xcel.req.msg.data //= s.datapath.operand_X
        s.xcel.resp.val //= s.control.xcel_resp_val
        s.xcel.resp.rdy //= s.control.xcel_resp_rdy
        s.xcel.resp.msg.data //= s.datapath.xcel_resp_data

        s.mngr2proc.val //= s.control.mngr_get_val
        s.mngr2proc.rdy //= s.control.mngr_get_rdy
        s.datapath.mngr_get_msg //= word
        s.proc2mngr.val //= s.control.mngr_put_val
        s.proc2mngr.rdy //= s.control.mngr_put_rdy
        s.proc2mngr.msg //= s.datapath.operand_X
        s.stats_en //= s.datapath.stats_en
        s.error //= s.control.error

        if trace:
            s.retire = RetireIfc()
            s.current = CurrentIfc()
            s.tracer = RetireTrace()
            s.tracer.ready_X //= s.control.ready_X
            s.tracer.go_X //= s.control.go_X
            s.tracer.go_M //= s.control.go_M
            s.tracer.word_D //= s.datapath.word_D
            s.tracer.pc_D //= s.datapath.pc_D
            s.tracer.mem_X //= s.control.mem_X
            s.tracer.write_X //= s.control.control_X.store
            s.tracer.address_X //= s.datapath.address_X
            s.tracer.store_X //= s.datapath.store_X
            s.tracer.val_W //= s.connect_retiring()
            s.tracer.wen_W //= s.control.wen_W
            s.tracer.rd_W //= s.control.rd_W
            s.tracer.value_W //= s.datapath.value_W
            s.tracer.retire //= s.retire
            s.connect_current()

    def make_control(s, reuse: bool) -> Component:
        """Make the control; an answer of the divider is used again if `reuse`."""
        return Control(reuse)

    def connect_flow(s) -> tuple[Signal, Signal, Signal]:
        """Return what says that X executes, where F goes on, and what X reads from outside."""
        return s.control.go_X, s.datapath.target, s.mngr2proc.msg

    def connect_retiring(s) -> Signal:
        """Return what tells the trace that an instruction is complete."""
        return s.control.val_W

    def connect_current(s) -> None:
        """Show the instruction that an error is of: the one in X."""
        s.tracer.current //= s.current

    def line_trace(s) -> str:
        """Show F's pc|D's instruction|those of X|M|W; # waits, ~ is squashed, ! is none."""
        return trace_line(s)
