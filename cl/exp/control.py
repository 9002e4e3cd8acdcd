"""The order of an exponentiation at cycle level, and its adapters to val/rdy ports."""

from typing import TYPE_CHECKING

from pymtl3 import CalleeIfcCL, CallerIfcCL, Component, M, U, update_ff, update_once
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.exp.clock import Clock
from fl.exponentiator import BAD_MODULUS, OK

if TYPE_CHECKING:
    from cl.exponentiator import ExponentiatorOfParts


class Control(Component):
    """Takes one request at a time, and starts the parts, which hand on to each other.

    What needs no product is answered in the next cycle. A bad modulus of a design of constant time
    goes all the way, as the modulus 1. The last answer stays on `send` until the next one.
    """

    def construct(s, exponentiator: "ExponentiatorOfParts", clock: Clock):
        parts, constant_time = exponentiator.parts, exponentiator.constant_time
        Request, Response = exponentiator.messages
        s.clock = clock
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.load, s.constant, s.r_squared = CallerIfcCL(), CallerIfcCL(), CallerIfcCL()
        s.one, s.enter, s.leave = CallerIfcCL(), CallerIfcCL(), CallerIfcCL()
        s.loop_done = CalleeIfcCL(method=s.end_loop, rdy=lambda: True)
        s.left = CalleeIfcCL(method=s.end, rdy=lambda: True)
        s.clear()
        takes = parts.judge.cl() if parts.judge.cl else exponentiator.takes

        @update_once
        def take():
            if s.recv.val & s.recv.rdy:
                base, exp, mod = map(int, (s.recv.msg.base, s.recv.msg.exp, s.recv.msg.mod))
                bad = not takes(mod)
                s.idle, s.status = False, BAD_MODULUS if bad else OK
                clock.stir()
                s.mod, s.worked = mod, 1 if bad else mod
                if (bad or exp == 0) and not constant_time:
                    s.result, s.skip_at = 1 % s.worked, clock.now + 1
                    clock.wake(s.skip_at)
                else:
                    start = clock.now + parts.waits
                    s.load(exp, parts.first_result(s.worked), s.worked)
                    s.constant(start, mod, s.worked)
                    s.r_squared(start, mod, s.worked)
                    s.one(start, 1, s.worked)
                    s.enter(start, base, s.worked)

        @update_once
        def respond():
            if s.skip_at == clock.now:
                s.offers = True
            if s.offers and not s.offered:
                s.offered = True
                s.send.msg @= Response(0 if s.status else s.result, s.status)
                s.send.val @= 1
            elif s.offered and not s.offers:
                s.offered = False
                s.send.val @= 0

        @update_ff
        def edge():
            if s.reset:
                s.clear()
            else:
                clock.tick()
                if s.offers and s.send.rdy:
                    s.offers, s.idle = False, True
            s.recv.rdy <<= s.idle

        s.add_constraints(U(take) < U(respond), M(s.left) < U(respond))

    def clear(s) -> None:
        """Forget the request."""
        s.clock.restart()
        s.idle, s.offers, s.skip_at = True, False, -1
        s.mod = s.worked = s.result = s.status = 0
        s.offered = True  # a reset takes val back

    def end_loop(s, value: int) -> None:
        """Have the loop's last value leave."""
        s.leave(value, s.mod, s.worked)

    def end(s, result: int) -> None:
        """Offer the result from this cycle on."""
        s.result, s.offers = result, True
        s.clock.stir()

    def is_busy(s) -> bool:
        """Return whether neither a request is taken nor an answer offered."""
        return not (s.idle or s.offers or s.offered or s.recv.rdy)

    def line_trace(s) -> str:
        """Show I idle, B busy, D done."""
        return "I" if s.idle else "D" if s.offers else "B"
