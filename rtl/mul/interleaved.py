"""The interleaved multiplier: from the highest bit of an operand down, some of them per cycle.

Blakley's method, as in fl/interleaved.py. All bits are scanned, 0 or 1: its time is constant.
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, clog2, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.interleaved import interleaved_latency, pass_cycles
from cl.unit import Unit
from fl.interleaved import interleaved
from fl.messages import mk_mul_msgs
from rtl.leaf.interleaved import BitsAt, InterleavedSteps
from rtl.leaf.register import Register
from rtl.leaf.shift_sub import check_steps

IDLE, SCAN, DONE = 0, 1, 2


class InterleavedRTL(Component):
    """r = a * b mod m, for m >= 1, a <= m and any b; time as in cl/interleaved.py."""

    def construct(s, nbits: int, steps_per_cycle: int = 1):
        check_steps(nbits, steps_per_cycle)
        steps = steps_per_cycle
        count = pass_cycles(nbits, steps)
        Request, Response = mk_mul_msgs(nbits)
        Place = mk_bits(clog2(count))
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.state = Register(2)
        s.request = Register(Request)
        s.product = Register(nbits)
        s.place = Register(Place)
        s.load = Wire()

        s.scan = BitsAt(nbits, steps)
        s.scan.value //= s.request.b
        s.scan.place //= s.place
        s.steps = InterleavedSteps(nbits, steps)
        s.steps.product //= s.product
        s.steps.multiplicand //= s.request.a
        s.steps.bits //= s.scan.bits
        s.steps.modulus //= s.request.m

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.send.msg.r @= s.product

        @update
        def accept():
            s.load @= (s.state == IDLE) & s.recv.val

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.load:
                s.state <<= SCAN
            elif s.state == SCAN:
                if s.place == 0:
                    s.state <<= DONE
            elif s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def registers():
            if s.load:
                s.request <<= s.recv.msg
                s.place <<= Place(count - 1)
                s.product <<= 0
            elif s.state == SCAN:
                s.place <<= s.place - 1
                s.product <<= s.steps.next

    def line_trace(s) -> str:
        """Show I idle, S scans, D done; the place that is scanned, the product."""
        return f"{s.recv}({'ISD'[int(s.state)]} {s.place} {s.product}){s.send}"


@dataclass(frozen=True)
class Interleaved(Unit):
    """r = a * b mod m, for m >= 1, a <= m and any n-bit b."""

    hardware = InterleavedRTL

    steps_per_cycle: int = 1

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product modulo m."""
        return interleaved(a, b, m)

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: a is the modulus at most."""
        return m >= 1 and a <= m

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, the same for all."""
        return interleaved_latency(self.nbits, self.steps_per_cycle)
