"""How lab3 is made. Four gaps are marked; fl.py says what is computed, cl.py when it is there."""

from dataclasses import dataclass

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, mk_bitstruct, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.unit import Unit
from fl.messages import mk_mul_msgs
from rtl.leaf.register import Register

from .cl import stages
from .fl import product, radix


def mk_stage_msg(nbits: int, steps: int) -> type:
    """Make what travels between stages: the sum, the bits of a still to come, b and m."""
    bits, wide = mk_bits(nbits), mk_bits(nbits + 1)
    x_bits = mk_bits(radix(nbits, steps))
    return mk_bitstruct(
        f"Lab3Stage{nbits}x{steps}", {"total": wide, "x": x_bits, "y": bits, "m": bits}
    )


class Lab3AddRed(Component):
    """next = (total + x*y + q*m) / 2, without a register."""

    def construct(s, nbits: int):
        sum_bits, wide = nbits + 1, nbits + 2
        s.total = InPort(sum_bits)
        s.x = InPort()
        s.y = InPort(nbits)
        s.m = InPort(nbits)
        s.next = OutPort(sum_bits)
        s.added = Wire(wide)  # total + x*y
        s.reduced = Wire(wide)  # an even number

        @update
        def add_red():
            # GAP 1: add y if x is set, then m if that sum is odd; half of it is the next sum.
            s.added @= zext(s.total, wide)
            s.reduced @= s.added
            s.next @= s.total


class Lab3Stage(Component):
    """Some AddRed steps, and a register that holds what they make until the next stage takes it."""

    def construct(s, nbits: int, steps: int):
        Message = mk_stage_msg(nbits, steps)
        s.recv = RecvIfcRTL(Message)
        s.send = SendIfcRTL(Message)
        s.full = Register()  # the register holds a message
        s.held = Register(Message)
        s.after = Wire(Message)  # what the steps make of the message that comes
        s.sum = Wire(nbits + 1)

        before = s.recv.msg.total
        for i in range(steps):
            step = Lab3AddRed(nbits)
            setattr(s, f"step_{i}", step)
            step.total //= before
            step.x //= s.recv.msg.x[i]
            step.y //= s.recv.msg.y
            step.m //= s.recv.msg.m
            before = step.next
        s.sum //= before

        @update
        def after_steps():
            s.after.total @= s.sum
            s.after.x @= s.recv.msg.x >> steps
            s.after.y @= s.recv.msg.y
            s.after.m @= s.recv.msg.m

        @update
        def ports():
            # GAP 2: when is a message offered, and when is one taken? A full stage takes the next
            # one in the very cycle in which its own leaves.
            s.send.msg @= s.held
            s.send.val @= 0
            s.recv.rdy @= 0

        @update_ff
        def control():
            # GAP 3: when is the register full in the next cycle?
            if s.reset:
                s.full <<= 0

        @update_ff
        def datapath():
            # GAP 4: when does the register take `after`?
            s.held <<= s.after

    def line_trace(s) -> str:
        """Show a * for a full stage, a . for an empty one."""
        return "*" if s.full else "."


class Lab3RTL(Component):
    """r = a * b / R mod m, for odd m, b < m and any n-bit a; a stage per some steps. Given."""

    def construct(s, nbits: int, steps: int):
        Request, Response = mk_mul_msgs(nbits)
        x_bits, wide = radix(nbits, steps), nbits + 1
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.stages = stages(nbits, steps)
        for i in range(s.stages):
            setattr(s, f"stage_{i}", Lab3Stage(nbits, steps))
        every = [getattr(s, f"stage_{i}") for i in range(s.stages)]
        for one, after in zip(every, every[1:], strict=False):
            one.send //= after.recv
        first, last = every[0], every[-1]
        s.first = Wire(mk_stage_msg(nbits, steps))
        s.last = Wire(mk_stage_msg(nbits, steps))
        first.recv.val //= s.recv.val
        first.recv.rdy //= s.recv.rdy
        first.recv.msg //= s.first
        last.send.val //= s.send.val
        last.send.rdy //= s.send.rdy
        last.send.msg //= s.last

        @update
        def enter():
            s.first.total @= 0
            s.first.x @= zext(s.recv.msg.a, x_bits)
            s.first.y @= s.recv.msg.b
            s.first.m @= s.recv.msg.m

        @update
        def leave():
            s.send.msg.r @= s.last.total[0:nbits]
            if s.last.total >= zext(s.last.m, wide):
                s.send.msg.r @= s.last.total[0:nbits] - s.last.m

    def line_trace(s) -> str:
        """Show what is handed over, and which stages are full."""
        every = (getattr(s, f"stage_{i}").line_trace() for i in range(s.stages))
        return f"{s.recv}({''.join(every)}){s.send}"


@dataclass(frozen=True)
class Lab3Unit(Unit):
    """Binds value, time and hardware at a width."""

    hardware = Lab3RTL

    steps: int

    refills = True

    @property
    def radix(self) -> int:
        """Return r of R = 2^r."""
        return radix(self.nbits, self.steps)

    @property
    def capacity(self) -> int:
        """Return how many requests are inside at once: one per stage."""
        return stages(self.nbits, self.steps)

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined: for m odd and b below m."""
        return m % 2 == 1 and b < m

    def value(self, a: int, b: int, m: int) -> int:
        """Return the product in the Montgomery domain."""
        return product(a, b, m, self.nbits, self.steps)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response."""
        return stages(self.nbits, self.steps)

    def interval(self, a: int, b: int, m: int) -> int:
        """Count cycles to the next request."""
        return 1
