"""MontMul: Montgomery's product by AddRed steps; how many per cycle, and when, are parameters.

MMMul of document 004 is 1 step per cycle, iterated; MM of 000 the same without the final
subtraction; MontMulRem of 001 is pipelined, 8 steps per stage.
"""

from dataclasses import dataclass

from pymtl3 import Component, connect, update, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.mont_mul import SCHEDULES, mont_cycles, mont_interval, mont_latency
from cl.unit import Unit
from fl.messages import mk_mul_msgs
from fl.mont_mul import GUARD_BITS, mont_radix, mont_value
from rtl.leaf.add_red import check_order
from rtl.leaf.handshake import join
from rtl.leaf.subtract_if_fits import SubtractIfFits
from rtl.mul.add_red_loop import AddRedLoop
from rtl.mul.add_red_pipeline import AddRedPipeline


class MontMulRTL(Component):
    """r = a * b * R^-1 mod m for odd m, R = 2^mont_radix; time as in cl/mont_mul.py.

    With the final subtraction: b < m, any n-bit a, r < m; without: b < 2m, any wider a, r < 2m.
    Other operands get some answer at the same time.
    """

    def construct(
        s,
        nbits: int,
        steps_per_cycle: int,
        schedule: str = "iterated",
        order: str = "koc",
        final_subtract: bool = True,
    ):
        check_order(order)
        if schedule not in SCHEDULES:
            raise ValueError(f"schedule must be one of {', '.join(SCHEDULES)}, not {schedule!r}")
        radix = mont_radix(nbits, steps_per_cycle, final_subtract)
        guard_bits = 0 if final_subtract else GUARD_BITS
        width = nbits + guard_bits
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)

        if schedule == "iterated":
            cycles = mont_cycles(nbits, steps_per_cycle, final_subtract)
            s.steps = AddRedLoop(width, steps_per_cycle, cycles, order)
        else:
            s.steps = AddRedPipeline(width, steps_per_cycle, radix, order)
        join(s.steps.recv, s.recv)
        join(s.steps.send, s.send)

        @update
        def operands():
            s.steps.first_sum @= 0
            s.steps.x @= s.recv.msg.a
            s.steps.y @= s.recv.msg.b
            s.steps.m @= zext(s.recv.msg.m, width)

        if final_subtract:
            s.subtract = SubtractIfFits(nbits)
            s.subtract.value //= s.steps.sum
            s.subtract.m //= s.steps.held_m
            connect(s.send.msg.r, s.subtract.result)
        else:
            connect(s.send.msg.r, s.steps.sum[0:width])

    def line_trace(s) -> str:
        return f"{s.recv}({s.steps.line_trace()}){s.send}"


@dataclass(frozen=True)
class MontMul(Unit):
    """r = a * b * R^-1 mod m for odd m, by AddRed steps.

    So many steps_per_cycle: by one chain, or (pipelined) each in hardware of its own.
    """

    hardware = MontMulRTL

    steps_per_cycle: int
    schedule: str = "iterated"
    order: str = "koc"
    final_subtract: bool = True

    refills = True

    @property
    def radix(self) -> int:
        """Return r of R = 2^r."""
        return mont_radix(self.nbits, self.steps_per_cycle, self.final_subtract)

    @property
    def guard_bits(self) -> int:
        """Return by how many bits values may be wider than the modulus."""
        return 0 if self.final_subtract else GUARD_BITS

    @property
    def pipelined(self) -> bool:
        """Return whether it has hardware for every step."""
        return self.schedule == "pipelined"

    @property
    def capacity(self) -> int:
        """Return how many requests are inside at once: one per stage."""
        return self.radix // self.steps_per_cycle if self.pipelined else 1

    @property
    def shape(self) -> tuple[int, int, str, bool]:
        """Return what its time depends on."""
        return self.nbits, self.steps_per_cycle, self.schedule, self.final_subtract

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: for m odd, b below m, or 2m without final subtraction."""
        return m % 2 == 1 and b < (m if self.final_subtract else 2 * m)

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product in the Montgomery domain."""
        return mont_value(a, b, m, self.radix, self.final_subtract)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response."""
        return mont_latency(*self.shape)

    def interval(self, a: int, b: int, m: int) -> int:
        """Count cycles to the next request."""
        return mont_interval(*self.shape)
