"""An accelerator with a fault: one bit of one of its results is wrong, as an attacker makes it.

Who may cause such a fault in one half of an RSA signature by the Chinese remainder theorem learns
the key, unless the signature is checked before it is given away.
"""

from collections.abc import Callable

from pymtl3 import Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from fl.messages import XcelReq, XcelResp
from fl.xcel import GO, READ, RESULT, WRITE
from rtl.leaf.register import Register


class FlippingXcel(Component):
    """Passes on what an accelerator is asked and answers, but flips the lowest bit of the result of
    computation number `chosen` since reset, from 0 on."""

    def construct(s, make: Callable[[], Component], chosen: int):
        s.xcel = MinionIfcRTL(XcelReq, XcelResp)
        s.inner = make()
        s.count = Register(8)  # goes that were taken
        s.first = Register()  # no word of the result has been asked for
        s.flips = Register()  # the answer to the request that was taken last
        s.taken = Wire()
        s.go = Wire()
        s.pop = Wire()
        number = chosen + 1

        s.inner.xcel.req.msg //= s.xcel.req.msg
        s.inner.xcel.req.val //= s.xcel.req.val
        s.inner.xcel.req.rdy //= s.xcel.req.rdy
        s.inner.xcel.resp.val //= s.xcel.resp.val
        s.inner.xcel.resp.rdy //= s.xcel.resp.rdy

        @update
        def answer():
            s.xcel.resp.msg @= s.inner.xcel.resp.msg
            if s.flips:
                s.xcel.resp.msg.data @= s.inner.xcel.resp.msg.data ^ 1

        @update
        def decode():
            s.taken @= s.xcel.req.val & s.xcel.req.rdy
            s.go @= s.taken & (s.xcel.req.msg.type_ == WRITE) & (s.xcel.req.msg.addr == GO)
            s.pop @= s.taken & (s.xcel.req.msg.type_ == READ) & (s.xcel.req.msg.addr == RESULT)

        @update_ff
        def follow():
            if s.reset:
                s.count <<= 0
                s.first <<= 0
                s.flips <<= 0
            elif s.taken:
                s.flips <<= s.pop & s.first & (s.count == number)
                if s.go:
                    s.count <<= s.count + 1
                    s.first <<= 1
                elif s.pop:
                    s.first <<= 0

    def line_trace(s) -> str:
        """Show how many computations there were, and ! where a bit is flipped."""
        return f"{s.count}{'!' if s.flips else ' '} {s.inner.line_trace()}"
