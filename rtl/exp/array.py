"""An exponentiator that is a row of elements: its words hold all long numbers there are.

A product begins D + 1 cycles after the one that it waits for: as its first word stands in the first
element, the next one takes it, and word j goes from element to register j cycles later. No wire
leads further than to the next element, but those of request and response. The operations are
those of fl/array_program.py; time is constant with windows.
"""

from dataclasses import dataclass, replace
from typing import Self

from pymtl3 import Component, Wire, update, update_ff, zext

from cl.array import row_cycles
from cl.exponentiator import BEFORE, BITS, LENGTH, SKIPPED
from fl.array import RowShape
from fl.array_program import Program, binary, windows
from fl.exponentiator import BAD_MODULUS, OK
from fl.schedule import LEFT_TO_RIGHT, Counts, Schedule
from rtl.exp.array_control import RowControl
from rtl.exp.array_later import OrdersLater, connect_orders
from rtl.exp.array_order import BinaryOrder, WindowOrder
from rtl.exp.array_row import PowerRow
from rtl.exp.holding import CorePorts, OfHeldOperands
from rtl.exp.judge import OddModulus
from rtl.leaf.handshake import join
from rtl.leaf.register import Register
from rtl.mul.modulus_constant import MinusInverse


class ArrayExponentiatorRTL(CorePorts):
    """result = base^exp mod mod for any n-bit request; an even mod gives status BAD_MODULUS."""

    def construct(s, program: Program, schedule: Schedule):
        nbits, low_bits = program.shape.nbits, program.shape.low_bits
        window_bits, may_skip = schedule.window_bits, int(not schedule.constant)
        keeps = program.keeps
        super().construct(nbits, keeps)
        s.status = Register()
        s.skipped = Register()
        s.power_0 = Register()
        s.start = Register()  # the operands are held, and c is to be found
        s.again = Wire()  # nothing is to be found
        s.bad = Wire()  # of the arriving request
        s.judge = OddModulus(nbits)
        s.control = RowControl(program)
        s.order = WindowOrder(nbits, window_bits) if window_bits else BinaryOrder(nbits, keeps)
        s.row = PowerRow(program.shape, program.entries, program.base)
        s.constant = MinusInverse(nbits, max(low_bits, 2))
        join(s.control.recv, s.recv)
        join(s.control.send, s.send)
        s.judge.mod //= s.recv.msg.mod
        s.constant.start //= s.start
        s.constant.mod //= s.held.mod
        s.row.load //= s.control.load
        s.row.m //= s.held.mod
        s.row.base_in //= s.held.base
        s.order.load //= s.control.load
        s.order.exp //= s.recv.msg.exp
        s.order.held //= s.held.exp
        s.order.advance //= s.control.advance
        s.control.again //= s.again
        s.control.next //= s.order.next
        s.control.chosen //= s.order.entry
        s.control.scale //= s.constant.constant[0:low_bits]
        s.control.fits //= s.row.fits
        s.control.fed //= s.row.fed
        orders: Component = s.control
        if program.shape.stages > 1:
            orders = s.orders = OrdersLater(program.shape, program.entries)
            connect_orders(orders, s.control, "_in")
        connect_orders(s.row, orders)
        s.send.msg.status //= s.status

        @update
        def judged():
            s.bad @= ~s.judge.takes
            s.control.skip @= (s.bad | (s.recv.msg.exp == 0)) & may_skip

        if keeps:

            @update
            def find_again():
                s.again @= s.same & s.kept

            @update_ff
            def keep_modulus():
                if s.reset:
                    s.kept <<= 0
                elif s.control.load:
                    s.kept <<= s.again | ~s.control.skip

        else:
            s.again //= 0

        @update
        def result():
            s.send.msg.result @= s.row.x
            if s.skipped:
                s.send.msg.result @= zext(s.power_0, nbits)
            if s.status != OK:
                s.send.msg.result @= 0

        @update_ff
        def keep():
            s.start <<= s.control.load & ~s.again
            if s.control.load:
                s.skipped <<= s.control.skip
                s.power_0 <<= s.recv.msg.mod != 1
                if s.bad:
                    s.status <<= BAD_MODULUS
                else:
                    s.status <<= OK

    def line_trace(s) -> str:
        parts = (s.control, s.order, s.row)
        return f"{s.recv}({' '.join(part.line_trace() for part in parts)}){s.send}"


@dataclass(frozen=True)
class ArrayExponentiator(OfHeldOperands):
    """Exponentiates in a row of elements: binary, or with windows and then in constant time.

    keeps: requests of one modulus after the other pay for its constants once; then time depends on
    whether the modulus is that of the request before. kept: that whose constants stand.
    """

    result_stays = True

    digit_bits: int
    word_bits: int
    order: Schedule
    keeps: bool = False
    kept: int | None = None
    stages: int = 1

    @property
    def constant_time(self) -> bool:
        """Return whether all requests take the same cycles."""
        return self.order.constant

    @property
    def time_tells(self) -> tuple[str, ...]:
        """Declare what the cycles depend on: how many products there are, and what is kept."""
        exponent = () if self.constant_time else (LENGTH, BITS)
        return (*exponent, BEFORE) if self.keeps else exponent

    @property
    def program(self) -> Program:
        """Return the operations."""
        shape = RowShape(self.nbits, self.digit_bits, self.word_bits, stages=self.stages)
        if self.order is LEFT_TO_RIGHT:
            return binary(shape, self.keeps)
        return windows(shape, self.order.window_bits, self.keeps)

    @property
    def schedule(self) -> str:
        """Return the schedule in words."""
        return f"{self.order.text} one unit"

    def counts(self, exp: int) -> Counts:
        """Count the products of the schedule for an exponent >= 1."""
        return self.order.counts(exp, self.nbits)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """latency = 1 + all operations, or SKIPPED where no product is needed."""
        if self._skips(exp, mod):
            return SKIPPED
        return 1 + row_cycles(self.program, self.order, exp, mod == self.kept)

    def after(self, base: int, exp: int, mod: int) -> Self:
        """Keep the constants that were found, or lose them with their modulus."""
        if not self.keeps or mod == self.kept:
            return self
        return replace(self, kept=None if self._skips(exp, mod) else mod)

    def renewed(self) -> Self:
        """Forget the modulus."""
        return replace(self, kept=None)

    def _skips(self, exp: int, mod: int) -> bool:
        return not self.constant_time and (exp == 0 or not self.takes(mod))

    def core(self) -> Component:
        """Make a new component of the hardware, for operands that are held."""
        return ArrayExponentiatorRTL(self.program, self.order)
