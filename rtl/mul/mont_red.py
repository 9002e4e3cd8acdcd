"""MontRed: a full multiplier, then Montgomery's reduction bit by bit (004, Algorithm 2).

The reduction is AddRed again: t = low + 2^n * high is reduced through a window of n + 1 bits
into which the bits of `high` come from above, which is x*y with x = high and y = 2^n.
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, mk_bits, update, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.mont_mul import mont_cycles
from fl.messages import mk_mul_msgs
from rtl.leaf.add_red import check_order
from rtl.leaf.handshake import join
from rtl.leaf.subtract_if_fits import SubtractIfFits
from rtl.mul.add_red_loop import AddRedLoop
from rtl.mul.mont_mul import MontMul


class MontRedRTL(Component):
    """r = a * b * R^-1 mod m for odd m, b < m and any n-bit a; time as an iterated MontMul's."""

    def construct(s, nbits: int, steps_per_cycle: int, order: str = "koc"):
        check_order(order)
        Request, Response = mk_mul_msgs(nbits)
        product_bits, width, sum_bits = 2 * nbits, nbits + 1, nbits + 2
        top_bit = mk_bits(width)(1 << nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.product = Wire(product_bits)
        s.steps = AddRedLoop(width, steps_per_cycle, mont_cycles(nbits, steps_per_cycle), order)
        s.subtract = SubtractIfFits(nbits)
        join(s.steps.recv, s.recv)
        join(s.steps.send, s.send)
        s.subtract.value //= s.steps.sum[0:width]
        s.subtract.m //= s.steps.held_m[0:nbits]
        s.send.msg.r //= s.subtract.result

        @update
        def multiply():
            # Only on request: an idle multiplier costs energy, and simulation time.
            s.product @= 0
            if s.recv.val:
                s.product @= zext(s.recv.msg.a, product_bits) * zext(s.recv.msg.b, product_bits)

        @update
        def operands():
            s.steps.first_sum @= zext(s.product[0:nbits], sum_bits)
            s.steps.x @= zext(s.product[nbits:product_bits], width)
            s.steps.y @= top_bit
            s.steps.m @= zext(s.recv.msg.m, width)

    def line_trace(s) -> str:
        return f"{s.recv}({s.steps.line_trace()}){s.send}"


@dataclass(frozen=True)
class MontRed(MontMul):
    """Has the value and time of an iterated MontMul, but makes a full product first."""

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        return MontRedRTL(self.nbits, self.steps_per_cycle, self.order)
