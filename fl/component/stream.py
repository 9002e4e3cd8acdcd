"""The functional-level component: any integer function behind the ports of the hardware."""

from typing import Protocol

from pymtl3 import Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL


class Computes(Protocol):
    """Says what a unit computes: the messages that it takes and gives, and the function between."""

    @property
    def messages(self) -> tuple[type, type]:
        """Return the types of request and response."""
        ...

    def value(self, *operands: int) -> int | tuple[int, ...]:
        """Return the fields of the response to a request of these fields."""
        ...


def fields(message: object) -> tuple[int, ...]:
    """Return the integers in a message, in the order of its fields."""
    return tuple(int(getattr(message, name)) for name in message.__bitstruct_fields__)


def answer_to(request: object, model: Computes) -> object:
    """Return the response message that the model gives to a request message."""
    answered = model.value(*fields(request))
    return model.messages[1](*(answered if isinstance(answered, tuple) else (answered,)))


class StreamFL(Component):
    """Answers model.value(*request) in the next cycle; holds one answer, until it is taken."""

    def construct(s, model: Computes):
        Request, Response = model.messages
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.full = Wire()
        s.response = Wire(Response)

        @update_ff
        def answer():
            if s.reset:
                s.full <<= 0
            elif s.recv.val & s.recv.rdy:
                s.response <<= answer_to(s.recv.msg, model)
                s.full <<= 1
            elif s.send.rdy:
                s.full <<= 0

        @update
        def ports():
            s.recv.rdy @= ~s.full | s.send.rdy
            s.send.val @= s.full
            s.send.msg @= s.response

    def line_trace(s) -> str:
        """Show F while it holds an answer."""
        return f"{s.recv}({'F' if s.full else ' '}){s.send}"
