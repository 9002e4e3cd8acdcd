"""An exponentiator that is a row of elements, or cut in the middle two rows.

It makes powers of n bits as rtl/exp/array.py, left to right; and of a `private` request the power
of an RSA key's exponent d by both primes at once, in constant time but for the public exponent,
with which it checks that power. The operations are those of fl/array_split_program.py.
"""

from dataclasses import dataclass

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, update, update_ff, zext

from cl.array import split_power_cycles, split_private_cycles
from cl.exponentiator import BITS, LENGTH, SKIPPED
from fl.array_split import SplitShape
from fl.array_split_program import SplitProgram
from fl.crt import E_BITS, CrtKey, private
from fl.exponentiator import BAD_MODULUS, OK
from fl.messages import mk_crt_key
from fl.schedule import LEFT_TO_RIGHT, Counts
from fl.xcel import EXP
from rtl.exp.array_order import BinaryOrder, WindowOrder
from rtl.exp.array_split_control import SplitControl
from rtl.exp.array_split_row import SplitRow
from rtl.exp.exponent_bits import ExponentBits
from rtl.exp.holding import CorePorts, OfHeldOperands
from rtl.exp.judge import OddModulus
from rtl.leaf.handshake import join
from rtl.leaf.register import Register
from rtl.mul.modulus_constant import MinusInverse


class HalvesOrder(WindowOrder):
    """Orders the products of two exponents, whose windows come at the same time."""

    def construct(s, nbits: int, window_bits: int):
        super().construct(nbits, window_bits)
        s.second_exp = InPort(nbits)
        s.second_entry = OutPort(window_bits)
        s.second_exponent = ExponentBits(nbits, window_bits, from_top=True)
        s.second_exponent.load //= s.load
        s.second_exponent.exp //= s.second_exp
        s.second_exponent.held //= s.second_exp
        s.second_exponent.advance //= s.leaves
        s.second_entry //= s.second_exponent.bits


class SplitExponentiatorRTL(CorePorts):
    """result = base^exp mod mod for any n-bit request; an even mod gives status BAD_MODULUS.

    private: the result is base^d mod mod by the key, which stands. The answer of one whose check
    fails has `fault` set, and no result.
    """

    def construct(s, program: SplitProgram):
        shape = program.shape
        nbits, half_bits, w = shape.nbits, shape.half_bits, shape.digit_bits
        checks = Bits1(program.checks)
        super().construct(nbits)
        s.private = InPort()
        s.key = InPort(mk_crt_key(half_bits))
        s.fault = OutPort()
        s.status = Register()
        s.skipped = Register()
        s.power_0 = Register()
        s.bad = Wire()  # of the arriving request
        s.odd = Wire(nbits)  # whose inverse is to be found
        s.judge = OddModulus(nbits)
        s.control = SplitControl(program)
        s.halves_order = HalvesOrder(half_bits, program.window_bits)
        s.order = BinaryOrder(nbits, False)
        s.row = SplitRow(shape, program.entries)
        s.constant = MinusInverse(nbits, w)
        s.second_constant = MinusInverse(half_bits, w)
        join(s.control.recv, s.recv)
        join(s.control.send, s.send)
        s.judge.mod //= s.recv.msg.mod
        s.control.private //= s.private
        s.constant.start //= s.control.starts
        s.constant.mod //= s.odd
        s.second_constant.start //= s.control.starts
        s.second_constant.mod //= s.key.p
        s.control.scale //= s.constant.constant
        s.control.second_scale //= s.second_constant.constant
        s.connect_orders()
        if program.checks:
            s.check_order = BinaryOrder(E_BITS, False)
            s.check_order.load //= s.control.load
            s.check_order.exp //= s.key.e
            s.check_order.held //= s.key.e
            s.check_order.advance //= s.control.advance

            @update
            def choose_order():
                s.control.next @= s.order.next
                if s.control.is_private:
                    s.control.next @= s.check_order.next

        else:
            s.control.next //= s.order.next
        s.connect_row()

        @update
        def judged():
            s.bad @= ~s.judge.takes
            s.control.skip @= s.bad | (s.recv.msg.exp == 0)
            if s.private:  # without a public exponent nothing can be checked
                s.control.skip @= s.bad | ((s.key.e == 0) & checks)

        @update
        def modulus():
            s.odd @= s.held.mod
            if s.control.split:
                s.odd @= zext(s.key.q, nbits)

        @update
        def result():
            s.fault @= ~s.control.passed & (s.status == OK)
            s.send.msg.status @= s.status
            s.send.msg.result @= s.row.answer
            if s.skipped:
                s.send.msg.result @= zext(s.power_0, nbits)
            if (s.status != OK) | ~s.control.passed:
                s.send.msg.result @= 0

        @update_ff
        def keep():
            if s.control.load:
                s.skipped <<= s.control.skip
                s.power_0 <<= s.recv.msg.mod != 1
                if s.bad:
                    s.status <<= BAD_MODULUS
                else:
                    s.status <<= OK

    def connect_orders(s) -> None:
        """Have the exponents' bits choose products."""
        s.order.load //= s.control.load
        s.order.exp //= s.recv.msg.exp
        s.order.held //= s.held.exp
        s.order.advance //= s.control.advance
        s.halves_order.load //= s.control.load
        s.halves_order.exp //= s.key.dq
        s.halves_order.held //= s.key.dq
        s.halves_order.second_exp //= s.key.dp
        s.halves_order.advance //= s.control.half_advance
        s.control.half_next //= s.halves_order.next
        s.control.chosen //= s.halves_order.entry
        s.control.second_chosen //= s.halves_order.second_entry

    def connect_row(s) -> None:
        """Have the row follow the control."""
        row, control = s.row, s.control
        row.n //= s.held.mod
        row.base_in //= s.held.base
        row.p //= s.key.p
        row.q //= s.key.q
        row.q_inverse //= s.key.q_inverse
        row.split //= control.split
        row.whole //= control.whole
        row.of_modulus //= control.of_modulus
        row.of_key //= control.of_key
        row.take //= control.take
        row.digit //= control.digit
        row.low //= control.low
        row.go //= control.go
        row.source //= control.source
        row.plus_one //= control.plus_one
        row.plus_mod //= control.plus_mod
        row.second_take //= control.second_take
        row.second_digit //= control.second_digit
        row.second_go //= control.second_go
        row.second_source //= control.second_source
        control.fits //= row.fits
        control.fed //= row.fed
        control.second_fed //= row.second_fed

    def line_trace(s) -> str:
        parts = (s.control, s.halves_order, s.order, s.row)
        return f"{s.recv}({' '.join(part.line_trace() for part in parts)}){s.send}"


@dataclass(frozen=True)
class SplitExponentiator(OfHeldOperands):
    """Exponentiates in a row of elements, and for private operations in its two halves."""

    result_stays = True
    by_crt = True
    wiped = (EXP,)

    digit_bits: int
    word_bits: int
    window_bits: int
    checks: bool

    @property
    def time_tells(self) -> tuple[str, ...]:
        """Declare that the cycles of a power depend on how many products there are."""
        return (LENGTH, BITS)

    @property
    def program(self) -> SplitProgram:
        """Return the operations."""
        shape = SplitShape(self.nbits, self.digit_bits, self.word_bits)
        return SplitProgram(shape, self.window_bits, self.checks)

    @property
    def schedule(self) -> str:
        """Return the schedule in words."""
        return f"{LEFT_TO_RIGHT.text} one unit"

    def counts(self, exp: int) -> Counts:
        """Count the products of the schedule for an exponent >= 1."""
        return LEFT_TO_RIGHT.counts(exp, self.nbits)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """latency = 1 + all operations, or SKIPPED where no product is needed."""
        if exp == 0 or not self.takes(mod):
            return SKIPPED
        return 1 + split_power_cycles(self.program, exp)

    def private_value(self, base: int, mod: int, key: CrtKey) -> tuple[int, int]:
        """Return result and status of a private operation."""
        if not self.takes(mod):
            return 0, BAD_MODULUS
        return private(base, mod, key, self.checks)

    def private_latency(self, e: int, mod: int) -> int:
        """Count the cycles of a private operation: of its key the public exponent tells them."""
        if not self.takes(mod) or (self.checks and e == 0):
            return SKIPPED
        return 1 + split_private_cycles(self.program, e)

    def core(self) -> Component:
        """Make a new component of the hardware, for operands that are held."""
        return SplitExponentiatorRTL(self.program)
