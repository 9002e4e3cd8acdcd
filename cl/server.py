"""The generic cycle-level server: it answers what a model computes, when the model says."""

from collections import deque
from typing import Protocol, Self

from pymtl3 import Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.component.stream import Computes, answer_to, fields


class Timed(Computes, Protocol):
    """Says what a unit computes, when and what it is then; cl/model.py says what each means."""

    capacity: int
    refills: bool

    def latency(self, *operands: int) -> int:
        """Count cycles to the response."""
        ...

    def interval(self, *operands: int) -> int:
        """Count cycles to the next request's acceptance."""
        ...

    def after(self, *operands: int) -> Self:
        """Return the unit as it is then."""
        ...


class ServerCL(Component):
    """Answers model.value(*request) exactly model.latency(*request) cycles after accepting it.

    The model is that after the requests before, from a reset on.
    """

    def construct(s, model: Timed):
        Request, Response = model.messages
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.inside: deque[tuple[int, object]] = deque()  # (cycle of completion, response)
        s.model = s.now = model
        s.cycle = 0
        s.next_accept = 0
        s.has_room = Wire()
        s.may_refill = Wire()

        @update_ff
        def serve():
            if s.reset:
                s.inside.clear()
                s.now = model
                s.cycle = 0
                s.next_accept = 0
            else:
                if s.send.val & s.send.rdy:
                    s.inside.popleft()
                if s.recv.val & s.recv.rdy:
                    request = fields(s.recv.msg)
                    response = answer_to(s.recv.msg, model)
                    s.inside.append((s.cycle + s.now.latency(*request), response))
                    s.next_accept = s.cycle + s.now.interval(*request)
                    s.now = s.now.after(*request)
                s.cycle += 1

            complete = bool(s.inside) and s.inside[0][0] <= s.cycle
            s.send.val <<= complete
            s.send.msg <<= s.inside[0][1] if complete else Response()
            in_time = s.cycle >= s.next_accept
            s.has_room <<= in_time and len(s.inside) < model.capacity
            s.may_refill <<= in_time and model.refills

        @update
        def ready():
            s.recv.rdy @= s.has_room | (s.may_refill & s.send.val & s.send.rdy)

    def quiet(s) -> int:
        """Count the cycles from this one on in which nothing happens, whatever the inputs."""
        if not s.inside or s.send.val or s.has_room:
            return 0
        answers, is_full = s.inside[0][0], len(s.inside) >= s.model.capacity
        changes = answers if is_full else min(answers, s.next_accept)
        return max(0, changes - s.cycle - 1)

    def skip(s, cycles: int) -> None:
        """Be as after so many of these cycles."""
        s.cycle += cycles

    def line_trace(s) -> str:
        """Show cycles until the next answer."""
        left = max(0, s.inside[0][0] - s.cycle) if s.inside else 0
        return f"{s.recv}({left:6}){s.send}"
