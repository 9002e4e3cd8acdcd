"""A core of others with its adapter, between the messages of multipliers and exponentiators."""

from pymtl3 import Component, InPort, OutPort, connect
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import mk_exp_msgs, mk_mul_msgs
from rtl.foreign.text import VerilogModule, VerilogText

MULTIPLIER, EXPONENTIATOR = ("a", "b", "m"), ("base", "exp", "mod")


class ForeignMultiplierRTL(Component):
    """r = what the core says to a, b, m; the module's ports are those of an adapter."""

    def construct(s, nbits: int, module: VerilogModule):
        Request, Response = mk_mul_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.adapter = VerilogText(module)
        s.adapter.in_a //= s.recv.msg.a
        s.adapter.in_b //= s.recv.msg.b
        s.adapter.in_m //= s.recv.msg.m
        s.send.msg.r //= s.adapter.result
        _join(s)

    def line_trace(s) -> str:
        """Show the adapter's ports of one bit that are set."""
        return f"{s.recv}({s.adapter.line_trace()}){s.send}"


class ForeignExponentiatorRTL(Component):
    """result, status = what the core says to base, exp, mod, by way of an adapter."""

    def construct(s, nbits: int, module: VerilogModule):
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.adapter = VerilogText(module)
        s.adapter.in_base //= s.recv.msg.base
        s.adapter.in_exp //= s.recv.msg.exp
        s.adapter.in_mod //= s.recv.msg.mod
        s.send.msg.result //= s.adapter.result
        s.send.msg.status //= s.adapter.status
        _join(s)

    def line_trace(s) -> str:
        """Show the adapter's ports of one bit that are set."""
        return f"{s.recv}({s.adapter.line_trace()}){s.send}"


class BareRTL(Component):
    """Is the core alone, its ports as they are."""

    def construct(s, module: VerilogModule):
        s.core = VerilogText(module)
        for name, into, nbits in module.ports:
            setattr(s, name, InPort(nbits) if into else OutPort(nbits))
            connect(getattr(s, name), getattr(s.core, name))

    def line_trace(s) -> str:
        """Show the core's ports of one bit that are set."""
        return s.core.line_trace()


def _join(s: Component) -> None:
    """Connect val and rdy."""
    s.adapter.in_val //= s.recv.val
    s.recv.rdy //= s.adapter.in_rdy
    s.send.val //= s.adapter.out_val
    s.adapter.out_rdy //= s.send.rdy
