"""An exponentiator put to work modulo c*m, for a base + s*m, by random c and s; c is odd.

What is left of the power modulo c*m leaves base^exp mod m modulo m, but no value on the way is that
of another exponentiation of the same base. The 1 with which a ladder begins is random, too, as
1 + 2*s*m: as long as the exponent's bits are 0, it is what is squared. The inner exponentiator is
of as many bits more as c has; its exponent is two shares, whose random bytes serve both
(masked_ladder.py).

    cycle 0            the request is taken
    cycles 1 to b      c*m and s*m are doubled, and m is added by a random bit each; c, of b bits,
                       is odd, and s has a bit less
    cycle b+1          the base is added to s*m
    cycle b+2          the inner exponentiator takes its request; it answers L cycles later
    cycle 2b+3+L       the answer modulo m stands
"""

from dataclasses import dataclass

from pymtl3 import Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff, zext

from cl.random_multiple import after, before
from fl.schedule import Counts
from rtl.exp.exponentiator import ExponentiatorRTL
from rtl.exp.holding import CorePorts, OfHeldOperands, add_exponent_words
from rtl.exp.organised import Organised
from rtl.leaf.register import Register
from rtl.leaf.shift_remainder import ReduceOut


class RandomOperands(Component):
    """Makes c*m, `worked`, base + s*m, `operand`, and 1 + 2*s*m, `one`, from `start` on; `done` is
    for a cycle, once they stand.

    The sum with the base stands in a register of its own: in that of s*m its toggles would count
    the bits of the base.
    """

    def construct(s, nbits: int, bits: int):
        width = nbits + bits
        Count = mk_bits(clog2(bits + 2))
        s.start = InPort()
        s.base = InPort(nbits)
        s.mod = InPort(nbits)
        s.random = InPort(2)
        s.done = OutPort()
        s.worked = OutPort(width)
        s.operand = OutPort(width)
        s.one = OutPort(width)
        s.left = Register(Count)  # cycles: in the last one the base is added
        s.ends = Register()
        s.c_times_m = Register(width)
        s.s_times_m = Register(width)
        s.with_base = Register(width)
        s.of_c = Wire(width)
        s.augend = Wire(width)
        s.addend = Wire(width)
        s.sum = Wire(width)
        s.done //= s.ends
        s.worked //= s.c_times_m
        s.operand //= s.with_base
        s.one[0] //= 1
        s.one[1:width] //= s.s_times_m[0 : width - 1]

        @update
        def multiply_by_c():
            s.of_c @= 0
            if s.random[0] | (s.left == 2):
                s.of_c @= zext(s.mod, width)

        @update
        def add():
            s.augend @= s.s_times_m << 1
            s.addend @= 0
            if s.left == 1:
                s.augend @= s.s_times_m
                s.addend @= zext(s.base, width)
            elif s.random[1]:
                s.addend @= zext(s.mod, width)
            s.sum @= s.augend + s.addend

        @update_ff
        def double_and_add():
            if s.start:
                s.c_times_m <<= 0
                s.s_times_m <<= 0
            elif s.left == 1:
                s.with_base <<= s.sum
            elif s.left != 0:
                s.c_times_m <<= (s.c_times_m << 1) + s.of_c
                if s.left != 2:
                    s.s_times_m <<= s.sum

        @update_ff
        def count():
            s.ends <<= s.left == 1
            if s.reset:
                s.left <<= 0
                s.ends <<= 0
            elif s.start:
                s.left <<= Count(bits + 1)
            elif s.left != 0:
                s.left <<= s.left - 1

    def line_trace(s) -> str:
        return f"{int(s.left):2}"


class RandomMultipleRTL(CorePorts):
    """result = base^exp mod mod for any n-bit request; an even mod gives status BAD_MODULUS."""

    def construct(s, nbits: int, bits: int, inner: Organised):
        width = nbits + bits
        super().construct(nbits)
        s.busy = Register()
        s.operands = RandomOperands(nbits, bits)
        s.inner = ExponentiatorRTL(inner.parts, one_is_given=True)
        s.inner.one_operand //= s.operands.one
        s.leave = ReduceOut(nbits, width, bits, False)
        s.operands.base //= s.held.base
        s.operands.mod //= s.held.mod
        s.operands.random //= s.inner.random[0:2]
        for request in (s.inner.recv.msg, s.inner.held):
            request.base //= s.operands.operand
            request.mod //= s.operands.worked
            request.exp //= 0
        add_exponent_words(s)
        s.inner.exp_push //= s.exp_push
        s.inner.exp_word //= s.exp_word
        s.inner.recv.val //= s.operands.done
        s.leave.active //= s.inner.send.val
        s.leave.mod //= s.held.mod
        s.leave.operand //= s.inner.send.msg.result
        s.send.msg.result //= s.leave.value
        s.send.msg.status //= s.inner.send.msg.status

        @update
        def ports():
            s.recv.rdy @= ~s.busy
            s.operands.start @= s.recv.val & ~s.busy
            s.send.val @= s.leave.done
            s.leave.taken @= s.leave.done & s.send.rdy
            s.inner.send.rdy @= s.leave.done & s.send.rdy

        @update_ff
        def follow():
            if s.reset | s.leave.taken:
                s.busy <<= 0
            elif s.recv.val:
                s.busy <<= 1

    def line_trace(s) -> str:
        parts = (s.operands, s.inner, s.leave)
        return f"{s.recv}({' '.join(part.line_trace() for part in parts)}){s.send}"


@dataclass(frozen=True)
class RandomMultiple(OfHeldOperands):
    """Puts an exponentiator of constant time to work modulo multiples of m with so many random
    bits, for exponents of nbits."""

    result_stays = True
    constant_time = True

    inner: Organised
    random_bits: int

    @property
    def wiped(self) -> tuple[int, ...]:
        """Return what a reset wipes in the inner one."""
        return self.inner.wiped

    @property
    def schedule(self) -> str:
        """Return the inner one's schedule."""
        return self.inner.schedule

    def counts(self, exp: int) -> Counts:
        """Count the loop's products."""
        return self.inner.counts(exp)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """latency = the inner one's, which is the same for all, + that of multiples and their
        remainder."""
        bits = self.random_bits
        return before(bits) + self.inner.latency(base, exp, mod) + after(bits)

    def core(self) -> Component:
        """Make a new component of the hardware, for operands that are held."""
        return RandomMultipleRTL(self.nbits, self.random_bits, self.inner)
