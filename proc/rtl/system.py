"""A processor and its accelerator, as one component."""

from collections.abc import Callable

from pymtl3 import Bits32, Component, OutPort
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL, RecvIfcRTL, SendIfcRTL

from proc.messages import MemReq, MemResp
from proc.rtl.ports import CurrentIfc, RetireIfc
from proc.rtl.processor import ProcessorRTL
from rtl.port.xcel import NullXcelRTL


class ProcessorSystem(Component):
    """Joins the processor with what mk_xcel() makes: any component with `xcel`.

    The accelerator may be of any level; an FL or CL one runs in PyMTL3's simulator only.
    """

    def construct(
        s,
        divider: str = "seed",
        mk_xcel: Callable[[], Component] = NullXcelRTL,
        trace: bool = True,
    ):
        s.imem = MasterIfcRTL(MemReq, MemResp)
        s.dmem = MasterIfcRTL(MemReq, MemResp)
        s.mngr2proc = RecvIfcRTL(Bits32)
        s.proc2mngr = SendIfcRTL(Bits32)
        s.stats_en = OutPort()
        s.error = OutPort()

        s.processor = ProcessorRTL(divider, trace)
        s.accelerator = mk_xcel()
        s.processor.xcel.req //= s.accelerator.xcel.req
        s.processor.xcel.resp //= s.accelerator.xcel.resp
        s.processor.imem //= s.imem
        s.processor.dmem //= s.dmem
        s.processor.mngr2proc //= s.mngr2proc
        s.processor.proc2mngr //= s.proc2mngr
        s.processor.stats_en //= s.stats_en
        s.processor.error //= s.error
        if trace:
            s.retire = RetireIfc()
            s.current = CurrentIfc()
            s.processor.retire //= s.retire
            s.processor.current //= s.current

    def line_trace(s) -> str:
        return f"{s.processor.line_trace()} {s.accelerator.line_trace()}"
