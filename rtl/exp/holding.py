"""Who holds the operands of an exponentiation while it is made.

The core of an exponentiator takes a request from `recv` in a cycle; from the next one until its
answer has been taken it finds the same operands at `held`, and its result stays on `send` until it
takes another request. Behind the accelerator's port it is the port that holds them.

A core that keeps what it has found of a modulus asks with each request whether that is the `same`
as of the request before, and says whether anything is `kept`.
"""

from collections.abc import Callable

from pymtl3 import Component, InPort, OutPort, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.exponentiator import Exponentiator
from fl.messages import mk_exp_msgs
from rtl.leaf.register import Register


class CorePorts(Component):
    """Has the ports of all cores, those that keep something included."""

    def construct(s, nbits: int, keeps: bool = False):
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.held = InPort(Request)
        s.send = SendIfcRTL(Response)
        if keeps:
            s.same = InPort()
            s.kept = OutPort()


class Holding(Component):
    """Holds the operands for a core, whose requests come from anywhere.

    keeps: the core asks whether the modulus is the same; the two are compared.
    """

    def construct(s, nbits: int, make_core: Callable[[], Component], keeps: bool = False):
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.request = Register(Request)
        s.core = make_core()
        s.core.recv //= s.recv
        s.core.held //= s.request
        s.core.send //= s.send

        if keeps:

            @update
            def compare():
                s.core.same @= s.recv.msg.mod == s.request.mod

        @update_ff
        def hold():
            if s.recv.val & s.recv.rdy:
                s.request <<= s.recv.msg

    def line_trace(s) -> str:
        return s.core.line_trace()


class OfHeldOperands(Exponentiator):
    """Makes hardware around a core."""

    operands_held = True

    def core(self) -> Component:
        """Make a new component with the ports of CorePorts."""
        raise NotImplementedError

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        return Holding(self.nbits, self.core, self.keeps)
