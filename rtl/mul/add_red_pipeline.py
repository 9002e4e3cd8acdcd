"""The pipelined schedule: every AddRed step has its own hardware, a register follows each chain."""

from functools import cache

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    mk_bits,
    mk_bitstruct,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rtl.leaf.add_red import AddRedChain
from rtl.leaf.handshake import Accept, Offer, join
from rtl.leaf.register import Register


@cache
def mk_stage_msg(nbits: int, x_bits: int) -> type:
    """Make what travels between stages: the sum, the bits of x still to come, and the addends."""
    bits, sum_bits = mk_bits(nbits), mk_bits(nbits + 1)
    return mk_bitstruct(
        f"MontStage{nbits}x{x_bits}",
        {"sum": sum_bits, "x": mk_bits(max(x_bits, 1)), "y": bits, "m": bits, "y_plus_m": sum_bits},
    )


class AddRedStage(Component):
    """Takes `steps` AddRed steps, and registers what they make; x_bits bits of x arrive."""

    def construct(s, nbits: int, x_bits: int, steps: int, order: str):
        Recv, Send = mk_stage_msg(nbits, x_bits), mk_stage_msg(nbits, x_bits - steps)
        s.recv = RecvIfcRTL(Recv)
        s.send = SendIfcRTL(Send)
        s.full = Register()
        s.after = Wire(Send)
        s.held = Register(Send)
        s.chain = AddRedChain(nbits, steps, order)
        s.chain.s //= s.recv.msg.sum
        s.chain.x //= s.recv.msg.x[0:steps]
        s.chain.y //= s.recv.msg.y
        s.chain.m //= s.recv.msg.m
        s.chain.y_plus_m //= s.recv.msg.y_plus_m
        s.send.val //= s.full
        s.send.msg //= s.held
        s.rest = Wire(max(x_bits - steps, 1))
        if x_bits > steps:
            s.rest //= s.recv.msg.x[steps:x_bits]
        else:
            s.rest //= 0

        @update
        def after_steps():
            s.after.sum @= s.chain.next
            s.after.x @= s.rest
            s.after.y @= s.recv.msg.y
            s.after.m @= s.recv.msg.m
            s.after.y_plus_m @= s.recv.msg.y_plus_m

        @update
        def accept():
            s.recv.rdy @= ~s.full | s.send.rdy

        @update_ff
        def control():
            if s.reset:
                s.full <<= 0
            elif s.recv.rdy:
                s.full <<= s.recv.val

        @update_ff
        def datapath():
            if s.recv.val & s.recv.rdy:
                s.held <<= s.after

    def line_trace(s) -> str:
        return "*" if s.full else "."


class AddRedPipeline(Component):
    """sum = first_sum after radix AddRed steps over x; a request per cycle, held under stalls.

    The sum stands radix / steps cycles after its request, at a register's output.
    """

    def construct(s, nbits: int, steps: int, radix: int, order: str):
        sum_bits = nbits + 1
        s.recv = Accept()
        s.first_sum = InPort(sum_bits)
        s.x = InPort(nbits)
        s.y = InPort(nbits)
        s.m = InPort(nbits)
        s.send = Offer()
        s.sum = OutPort(sum_bits)
        s.held_m = OutPort(nbits)

        s.stages = radix // steps
        First = mk_stage_msg(nbits, radix)
        s.first = Wire(First)

        @update
        def enter():
            s.first.sum @= s.first_sum
            s.first.x @= zext(s.x, radix)
            s.first.y @= s.y
            s.first.m @= s.m
            s.first.y_plus_m @= zext(s.y, sum_bits) + zext(s.m, sum_bits)

        before = None
        for i in range(s.stages):
            stage = AddRedStage(nbits, radix - i * steps, steps, order)
            setattr(s, f"stage_{i}", stage)
            if before is None:
                join(stage.recv, s.recv)
                stage.recv.msg //= s.first
            else:
                before.send //= stage.recv
            before = stage
        join(before.send, s.send)
        s.sum //= before.send.msg.sum
        s.held_m //= before.send.msg.m

    def line_trace(s) -> str:
        """Show a * for a stage that is full, a . for one that is empty."""
        stages = (getattr(s, f"stage_{i}") for i in range(s.stages))
        return "".join("*" if stage.full else "." for stage in stages)
