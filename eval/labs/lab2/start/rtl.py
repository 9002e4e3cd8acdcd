"""How lab2 is made. Four gaps are marked; fl.py says what is computed, cl.py when it is there."""

from dataclasses import dataclass

from pymtl3 import Component, Wire, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.unit import Unit
from fl.messages import mk_mul_msgs
from rtl.leaf.register import Register

from .cl import product_latency
from .fl import product


class Lab2RTL(Component):
    """r = a * b mod m, for any n-bit a and b <= m; a step per cycle, while a has bits."""

    def construct(s, nbits: int):
        Request, Response = mk_mul_msgs(nbits)
        wide = nbits + 1  # a name that the translated blocks below can use
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.busy = Register()  # a request is inside
        s.a = Register(nbits)  # its lowest bit is the next one
        s.b = Register(nbits)  # b times a power of two, modulo m
        s.m = Register(nbits)
        s.result = Register(nbits)
        s.total = Wire(wide)  # result + b, or result, before a subtraction
        s.doubled = Wire(wide)  # 2 * b before a subtraction

        @update
        def ports():
            # GAP 1: when is a request taken, when is an answer offered, and which?
            s.recv.rdy @= 0
            s.send.val @= 0
            s.send.msg.r @= 0

        @update
        def step():
            # GAP 2: one step of fl.py, by adders that are a bit wider than the operands.
            s.total @= zext(s.result, wide)
            s.doubled @= zext(s.b, wide)

        @update_ff
        def control():
            # GAP 3: busy from the cycle after a request is taken until its answer is.
            if s.reset:
                s.busy <<= 0

        @update_ff
        def datapath():
            # GAP 4: take the operands; then step while a has bits; else keep everything.
            s.a <<= s.a
            s.b <<= s.b
            s.m <<= s.m
            s.result <<= s.result

    def line_trace(s) -> str:
        """Show B busy; what is left of a, the result."""
        return f"{s.recv}({'B' if s.busy else ' '} {s.a} {s.result}){s.send}"


@dataclass(frozen=True)
class Lab2Unit(Unit):
    """Binds value, time and hardware at a width."""

    hardware = Lab2RTL
    constant_time = False

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: for b up to the modulus."""
        return m >= 1 and b <= m

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product modulo m."""
        return product(a, b, m)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response."""
        return product_latency(a)
