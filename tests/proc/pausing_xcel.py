"""An accelerator that is late: NullXcelRTL behind pauses, the same ones from each reset on."""

from pymtl3 import Bits1, Component, Wire, concat, update, update_ff
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from fl.messages import XcelReq, XcelResp
from rtl.leaf.register import Register
from rtl.port.xcel import NullXcelRTL

FIRST = 0xACE1


class PausingXcelRTL(Component):
    """Takes no request, and offers no answer, in some cycles; an answer that is offered stays."""

    def construct(s):
        s.xcel = MinionIfcRTL(XcelReq, XcelResp)
        s.inner = NullXcelRTL()
        s.state = Register(16)  # of a shift register with feedback
        s.offered = Register()
        s.takes = Wire()
        s.offers = Wire()
        s.inner.xcel.req.msg //= s.xcel.req.msg
        s.xcel.resp.msg //= s.inner.xcel.resp.msg

        @update
        def pause():
            s.takes @= s.state[0] | s.state[3]
            s.offers @= s.offered | (s.state[5] & s.state[7])

        @update
        def requests():
            s.inner.xcel.req.val @= s.xcel.req.val & s.takes
            s.xcel.req.rdy @= s.inner.xcel.req.rdy & s.takes

        @update
        def answers():
            s.xcel.resp.val @= s.inner.xcel.resp.val & s.offers
            s.inner.xcel.resp.rdy @= s.xcel.resp.rdy & s.offers

        @update_ff
        def follow():
            if s.reset:
                s.state <<= FIRST
                s.offered <<= 0
            else:
                s.offered <<= s.xcel.resp.val & ~s.xcel.resp.rdy
                s.state <<= concat(Bits1(0), s.state[1:16])
                if s.state[0]:
                    s.state <<= concat(Bits1(0), s.state[1:16]) ^ 0xB400

    def line_trace(s) -> str:
        return s.inner.line_trace()
