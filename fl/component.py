"""The functional-level component: any integer function behind the ports of the hardware."""

from collections.abc import Callable

from pymtl3 import Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL


def fields(message: object) -> tuple[int, ...]:
    """The integers in a message, in the order of its fields."""
    return tuple(int(getattr(message, name)) for name in message.__bitstruct_fields__)


class StreamFL(Component):
    """send = value(*recv), in the next cycle; one request at a time, held until taken."""

    def construct(s, Request: type, Response: type, value: Callable[..., int | tuple[int, ...]]):
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.full = Wire()
        s.response = Wire(Response)

        @update_ff
        def answer():
            if s.reset:
                s.full <<= 0
            elif s.recv.val & s.recv.rdy:
                answered = value(*fields(s.recv.msg))
                parts = answered if isinstance(answered, tuple) else (answered,)
                s.response <<= Response(*parts)
                s.full <<= 1
            elif s.send.rdy:
                s.full <<= 0

        @update
        def ports():
            s.recv.rdy @= ~s.full | s.send.rdy
            s.send.val @= s.full
            s.send.msg @= s.response

    def line_trace(s) -> str:
        return f"{s.recv}({'F' if s.full else ' '}){s.send}"
