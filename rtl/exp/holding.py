"""Who holds the operands of an exponentiation while it is made.

The core of an exponentiator takes a request from `recv` in a cycle; from the next one until its
answer has been taken it finds the same operands at `held`, and its result stays on `send` until it
takes another request. Behind the accelerator's port it is the port that holds them.

A core that keeps what it has found of a modulus asks with each request whether that is the `same`
as of the request before, and says whether anything is `kept`.
"""

from collections.abc import Callable

from pymtl3 import Component, InPort, OutPort, connect, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.exponentiator import Exponentiator
from fl.messages import CRT_KEY, mk_exp_msgs
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


def ask_for_powers(core: Component) -> None:
    """Connect the ports by which a core is asked for private operations: it is for none."""
    connect(core.private, 0)
    for name in CRT_KEY:
        connect(getattr(core.key, name), 0)


class Holding(Component):
    """Holds the operands for a core, whose requests come from anywhere.

    keeps: the core asks whether the modulus is the same; the two are compared.
    """

    by_crt = False  # whether the core could make private operations

    def construct(s, nbits: int, make_core: Callable[[], Component], keeps: bool = False):
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.request = Register(Request)
        s.core = make_core()
        s.core.recv //= s.recv
        s.core.held //= s.request
        s.core.send //= s.send

        if s.by_crt:
            ask_for_powers(s.core)

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


class HoldingByCrt(Holding):
    """Holds the operands of powers alone: no private operation is asked for."""

    by_crt = True


class OfHeldOperands(Exponentiator):
    """Makes hardware around a core."""

    operands_held = True

    def core(self) -> Component:
        """Make a new component with the ports of CorePorts."""
        raise NotImplementedError

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        return (HoldingByCrt if self.by_crt else Holding)(self.nbits, self.core, self.keeps)
