"""Right-to-left exponentiation by shift-sub steps, the square and the product sharing the doubling.

Document 004 gives the squaring and the multiplying unit the same scanned operand and a
multiplicand each. The other way round both have the same multiplicand, the power of the base:
each then scans its own operand, and the doubling of the multiplicand, its register and the
modulus are there once. A pass takes the steps only, none to start or to finish:

    square  = sum of 2^i * power over the 1 bits of power     the next power
    product = sum of 2^i * power over the 1 bits of result    the next result, where the bit is 1

A base that may be above the modulus is reduced by a pass of its own, with 1 as the multiplicand.
The last squaring, whose value nobody needs, is not waited for.
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, concat, update, update_ff, zext

from cl.ssmm import constant_latency, shared_latency
from fl.exponentiator import BAD_MODULUS, OK
from fl.schedule import RIGHT_TO_LEFT, RIGHT_TO_LEFT_ALWAYS, Counts
from rtl.exp.exponent_bits import BitsToLast, ExponentBits
from rtl.exp.holding import CorePorts, OfHeldOperands
from rtl.exp.ssmm_ends import EarlyEnds, FixedEnds
from rtl.leaf.register import Register
from rtl.leaf.shift_sub import ModAddIfs, ModDoubles, check_steps

IDLE, PASS, DONE = 0, 1, 2


class SsmmSharedRTL(CorePorts):
    """result = base^exp mod mod for any n-bit request; mod = 0 gives status BAD_MODULUS.

    With constant_time every request takes the same cycles: each pass scans all n places, the
    product is computed for every exponent bit, and the base is always reduced.
    """

    def construct(s, nbits: int, steps_per_cycle: int = 1, constant_time: bool = False):
        check_steps(nbits, steps_per_cycle)
        steps = steps_per_cycle
        # To be whole again after a pass that does not replace it, a result goes round in
        # places for all steps of a pass.
        places = steps * -(-nbits // steps) if constant_time else nbits
        super().construct(nbits)
        s.state = Register(2)
        s.reducing = Register()
        s.status = Register()
        s.multiplicand = Register(nbits)
        s.power = Register(nbits)
        s.square = Register(nbits)
        s.result = Register(places)
        s.product = Register(nbits)

        s.load = Wire()
        s.at_work = Wire()
        s.next_bit = Wire()
        s.skip_all = Wire()  # of the request: nothing to compute
        s.reduce_first = Wire()  # of the request: the base may be above the modulus
        s.taken = Wire()  # this pass's product becomes the result
        s.moved = Wire(places)

        s.exp = ExponentBits(nbits) if constant_time else BitsToLast(nbits)
        s.exp.load //= s.load
        s.exp.exp //= s.recv.msg.exp
        s.exp.held //= s.held.exp
        s.exp.advance //= s.next_bit
        s.exp.bits //= s.taken  # while reducing too: that product is 1 * result, as result is 1

        s.doubles = ModDoubles(nbits, steps)
        s.doubles.value //= s.multiplicand
        s.doubles.modulus //= s.held.mod
        s.squares = ModAddIfs(nbits, steps)
        s.squares.product //= s.square
        s.squares.multiples //= s.doubles.multiples
        s.squares.bits //= s.power[0:steps]
        s.squares.modulus //= s.held.mod
        s.products = ModAddIfs(nbits, steps)
        s.products.product //= s.product
        s.products.multiples //= s.doubles.multiples
        s.products.bits //= s.result[0:steps]
        s.products.modulus //= s.held.mod

        if constant_time:
            s.ends = FixedEnds(nbits, steps)
            s.ends.load //= s.load
            s.ends.at_work //= s.at_work

            @update
            def the_same_for_all():
                s.skip_all @= 0
                s.reduce_first @= 1
                s.moved @= concat(s.result[0:steps], s.result[steps:places])

        else:
            s.ends = EarlyEnds(nbits, steps)
            s.ends.last_bit //= s.exp.last
            s.ends.multiplies //= s.taken
            s.ends.power //= s.power
            s.ends.result //= s.result
            s.ends.reducing //= s.reducing

            @update
            def as_needed():
                s.skip_all @= (s.recv.msg.mod == 0) | (s.recv.msg.exp == 0)
                s.reduce_first @= s.recv.msg.base > s.recv.msg.mod
                s.moved @= s.result
                if s.taken:
                    s.moved @= s.result >> steps

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.send.msg.result @= s.result[0:nbits]
            s.send.msg.status @= s.status
            s.load @= (s.state == IDLE) & s.recv.val
            s.at_work @= s.state == PASS
            s.next_bit @= s.at_work & s.ends.last_step & ~s.reducing

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.load:
                if s.skip_all:
                    s.state <<= DONE
                else:
                    s.state <<= PASS
            elif s.at_work:
                if s.next_bit & s.ends.last_bit:
                    s.state <<= DONE
            elif s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def kind():
            if s.load:
                s.status <<= OK
                if s.recv.msg.mod == 0:
                    s.status <<= BAD_MODULUS
                s.reducing <<= s.reduce_first
            elif s.at_work & s.ends.last_step:
                s.reducing <<= 0

        @update_ff
        def powers():
            if s.load:
                s.power <<= s.recv.msg.base
                s.multiplicand <<= s.recv.msg.base
                if s.reduce_first:
                    s.multiplicand <<= 1
                s.square <<= 0
            elif s.at_work:
                if s.ends.last_step:
                    s.power <<= s.squares.next
                    s.multiplicand <<= s.squares.next
                    s.square <<= 0
                else:
                    s.power <<= s.power >> steps
                    s.multiplicand <<= s.doubles.next
                    s.square <<= s.squares.next

        @update_ff
        def results():
            if s.load:
                s.result <<= 1
                if s.recv.msg.mod <= 1:  # 1 mod 1 is 0, and so is the result of a bad modulus
                    s.result <<= 0
                s.product <<= 0
            elif s.at_work:
                s.result <<= s.moved
                s.product <<= s.products.next
                if s.ends.last_step:
                    s.product <<= 0
                    if s.taken:
                        s.result <<= zext(s.products.next, places)

    def line_trace(s) -> str:
        """Show I idle, R a pass reduces, P a pass, D done; bits of the exponent that are left, the
        multiplicand, the result."""
        state = {IDLE: "I", PASS: "R" if s.reducing else "P", DONE: "D"}[int(s.state)]
        return f"{s.recv}({state} {s.exp.line_trace()} {s.multiplicand} {s.result}){s.send}"


@dataclass(frozen=True)
class SsmmShared(OfHeldOperands):
    """Makes square and product with one doubling, so many steps per cycle, for any modulus."""

    result_stays = True

    steps_per_cycle: int = 1
    always: bool = False  # all passes, whole: constant time

    @property
    def constant_time(self) -> bool:
        """Return whether all requests take the same cycles."""
        return self.always

    @property
    def schedule(self) -> str:
        """Return the schedule in words."""
        always = ", always multiply" if self.always else ""
        return f"right-to-left, square and multiply share the doubling{always}"

    def counts(self, exp: int) -> Counts:
        """Count the loop's products for an exponent >= 1."""
        schedule = RIGHT_TO_LEFT_ALWAYS if self.always else RIGHT_TO_LEFT
        return schedule.counts(exp, self.nbits)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """Count cycles to the response: passes, as long as what they scan."""
        if self.always:
            return constant_latency(self.nbits, self.steps_per_cycle)
        return shared_latency(self.steps_per_cycle, base, exp, mod)

    def core(self) -> Component:
        """Make a new component of the hardware, for operands that are held."""
        return SsmmSharedRTL(self.nbits, self.steps_per_cycle, self.always)
