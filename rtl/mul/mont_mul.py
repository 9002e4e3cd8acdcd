"""MontMul: Montgomery's product by AddRed steps; how many a cycle, and when, are parameters.

MMMul of document 004 is 1 step a cycle, iterated; MM of 000 the same without the final
subtraction; MontMulRem of 001 is pipelined, 8 steps a stage.
"""

from pymtl3 import Component, InPort, OutPort, Wire, connect, update, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.mont_mul import SCHEDULES, mont_cycles
from fl.messages import mk_mul_msgs
from fl.mont_mul import GUARD_BITS, mont_radix
from rtl.leaf.add_red import check_order
from rtl.mul.add_red_loop import AddRedLoop
from rtl.mul.add_red_pipeline import AddRedPipeline


class FinalSubtract(Component):
    """value mod m, for value < 2m."""

    def construct(s, nbits: int):
        sum_bits, wide = nbits + 1, nbits + 2
        s.value = InPort(sum_bits)
        s.m = InPort(nbits)
        s.result = OutPort(nbits)
        s.difference = Wire(wide)

        @update
        def subtract():
            s.difference @= zext(s.value, wide) - zext(s.m, wide)
            if s.difference[sum_bits]:
                s.result @= s.value[0:nbits]
            else:
                s.result @= s.difference[0:nbits]


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
        s.steps.recv_val //= s.recv.val
        s.steps.recv_rdy //= s.recv.rdy
        s.steps.send_val //= s.send.val
        s.steps.send_rdy //= s.send.rdy

        @update
        def operands():
            s.steps.first_sum @= 0
            s.steps.x @= s.recv.msg.a
            s.steps.y @= s.recv.msg.b
            s.steps.m @= zext(s.recv.msg.m, width)

        if final_subtract:
            s.subtract = FinalSubtract(nbits)
            s.subtract.value //= s.steps.sum
            s.subtract.m //= s.steps.held_m
            connect(s.send.msg.r, s.subtract.result)
        else:
            connect(s.send.msg.r, s.steps.sum[0:width])

    def line_trace(s) -> str:
        return f"{s.recv}({s.steps.line_trace()}){s.send}"
