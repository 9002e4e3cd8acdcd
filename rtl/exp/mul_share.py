"""MulShare: one multiplier for two users; each has at most one product under way."""

from pymtl3 import Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL, MinionIfcRTL

from rtl.leaf.register import Register


class MulShare(Component):
    """Lets requests of `first` go before those of `second`; responses return to whoever asked.

    The unit answers in order, so it is enough to know which of two outstanding is the older.
    """

    def construct(s, Request: type, Response: type):
        s.first = MinionIfcRTL(Request, Response)
        s.second = MinionIfcRTL(Request, Response)
        s.unit = MasterIfcRTL(Request, Response)
        s.first_out = Register()
        s.second_out = Register()
        s.second_older = Register()
        s.first_stays = Wire()
        s.second_stays = Wire()
        s.first_taken = Wire()
        s.second_taken = Wire()
        s.to_second = Wire()
        s.first.resp.msg //= s.unit.resp.msg
        s.second.resp.msg //= s.unit.resp.msg

        @update
        def request():
            s.unit.req.val @= s.first.req.val | s.second.req.val
            if s.first.req.val:
                s.unit.req.msg @= s.first.req.msg
            else:
                s.unit.req.msg @= s.second.req.msg

        @update
        def request_ready():
            s.first.req.rdy @= s.unit.req.rdy
            s.second.req.rdy @= s.unit.req.rdy & ~s.first.req.val

        @update
        def owner():
            s.to_second @= s.second_out & (s.second_older | ~s.first_out)

        @update
        def response():
            s.first.resp.val @= s.unit.resp.val & ~s.to_second
            s.second.resp.val @= s.unit.resp.val & s.to_second

        @update
        def response_ready():
            s.unit.resp.rdy @= s.first.resp.rdy
            if s.to_second:
                s.unit.resp.rdy @= s.second.resp.rdy

        @update
        def moves():
            s.first_stays @= s.first_out & ~(s.first.resp.val & s.first.resp.rdy)
            s.second_stays @= s.second_out & ~(s.second.resp.val & s.second.resp.rdy)
            s.first_taken @= s.first.req.val & s.first.req.rdy
            s.second_taken @= s.second.req.val & s.second.req.rdy

        @update_ff
        def follow():
            if s.reset:
                s.first_out <<= 0
                s.second_out <<= 0
                s.second_older <<= 0
            else:
                s.first_out <<= s.first_taken | s.first_stays
                s.second_out <<= s.second_taken | s.second_stays
                if s.second_taken:
                    s.second_older <<= ~s.first_stays
                elif s.first_taken:
                    s.second_older <<= 1

    def line_trace(s) -> str:
        """Show 1 and 2 if the first and the second have a product under way."""
        return f"{'1' if s.first_out else '.'}{'2' if s.second_out else '.'}"
