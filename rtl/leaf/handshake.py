"""val and rdy without a message: how one unit takes part in the handshake of another."""

from pymtl3 import InPort, Interface, OutPort


class Accept(Interface):
    """Takes a request in a cycle in which both are set."""

    def construct(s):
        s.val = InPort()
        s.rdy = OutPort()


class Offer(Interface):
    """Gives a response away in a cycle in which both are set."""

    def construct(s):
        s.val = OutPort()
        s.rdy = InPort()


def join(inner: object, outer: object) -> None:
    """Make the val and rdy of an inner unit's port those of the port of the unit that holds it."""
    inner.val //= outer.val
    inner.rdy //= outer.rdy
