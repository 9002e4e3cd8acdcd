"""The accelerator port of fl/xcel.py behind the ports of the hardware."""

from pymtl3 import Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from fl.component.stream import fields
from fl.messages import XcelReq, XcelResp
from fl.xcel import GO, WRITE, Exponentiates, Registers
from fl.xcel_crt import CrtRegisters


class XcelFL(Component):
    """Answers requests of the register map, each one cycle later, or once it need not wait."""

    def construct(s, exponentiator: Exponentiates):
        s.xcel = MinionIfcRTL(XcelReq, XcelResp)
        s.registers = (CrtRegisters if exponentiator.by_crt else Registers)(exponentiator)
        s.cycle = 0
        s.free_from = 0  # first cycle in which no computation is running
        s.request = None  # taken, not yet performed
        s.offer = Wire()
        s.full = Wire()
        s.response = Wire(XcelResp)

        @update_ff
        def serve():
            if s.reset:
                s.registers.reset()
                s.cycle = s.free_from = 0
                s.request = None
                s.full <<= 0
                s.offer <<= 0
            else:
                offering = bool(s.offer & ~s.xcel.resp.rdy)  # still there in the next cycle
                if s.xcel.req.val & s.xcel.req.rdy:
                    s.request = fields(s.xcel.req.msg)
                s.cycle += 1
                if s.request and not offering and not s.must_wait(*s.request):
                    type_, register, data = s.request
                    busy = s.cycle < s.free_from
                    if (type_, register) == (WRITE, GO):
                        s.free_from = s.cycle + s.busy_cycles(data)
                    s.response <<= XcelResp(type_, s.registers.access(type_, register, data, busy))
                    s.request = None
                    offering = True
                s.offer <<= offering
                s.full <<= offering or s.request is not None

        @update
        def ports():
            s.xcel.req.rdy @= ~s.full | (s.offer & s.xcel.resp.rdy)
            s.xcel.resp.val @= s.offer
            s.xcel.resp.msg @= s.response

    def busy_cycles(s, data: int) -> int:
        """Return how long a go with such data keeps the accelerator busy."""
        return 0

    def must_wait(s, type_: int, register: int, data: int) -> bool:
        """Return whether a request waits for the computation."""
        return (type_, register) in s.registers.need_free and s.cycle < s.free_from

    def quiet(s) -> int:
        """Count the cycles from this one on in which nothing happens: a request waits."""
        if not s.request or s.offer:
            return 0
        return max(0, s.free_from - s.cycle - 1)

    def skip(s, cycles: int) -> None:
        """Be as after so many of these cycles."""
        s.cycle += cycles

    def line_trace(s) -> str:
        return f"{s.xcel.req}({max(0, s.free_from - s.cycle):6}){s.xcel.resp}"
