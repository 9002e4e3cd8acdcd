"""SSMM: the shift-sub modular multiplier (document 004, algo 5), any number of steps per cycle.

The document's unit takes one step per cycle, and a cycle more to see that the scanned operand has
run out; ours looks ahead and answers right after the last step. It also takes a multiplicand
above the modulus, which it first reduces by the same steps, as 1 * a.
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.ssmm import ssmm_latency
from cl.unit import Unit
from fl.messages import mk_mul_msgs
from fl.ssmm import ssmm_any
from rtl.leaf.register import Register
from rtl.leaf.shift_sub import ModAddIfs, ModDoubles, check_steps

IDLE, SCAN, DONE = 0, 1, 2


class SsmmRTL(Component):
    """r = a * b mod m, for m >= 1 and any n-bit a and b; time as in cl/ssmm.py.

    Without any_operand it asks for a <= m; synthesis then finds that nothing sets `reducing`, and
    drops the comparator and the register that holds b while a is reduced.
    """

    def construct(s, nbits: int, steps_per_cycle: int = 1, any_operand: bool = True):
        check_steps(nbits, steps_per_cycle)
        steps = steps_per_cycle  # the name that slices below can use
        Request, Response = mk_mul_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.state = Register(2)
        s.product = Register(nbits)
        s.multiplicand = Register(nbits)
        s.scanned = Register(nbits)
        s.modulus = Register(nbits)
        s.last = Wire()

        s.doubles = ModDoubles(nbits, steps)
        s.doubles.value //= s.multiplicand
        s.doubles.modulus //= s.modulus
        s.adds = ModAddIfs(nbits, steps)
        s.adds.product //= s.product
        s.adds.multiples //= s.doubles.multiples
        s.adds.bits //= s.scanned[0:steps]
        s.adds.modulus //= s.modulus

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.send.msg.r @= s.product
            s.last @= s.scanned[steps:nbits] == 0

        s.above = Wire()  # the request's multiplicand is above its modulus
        s.reducing = Register()
        s.held = Register(nbits)  # b, while a is reduced

        if any_operand:

            @update
            def compare():
                s.above @= s.recv.msg.a > s.recv.msg.m

        else:

            @update
            def trust():
                s.above @= 0

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.state == IDLE:
                if s.recv.val:
                    if s.above | (s.recv.msg.b != 0):
                        s.state <<= SCAN
                    else:
                        s.state <<= DONE
            elif s.state == SCAN:
                if s.last & (~s.reducing | (s.held == 0)):
                    s.state <<= DONE
            elif s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def datapath():
            if s.state == IDLE:
                s.product <<= 0
                s.modulus <<= s.recv.msg.m
                s.held <<= s.recv.msg.b
                s.reducing <<= s.above
                if s.above:
                    s.multiplicand <<= 1
                    s.scanned <<= s.recv.msg.a
                else:
                    s.multiplicand <<= s.recv.msg.a
                    s.scanned <<= s.recv.msg.b
            elif s.state == SCAN:
                if s.reducing & s.last:
                    s.reducing <<= 0
                    s.product <<= 0
                    s.multiplicand <<= s.adds.next
                    s.scanned <<= s.held
                else:
                    s.product <<= s.adds.next
                    s.multiplicand <<= s.doubles.next
                    s.scanned <<= s.scanned >> steps

    def line_trace(s) -> str:
        """Show I idle, S scans, D done; the bits that are left to scan, the product."""
        name = {IDLE: "I", SCAN: "S", DONE: "D"}[int(s.state)]
        return f"{s.recv}({name} {s.scanned} {s.product}){s.send}"


@dataclass(frozen=True)
class Ssmm(Unit):
    """r = a * b mod m, for m >= 1 and any n-bit a and b."""

    hardware = SsmmRTL

    steps_per_cycle: int = 1

    constant_time = False

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product modulo m."""
        return ssmm_any(a, b, m)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response, by the lengths of what is scanned."""
        return ssmm_latency(self.steps_per_cycle, a, b, m)
