"""Small units that the tests of sim/ run: an adder at three levels, and units with faults."""

from pymtl3 import *
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

import fl.widebits  # noqa: F401


def mk_add_msgs(nbits: int) -> tuple[type, type]:
    """Request (a, b) and response (sum) of an n-bit adder."""
    bits = mk_bits(nbits)
    return (
        mk_bitstruct(f"AddReq{nbits}", {"a": bits, "b": bits}),
        mk_bitstruct(f"AddResp{nbits}", {"sum": bits}),
    )


class AddFL(Component):
    """sum = a + b mod 2^n, when it likes; its state lives in Python."""

    def construct(s, nbits: int) -> None:
        Req, Resp = mk_add_msgs(nbits)
        s.recv = RecvIfcRTL(Req)
        s.send = SendIfcRTL(Resp)
        s.answer = None

        @update_once
        def up_fl():
            if s.reset:
                s.answer = None
            s.recv.rdy @= s.answer is None
            s.send.val @= s.answer is not None
            if s.answer is None:
                if s.recv.val:
                    s.answer = s.recv.msg.a + s.recv.msg.b
            else:
                s.send.msg @= Resp(s.answer)
                if s.send.rdy:
                    s.answer = None


class AddCL(Component):
    """The same, with the response `latency` + 1 cycles after the request."""

    def construct(s, nbits: int, latency: int) -> None:
        Req, Resp = mk_add_msgs(nbits)
        s.recv = RecvIfcRTL(Req)
        s.send = SendIfcRTL(Resp)
        s.answer = None
        s.left = 0

        @update_once
        def up_cl():
            if s.reset:
                s.answer = None
            s.recv.rdy @= s.answer is None
            s.send.val @= (s.answer is not None) & (s.left == 0)
            if s.answer is None:
                if s.recv.val:
                    s.answer = Resp(s.recv.msg.a + s.recv.msg.b)
                    s.left = latency
            elif s.left:
                s.left -= 1
            else:
                s.send.msg @= s.answer
                if s.send.rdy:
                    s.answer = None

    def line_trace(s) -> str:
        return f"{s.recv}({s.left}){s.send}"


class AddRTL(Component):
    """The same in hardware; answers of odd `hang_on` stay away, `again` ones come twice."""

    def construct(s, nbits: int, latency: int, hangs: bool = False, again: bool = False) -> None:
        Req, Resp = mk_add_msgs(nbits)
        s.recv = RecvIfcRTL(Req)
        s.send = SendIfcRTL(Resp)
        s.busy = Wire()
        s.twice = Wire()
        s.left = Wire(8)
        s.total = Wire(nbits)
        s.stuck = Wire()
        hang_bit = b1(hangs)
        again_bit = b1(again)
        start = b8(latency)

        @update
        def up_out():
            s.recv.rdy @= ~s.busy
            s.stuck @= hang_bit & s.total[0]
            s.send.val @= s.busy & (s.left == 0) & ~s.stuck
            s.send.msg.sum @= s.total

        @update_ff
        def up_state():
            if s.reset:
                s.busy <<= 0
                s.twice <<= 0
            elif s.recv.val & s.recv.rdy:
                s.busy <<= 1
                s.twice <<= again_bit
                s.left <<= start
                s.total <<= s.recv.msg.a + s.recv.msg.b
            elif s.send.val & s.send.rdy:
                s.busy <<= s.twice
                s.twice <<= 0
            elif s.left != 0:
                s.left <<= s.left - 1

    def line_trace(s) -> str:
        return f"{s.recv}({s.left}){s.send}"


class ReverseRTL(Component):
    """Combinational: the bits of the request in reverse order (a for loop), shifted left by 5."""

    def construct(s, nbits: int) -> None:
        s.recv = RecvIfcRTL(mk_bits(nbits))
        s.send = SendIfcRTL(mk_bits(nbits))
        s.turned = Wire(nbits)
        top = nbits - 1

        @update
        def up_turn():
            for i in range(nbits):
                s.turned[i] @= s.recv.msg[top - i]

        @update
        def up_out():
            s.recv.rdy @= s.send.rdy
            s.send.val @= s.recv.val
            s.send.msg @= s.turned << 5
