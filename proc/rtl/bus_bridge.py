"""From the processor's data port to memory, and to AXI4-Lite as its master.

An access of proc/bus_map.py's window goes to the bus, every other one to memory. In X it is taken
if both can take one, whatever its address is, so that no stage waits for the comparison. A store
offers address and data at once; each channel keeps its valid until it was ready, and waits for
nothing.
"""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL, MinionIfcRTL

from fl.axi_lite import ADDRESS_BITS, INPUTS, OUTPUTS
from proc.bus_map import WINDOW_NUMBER
from proc.messages import MemReq, MemResp
from rtl.leaf.register import Register

PREFIX = "m_axi_"


class BusBridge(Component):
    """Answers one access after the other; the next may come in the cycle of an answer.

    `refused`: the slave answers SLVERR; nothing is answered then, and nothing goes on.
    """

    def construct(s):
        s.processor = MinionIfcRTL(MemReq, MemResp)
        s.memory = MasterIfcRTL(MemReq, MemResp)
        for name, nbits in INPUTS.items():
            setattr(s, PREFIX + name, OutPort(nbits))
        for name, nbits in OUTPUTS.items():
            setattr(s, PREFIX + name, InPort(nbits))
        s.refused = OutPort()

        s.on_bus = Register()
        s.sends_address = Register()
        s.sends_data = Register()
        s.sends_read = Register()
        s.address = Register(ADDRESS_BITS)
        s.data = Register(32)
        s.strobes = Register(4)
        s.free = Wire()
        s.to_bus = Wire()
        s.answers = Wire()  # the slave does, and accepts
        s.begins = Wire()

        @update
        def respond():
            s.refused @= (s.m_axi_bvalid & s.m_axi_bresp[1]) | (s.m_axi_rvalid & s.m_axi_rresp[1])
            s.answers @= (s.m_axi_bvalid | s.m_axi_rvalid) & ~s.refused
            s.processor.resp.val @= s.memory.resp.val | s.answers
            s.processor.resp.msg.data @= s.memory.resp.msg.data
            if s.on_bus:
                s.processor.resp.msg.data @= s.m_axi_rdata

        @update
        def take_answers():
            s.memory.resp.rdy @= s.processor.resp.rdy
            s.m_axi_bready @= s.processor.resp.rdy & ~s.refused
            s.m_axi_rready @= s.processor.resp.rdy & ~s.refused

        @update
        def request():
            s.free @= ~s.on_bus | (s.answers & s.processor.resp.rdy)
            s.to_bus @= s.processor.req.msg.addr[ADDRESS_BITS:32] == WINDOW_NUMBER
            s.processor.req.rdy @= s.free & s.memory.req.rdy
            s.memory.req.val @= s.processor.req.val & s.free & ~s.to_bus
            s.memory.req.msg @= s.processor.req.msg
            s.begins @= s.processor.req.val & s.processor.req.rdy & s.to_bus

        @update
        def offer():
            s.m_axi_awvalid @= s.sends_address
            s.m_axi_awaddr @= s.address
            s.m_axi_wvalid @= s.sends_data
            s.m_axi_wdata @= s.data
            s.m_axi_wstrb @= s.strobes
            s.m_axi_arvalid @= s.sends_read
            s.m_axi_araddr @= s.address

        @update_ff
        def follow():
            if s.reset:
                s.on_bus <<= 0
                s.sends_address <<= 0
                s.sends_data <<= 0
                s.sends_read <<= 0
            elif s.begins:
                s.on_bus <<= 1
                s.sends_address <<= s.processor.req.msg.type_
                s.sends_data <<= s.processor.req.msg.type_
                s.sends_read <<= ~s.processor.req.msg.type_
            else:
                if s.free:
                    s.on_bus <<= 0
                if s.m_axi_awready:
                    s.sends_address <<= 0
                if s.m_axi_wready:
                    s.sends_data <<= 0
                if s.m_axi_arready:
                    s.sends_read <<= 0

        @update_ff
        def keep():
            if s.begins:
                s.address <<= s.processor.req.msg.addr[0:ADDRESS_BITS]
                s.data <<= s.processor.req.msg.data
                s.strobes <<= s.processor.req.msg.strb

    def line_trace(s) -> str:
        """Show what goes over the bus: an access offered, its answer."""
        shown = " "
        if s.sends_address | s.sends_data:
            shown = f"W[{s.address}]={s.data}"
        elif s.sends_read:
            shown = f"R[{s.address}]"
        elif s.answers:
            shown = f"={s.m_axi_rdata}" if s.m_axi_rvalid else "done"
        elif s.refused:
            shown = "refused"
        return f"{shown:16}"
