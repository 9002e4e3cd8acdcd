"""AddRed, the one step of every bit-level Montgomery unit (document 001, figures 8a and 8b).

next = (s + x*y + q*m) / 2, where the quotient digit q = 0 or 1 makes the sum even for odd m;
tests prove both orders equal to that with yosys. y is as wide as the operands, s a bit wider,
so nothing is lost whatever the operands are. Document 001 adds N to each X_i*Y in the step;
here Y + N comes from outside, formed once for all steps of a product.
"""

from pymtl3 import InPort, OutPort, Wire, update, zext

from rtl.leaf.flattened import Flattened

ORDERS = ("add_then_reduce", "koc")


class AddThenReduce(Flattened):
    """Adds x*y first, then m where that sum is odd: two adders, one after the other."""

    def construct(s, nbits: int):
        sum_bits, wide = nbits + 1, nbits + 2
        s.s = InPort(sum_bits)
        s.x = InPort()
        s.y = InPort(nbits)
        s.m = InPort(nbits)
        s.next = OutPort(sum_bits)
        s.added = Wire(wide)
        s.reduced = Wire(wide)

        @update
        def add_then_reduce():
            s.added @= zext(s.s, wide)
            if s.x:
                s.added @= zext(s.s, wide) + zext(s.y, wide)
            s.reduced @= s.added
            if s.added[0]:
                s.reduced @= s.added + zext(s.m, wide)
            s.next @= s.reduced[1:wide]


class KocAddRed(Flattened):
    """Finds the digit first, from the lowest bits, then needs one adder: s + (0, y, m or y + m)."""

    def construct(s, nbits: int):
        sum_bits, wide = nbits + 1, nbits + 2
        s.s = InPort(sum_bits)
        s.x = InPort()
        s.y = InPort(nbits)
        s.m = InPort(nbits)
        s.y_plus_m = InPort(sum_bits)
        s.next = OutPort(sum_bits)
        s.digit = Wire()
        s.addend = Wire(sum_bits)
        s.total = Wire(wide)

        @update
        def choose():
            s.digit @= s.s[0] ^ (s.x & s.y[0])
            if s.x & s.digit:
                s.addend @= s.y_plus_m
            elif s.x:
                s.addend @= zext(s.y, sum_bits)
            elif s.digit:
                s.addend @= zext(s.m, sum_bits)
            else:
                s.addend @= 0

        @update
        def add():
            s.total @= zext(s.s, wide) + zext(s.addend, wide)
            s.next @= s.total[1:wide]


class AddRedChain(Flattened):
    """Takes some AddRed steps within a cycle; bit i of x goes to step i."""

    def construct(s, nbits: int, steps: int, order: str):
        s.s = InPort(nbits + 1)
        s.x = InPort(steps)
        s.y = InPort(nbits)
        s.m = InPort(nbits)
        s.y_plus_m = InPort(nbits + 1)  # used by the order koc only
        s.next = OutPort(nbits + 1)

        steps_s = s.s
        for i in range(steps):
            step = KocAddRed(nbits) if order == "koc" else AddThenReduce(nbits)
            setattr(s, f"step_{i}", step)
            step.s //= steps_s
            step.x //= s.x[i]
            step.y //= s.y
            step.m //= s.m
            if order == "koc":
                step.y_plus_m //= s.y_plus_m
            steps_s = step.next
        s.next //= steps_s


def check_order(order: str) -> None:
    """Raise ValueError unless order is one of ORDERS."""
    if order not in ORDERS:
        raise ValueError(f"order must be one of {', '.join(ORDERS)}, not {order!r}")
