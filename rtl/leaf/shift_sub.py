"""The leaf units of shift-sub multiplication, and chains of them for several steps per cycle.

Document 004's step holds both leaf units; apart, they let a square and a product share the
doubling of the operand that they have in common (rtl/exp/ssmm_shared.py).
"""

from pymtl3 import InPort, OutPort, Wire, connect, update, zext

from rtl.leaf.flattened import Flattened
from rtl.leaf.subtract_if_fits import SubtractIfFits

MOST_STEPS = 8


class ModDouble(Flattened):
    """next = 2*value, less modulus where it holds it; for value <= modulus, so next <= modulus."""

    def construct(s, nbits: int):
        s.value = InPort(nbits)
        s.modulus = InPort(nbits)
        s.next = OutPort(nbits)
        wide = nbits + 1
        s.subtract = SubtractIfFits(nbits)
        s.subtract.m //= s.modulus
        s.subtract.result //= s.next

        @update
        def double():
            s.subtract.value @= zext(s.value, wide) << 1


class ModAddIf(Flattened):
    """next = product + enable*addend mod modulus; for product < modulus and addend <= modulus."""

    def construct(s, nbits: int):
        s.product = InPort(nbits)
        s.addend = InPort(nbits)
        s.enable = InPort()
        s.modulus = InPort(nbits)
        s.next = OutPort(nbits)
        wide = nbits + 1
        s.added = Wire(wide)
        s.subtract = SubtractIfFits(nbits)
        s.subtract.m //= s.modulus
        s.subtract.result //= s.next

        @update
        def choose():
            s.added @= 0
            if s.enable:
                s.added @= zext(s.addend, wide)

        @update
        def add():
            s.subtract.value @= zext(s.product, wide) + s.added


class ModDoubles(Flattened):
    """multiples = value, 2*value, ... 2^(steps-1)*value, lowest first; next = 2^steps*value."""

    def construct(s, nbits: int, steps: int):
        s.value = InPort(nbits)
        s.modulus = InPort(nbits)
        s.multiples = OutPort(nbits * steps)
        s.next = OutPort(nbits)

        value = s.value
        for i in range(steps):
            connect(s.multiples[nbits * i : nbits * (i + 1)], value)
            step = ModDouble(nbits)
            setattr(s, f"step_{i}", step)
            connect(step.value, value)
            connect(step.modulus, s.modulus)
            value = step.next
        connect(s.next, value)


class ModAddIfs(Flattened):
    """next = product + the multiples whose bits are 1, mod modulus."""

    def construct(s, nbits: int, steps: int):
        s.product = InPort(nbits)
        s.multiples = InPort(nbits * steps)
        s.bits = InPort(steps)
        s.modulus = InPort(nbits)
        s.next = OutPort(nbits)

        product = s.product
        for i in range(steps):
            step = ModAddIf(nbits)
            setattr(s, f"step_{i}", step)
            connect(step.product, product)
            connect(step.addend, s.multiples[nbits * i : nbits * (i + 1)])
            connect(step.enable, s.bits[i])
            connect(step.modulus, s.modulus)
            product = step.next
        connect(s.next, product)


def check_steps(nbits: int, steps_per_cycle: int) -> None:
    """Raise ValueError unless a unit of nbits can take so many steps per cycle."""
    most = min(MOST_STEPS, nbits - 1)
    if not 1 <= steps_per_cycle <= most:
        raise ValueError(f"steps_per_cycle must be from 1 to {most}, not {steps_per_cycle}")
