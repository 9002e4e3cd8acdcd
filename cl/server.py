"""The generic cycle-level server: the value comes from fl, the time from a formula."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from pymtl3 import Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.component import fields


@dataclass(frozen=True)
class Timing:
    """When a unit answers, as functions of the fields of the request.

    latency: cycles from the request's acceptance to its response, at least 1.
    interval: cycles from one acceptance to the next one possible, if nothing stalls.
    capacity: how many requests may be inside; a request leaves when its response is taken.
    refills: a full unit takes a request in the very cycle in which a response leaves.
    """

    latency: Callable[..., int]
    interval: Callable[..., int]
    capacity: int = 1
    refills: bool = False

    @staticmethod
    def one_at_a_time(latency: Callable[..., int]) -> "Timing":
        """A unit that takes the next request in the cycle after its response was taken."""
        return Timing(latency, lambda *operands: latency(*operands) + 1)


class ServerCL(Component):
    """Answers value(*request) exactly timing.latency(*request) cycles after accepting it."""

    def construct(
        s,
        Request: type,
        Response: type,
        value: Callable[..., int | tuple[int, ...]],
        timing: Timing,
    ):
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.inside: deque[tuple[int, object]] = deque()  # (cycle of completion, response)
        s.cycle = 0
        s.next_accept = 0
        s.has_room = Wire()
        s.may_refill = Wire()

        @update_ff
        def serve():
            if s.reset:
                s.inside.clear()
                s.cycle = 0
                s.next_accept = 0
            else:
                if s.send.val & s.send.rdy:
                    s.inside.popleft()
                if s.recv.val & s.recv.rdy:
                    request = fields(s.recv.msg)
                    answered = value(*request)
                    parts = answered if isinstance(answered, tuple) else (answered,)
                    s.inside.append((s.cycle + timing.latency(*request), Response(*parts)))
                    s.next_accept = s.cycle + timing.interval(*request)
                s.cycle += 1

            complete = bool(s.inside) and s.inside[0][0] <= s.cycle
            s.send.val <<= complete
            s.send.msg <<= s.inside[0][1] if complete else Response()
            in_time = s.cycle >= s.next_accept
            s.has_room <<= in_time and len(s.inside) < timing.capacity
            s.may_refill <<= in_time and timing.refills

        @update
        def ready():
            s.recv.rdy @= s.has_room | (s.may_refill & s.send.val & s.send.rdy)

    def line_trace(s) -> str:
        left = max(0, s.inside[0][0] - s.cycle) if s.inside else 0
        return f"{s.recv}({left:6}){s.send}"
