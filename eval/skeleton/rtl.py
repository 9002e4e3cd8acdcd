"""How sample is made: a register for the result, an adder and two subtractors before it."""

from dataclasses import dataclass

from pymtl3 import Component, Wire, clog2, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.unit import Unit
from fl.messages import mk_mul_msgs
from rtl.leaf.register import Register

from .cl import sample_latency
from .fl import sample_value

IDLE, STEP, DONE = 0, 1, 2


class SampleRTL(Component):
    """r = a * b mod m, for any n-bit a and b <= m; a step per cycle."""

    def construct(s, nbits: int):
        Request, Response = mk_mul_msgs(nbits)
        top, wide = nbits - 1, nbits + 2  # names that the translated blocks below can use
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.state = Register(2)
        s.left = Register(clog2(nbits))  # steps after this one
        s.a = Register(nbits)  # its highest bit is the next one
        s.b = Register(nbits)
        s.m = Register(nbits)
        s.result = Register(nbits)
        s.total = Wire(wide)
        s.once = Wire(wide)
        s.twice = Wire(wide)

        @update
        def step():
            s.total @= zext(s.result, wide) << 1
            if s.a[top]:
                s.total @= (zext(s.result, wide) << 1) + zext(s.b, wide)
            s.once @= s.total
            if s.total >= zext(s.m, wide):
                s.once @= s.total - zext(s.m, wide)
            s.twice @= s.once
            if s.once >= zext(s.m, wide):
                s.twice @= s.once - zext(s.m, wide)

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.send.msg.r @= s.result

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.state == IDLE:
                if s.recv.val:
                    s.state <<= STEP
            elif s.state == STEP:
                if s.left == 0:
                    s.state <<= DONE
            elif s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def datapath():
            if s.state == IDLE:
                s.left <<= top
                s.a <<= s.recv.msg.a
                s.b <<= s.recv.msg.b
                s.m <<= s.recv.msg.m
                s.result <<= 0
            elif s.state == STEP:
                s.left <<= s.left - 1
                s.a <<= s.a << 1
                s.result <<= s.twice[0:nbits]

    def line_trace(s) -> str:
        """Show I idle, S a step, D done; the steps that are left, the result."""
        state = {IDLE: "I", STEP: "S", DONE: "D"}[int(s.state)]
        return f"{s.recv}({state} {s.left} {s.result}){s.send}"


@dataclass(frozen=True)
class SampleUnit(Unit):
    """Binds value, time and hardware at a width."""

    hardware = SampleRTL

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: for b up to the modulus."""
        return m >= 1 and b <= m

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product modulo m."""
        return sample_value(a, b, m)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response."""
        return sample_latency(self.nbits)
