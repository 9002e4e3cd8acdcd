"""A processor with interrupts, and a device on its bus."""

from collections.abc import Callable

from pymtl3 import Bits32, Component, OutPort, connect
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL, RecvIfcRTL, SendIfcRTL

from fl.axi_lite import INPUTS, OUTPUTS
from fl.axi_lite import PREFIX as SLAVE
from proc.messages import MemReq, MemResp
from proc.rtl.bus_bridge import PREFIX as MASTER
from proc.rtl.bus_bridge import BusBridge
from proc.rtl.interruptible import InterruptibleRTL
from proc.rtl.ports import CurrentIfc, RetireIfc
from rtl.port.random_bytes import RandomBytesRTL
from rtl.port.xcel import NullXcelRTL


class BusSystem(Component):
    """Joins the processor with what mk_device() makes: any component with a peripheral's ports.

    The device may be of any level; an FL or CL one runs in PyMTL3's simulator only. `error` is the
    processor's, or an access that the device refuses. There is no accelerator.
    """

    def construct(s, mk_device: Callable[[], Component], divider: str = "seed", trace: bool = True):
        s.imem = MasterIfcRTL(MemReq, MemResp)
        s.dmem = MasterIfcRTL(MemReq, MemResp)
        s.mngr2proc = RecvIfcRTL(Bits32)
        s.proc2mngr = SendIfcRTL(Bits32)
        s.stats_en = OutPort()
        s.error = OutPort()

        s.processor = InterruptibleRTL(divider, trace)
        s.accelerator = NullXcelRTL()
        s.bridge = BusBridge()
        s.device = mk_device()
        s.random = RandomBytesRTL()

        s.processor.xcel.req //= s.accelerator.xcel.req
        s.processor.xcel.resp //= s.accelerator.xcel.resp
        s.processor.imem //= s.imem
        s.processor.dmem //= s.bridge.processor
        s.bridge.memory //= s.dmem
        s.processor.mngr2proc //= s.mngr2proc
        s.processor.proc2mngr //= s.proc2mngr
        s.processor.stats_en //= s.stats_en
        s.error //= lambda: s.processor.error | s.bridge.refused
        for name in (*INPUTS, *OUTPUTS):
            connect(getattr(s.bridge, MASTER + name), getattr(s.device, SLAVE + name))
        s.processor.irq //= s.device.irq
        s.processor.refused //= s.bridge.refused
        s.random.valid //= s.device.random_valid
        s.random.ready //= s.device.random_ready
        s.random.random //= s.device.random_byte
        if trace:
            s.retire = RetireIfc()
            s.current = CurrentIfc()
            s.processor.retire //= s.retire
            s.processor.current //= s.current

    def line_trace(s) -> str:
        return f"{s.processor.line_trace()} {s.bridge.line_trace()} {s.device.line_trace()}"
