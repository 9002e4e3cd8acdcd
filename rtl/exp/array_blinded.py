"""A row of elements that exponentiates modulo a random multiple of m (fl/array_blinded.py).

It does so by windows, or by a ladder whose exponent is two random shares (fl/array_masked.py). All
requests take the same cycles. Random bytes come from the stand-in for a source that the peripheral
is simulated with (fl/random_bytes.py): they can be foretold, so that a chip needs another source.
"""

from dataclasses import dataclass

from pymtl3 import Component, clog2, connect, update, update_ff, zext

from cl.array_blinded import blinded_cycles, masked_cycles
from fl.array_blinded import BlindedProgram, blinded
from fl.array_masked import masked
from fl.exponentiator import BAD_MODULUS, OK
from fl.schedule import Counts, Schedule
from rtl.exp.array_blinded_control import BlindedControl
from rtl.exp.array_masked import LadderOrder, ShareRow
from rtl.exp.array_order import WindowOrder
from rtl.exp.array_row import PowerRow
from rtl.exp.holding import CorePorts, OfHeldOperands
from rtl.exp.judge import OddModulus
from rtl.leaf.handshake import join
from rtl.leaf.register import Register
from rtl.mul.array_element import mk_take
from rtl.mul.modulus_constant import MinusInverse
from rtl.port.random_bytes import RandomBytesRTL


class BlindedExponentiatorRTL(CorePorts):
    """result = base^exp mod mod for any n-bit request; an even mod gives status BAD_MODULUS."""

    def construct(s, program: BlindedProgram, schedule: Schedule):
        nbits, w = program.nbits, program.shape.digit_bits
        row_bits = program.shape.nbits
        super().construct(nbits)
        s.status = Register()
        s.start = Register()  # the operands are held, and c is to be found
        s.judge = OddModulus(nbits)
        s.control = BlindedControl(program, mk_take(max(1, clog2(program.entries))))
        s.random = RandomBytesRTL()
        s.constant = MinusInverse(nbits, w)
        if schedule.ladder:
            s.order = LadderOrder(nbits)
            s.row = ShareRow(program.shape)
            s.order.split //= s.control.split
            s.order.random //= s.random.random
            s.order.here //= s.control.here
            s.order.there //= s.control.there
            s.order.loads //= s.control.loads
            s.row.entry //= s.order.takes_entry
            s.row.loads //= s.control.loads
            s.row.loads_entry //= s.order.loads_entry
        else:
            s.order = WindowOrder(nbits, schedule.window_bits)
            s.row = PowerRow(program.shape, program.entries, program.base)
            s.order.exp //= s.recv.msg.exp
            s.row.load //= s.control.load
        join(s.control.recv, s.recv)
        join(s.control.send, s.send)
        s.judge.mod //= s.recv.msg.mod
        s.constant.start //= s.start
        s.constant.mod //= s.held.mod
        s.order.load //= s.control.load
        s.order.held //= s.held.exp
        s.order.advance //= s.control.advance
        s.random.ready //= 1
        s.control.next //= s.order.next
        s.control.chosen //= s.order.entry
        s.control.scale //= s.constant.constant
        s.control.random //= s.random.random[0:w]
        s.control.fits //= s.row.fits
        s.control.fed //= s.row.fed
        for name in ("take", "digit", "low", "go", "source", "plus_one", "plus_mod"):
            connect(getattr(s.row, name), getattr(s.control, name))
        s.send.msg.status //= s.status

        @update
        def operands():
            s.row.m @= zext(s.held.mod, row_bits)
            s.row.base_in @= zext(s.held.base, row_bits)

        @update
        def result():
            s.send.msg.result @= s.row.x[0:nbits]
            if s.status != OK:
                s.send.msg.result @= 0

        @update_ff
        def keep():
            s.start <<= s.control.load
            if s.control.load:
                s.status <<= OK
                if ~s.judge.takes:
                    s.status <<= BAD_MODULUS

    def line_trace(s) -> str:
        parts = (s.control, s.order, s.row)
        return f"{s.recv}({' '.join(part.line_trace() for part in parts)}){s.send}"


@dataclass(frozen=True)
class BlindedExponentiator(OfHeldOperands):
    """Exponentiates in a row of elements by multiples of m with so many random bits, in constant
    time: by windows, or by the ladder, whose exponent is then masked."""

    result_stays = True
    constant_time = True

    digit_bits: int
    word_bits: int
    random_bits: int
    order: Schedule

    @property
    def program(self) -> BlindedProgram:
        """Return the operations."""
        sizes = self.nbits, self.digit_bits, self.word_bits, self.random_bits
        if self.order.ladder:
            return masked(*sizes)
        return blinded(*sizes, self.order.window_bits)

    @property
    def schedule(self) -> str:
        """Return the schedule in words."""
        return f"{self.order.text} one unit"

    def counts(self, exp: int) -> Counts:
        """Count the products of the schedule."""
        return self.order.counts(exp, self.nbits)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """latency = 1 + all operations."""
        program = self.program
        if self.order.ladder:
            return 1 + masked_cycles(program)
        return 1 + blinded_cycles(program, self.order.window_bits)

    def core(self) -> Component:
        """Make a new component of the hardware, for operands that are held."""
        return BlindedExponentiatorRTL(self.program, self.order)
