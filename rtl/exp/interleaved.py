"""The smallest exponentiator: left to right by interleaved steps, in constant time.

The result is the multiplicand of all products. A square scans the result itself, a product the base
as it came: no operand is held twice, and a base above the modulus needs no reduction. One register
more takes a product as it is built:

    square   product = 2*product + bit of result * result    for every bit of the result
    product  product = 2*product + bit of base * result      for every bit of the base

A square and a product follow each other at every bit of the exponent; a product is taken where the
bit is 1. The result begins as 1, which the first square reduces modulo 1, too. For a modulus of 0
it begins as 0, and stays.
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, clog2, mk_bits, update, update_ff, zext

from cl.interleaved import interleaved_exp_latency, pass_cycles
from fl.exponentiator import BAD_MODULUS, OK
from fl.schedule import LEFT_TO_RIGHT_ALWAYS, Counts
from rtl.exp.holding import CorePorts, OfHeldOperands
from rtl.leaf.interleaved import BitAt, BitsAt, InterleavedSteps
from rtl.leaf.register import Register
from rtl.leaf.shift_sub import check_steps

IDLE, PASS, DONE = 0, 1, 2


class InterleavedExpRTL(CorePorts):
    """result = base^exp mod mod for any n-bit request; mod = 0 gives status BAD_MODULUS."""

    def construct(s, nbits: int, steps_per_cycle: int = 1):
        check_steps(nbits, steps_per_cycle)
        steps = steps_per_cycle
        count = pass_cycles(nbits, steps)
        Place, Bit = mk_bits(clog2(count)), mk_bits(clog2(nbits))
        super().construct(nbits)
        s.state = Register(2)
        s.result = Register(nbits)
        s.product = Register(nbits)
        s.place = Register(Place)  # of the scanned operand
        s.index = Register(Bit)  # of the exponent
        s.multiplies = Register()  # this pass does; else it squares
        s.load = Wire()
        s.at_work = Wire()
        s.last_step = Wire()
        s.scanned = Wire(nbits)

        s.exp_bit = BitAt(nbits)
        s.exp_bit.value //= s.held.exp
        s.exp_bit.place //= s.index
        s.scan = BitsAt(nbits, steps)
        s.scan.value //= s.scanned
        s.scan.place //= s.place
        s.steps = InterleavedSteps(nbits, steps)
        s.steps.product //= s.product
        s.steps.multiplicand //= s.result
        s.steps.bits //= s.scan.bits
        s.steps.modulus //= s.held.mod

        @update
        def ports():
            s.recv.rdy @= s.state == IDLE
            s.send.val @= s.state == DONE
            s.send.msg.result @= s.result
            s.send.msg.status @= OK
            if s.held.mod == 0:
                s.send.msg.status @= BAD_MODULUS

        @update
        def choose_scanned():
            s.scanned @= s.result
            if s.multiplies:
                s.scanned @= s.held.base

        @update
        def phases():
            s.load @= (s.state == IDLE) & s.recv.val
            s.at_work @= s.state == PASS
            s.last_step @= s.at_work & (s.place == 0)

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.load:
                s.state <<= PASS
            elif s.at_work:
                if s.last_step & s.multiplies & (s.index == 0):
                    s.state <<= DONE
            elif s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def places():
            if ~s.at_work:
                s.place <<= Place(count - 1)
                s.index <<= Bit(nbits - 1)
                s.multiplies <<= 0
            elif s.last_step:
                s.place <<= Place(count - 1)
                s.multiplies <<= ~s.multiplies
                if s.multiplies:
                    s.index <<= s.index - 1
            else:
                s.place <<= s.place - 1

        @update_ff
        def build():
            s.product <<= 0
            if s.at_work & ~s.last_step:
                s.product <<= s.steps.next

        @update_ff
        def keep():
            if s.load:
                s.result <<= zext(s.recv.msg.mod != 0, nbits)
            elif s.last_step & (~s.multiplies | s.exp_bit.chosen):
                s.result <<= s.steps.next

    def line_trace(s) -> str:
        """Show I idle, S squares, M multiplies, D done; places in exponent and operand, values."""
        state = "ISD"[int(s.state)] if not (s.state == PASS and s.multiplies) else "M"
        return f"{s.recv}({state} {s.index} {s.place} {s.product} {s.result}){s.send}"


@dataclass(frozen=True)
class InterleavedExp(OfHeldOperands):
    """Makes a square and a product per exponent bit, so many steps per cycle, for any modulus."""

    result_stays = True
    constant_time = True
    schedule = f"{LEFT_TO_RIGHT_ALWAYS.text} one unit"

    steps_per_cycle: int = 1

    def counts(self, exp: int) -> Counts:
        """Count the loop's products, the same for every exponent."""
        return LEFT_TO_RIGHT_ALWAYS.counts(exp, self.nbits)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """Count cycles to the response, the same for all."""
        return interleaved_exp_latency(self.nbits, self.steps_per_cycle)

    def core(self) -> Component:
        """Make a new component of the hardware, for operands that are held."""
        return InterleavedExpRTL(self.nbits, self.steps_per_cycle)
