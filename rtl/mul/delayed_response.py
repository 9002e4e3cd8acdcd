"""A unit whose responses are delayed by some cycles, as by flags that go through registers.

By the printed cycles of document 004's algo 4, five per bit are no steps: one to load them, one in
which the loop keeps the answer, and three here. The document prints the Verilog of algo 6 only,
where strobes and flags are registers.
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, clog2, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.around import Around
from cl.unit import Unit
from rtl.leaf.register import Register


class DelayedResponseRTL(Component):
    """The unit's response, so many cycles after it stands."""

    def construct(s, unit: Unit, cycles: int):
        Request, Response = unit.messages
        Count = mk_bits(clog2(cycles + 1))
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.waited = Register(Count)
        s.told = Wire()
        s.unit = unit.rtl()
        s.unit.recv //= s.recv
        s.unit.send.msg //= s.send.msg

        @update
        def tell():
            s.told @= s.waited == Count(cycles)
            s.send.val @= s.told  # there is an answer: it is what has waited
            s.unit.send.rdy @= s.send.rdy & s.told

        @update_ff
        def count():
            if s.reset | (s.send.val & s.send.rdy):
                s.waited <<= 0
            elif s.unit.send.val & ~s.told:
                s.waited <<= s.waited + 1

    def line_trace(s) -> str:
        """Show how long an answer has waited; the unit."""
        return f"{s.waited} {s.unit.line_trace()}"


@dataclass(frozen=True)
class DelayedResponse(Around):
    """Delays the responses of a unit by so many cycles."""

    cycles: int

    capacity = 1

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response: the unit's, and those of the flags."""
        return self.unit.latency(a, b, m) + self.cycles

    def interval(self, *operands: int) -> int:
        """Count cycles to the next request's acceptance: with the response, or after."""
        return self.latency(*operands) + (not self.refills)

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        return DelayedResponseRTL(self.unit, self.cycles)
