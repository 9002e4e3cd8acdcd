"""A row of elements that exponentiates modulo a random multiple of m (fl/array_blinded.py).

It does so by windows, or by a ladder whose exponent is two random shares (fl/array_masked.py). All
requests take the same cycles, but for exponents that are short enough to be public, if the ladder
is to know them. Random bytes come from the stand-in for a source that the peripheral
is simulated with (fl/random_bytes.py): they can be foretold, so that a chip needs another source.
"""

from dataclasses import dataclass

from pymtl3 import Component, clog2, connect, update, update_ff, zext

from cl.array_blinded import blinded_cycles, masked_cycles
from cl.exponentiator import LENGTH
from fl.array_blinded import BlindedProgram, blinded
from fl.array_masked import masked, rounds_of
from fl.exponentiator import BAD_MODULUS, OK
from fl.schedule import Counts, Schedule
from fl.xcel import EXP
from rtl.exp.array_blinded_control import BlindedControl
from rtl.exp.array_masked import LadderOrder, ShareRow
from rtl.exp.array_order import WindowOrder
from rtl.exp.array_row import PowerRow
from rtl.exp.holding import CorePorts, OfHeldOperands, add_exponent_words
from rtl.exp.judge import OddModulus
from rtl.leaf.handshake import join
from rtl.leaf.register import Register
from rtl.mul.array_element import mk_take
from rtl.mul.modulus_constant import MinusInverse
from rtl.port.random_bytes import RandomBytesRTL


class BlindedExponentiatorRTL(CorePorts):
    """result = base^exp mod mod for any n-bit request; an even mod gives status BAD_MODULUS."""

    def construct(s, program: BlindedProgram, schedule: Schedule, public_bits: int):
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
            s.order = LadderOrder(nbits, public_bits)
            s.row = ShareRow(program.shape)
            add_exponent_words(s)
            s.order.push //= s.exp_push
            s.order.word //= s.exp_word
            s.order.random //= s.random.word
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
            s.order.held //= s.held.exp
            s.row.load //= s.control.load
        join(s.control.recv, s.recv)
        join(s.control.send, s.send)
        s.judge.mod //= s.recv.msg.mod
        s.constant.start //= s.start
        s.constant.mod //= s.held.mod
        s.order.load //= s.control.load
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
    time: by windows, or by the ladder, whose exponent is then masked.

    public_bits: a ladder takes less for exponents of at most so many; if 0, for none.
    """

    result_stays = True

    digit_bits: int
    word_bits: int
    random_bits: int
    order: Schedule
    public_bits: int = 0

    @property
    def short_bits(self) -> int:
        """Return public_bits, or as many as leave exponents that are not short."""
        return min(self.public_bits, self.nbits - 1)

    @property
    def constant_time(self) -> bool:
        """Return whether no exponent takes less."""
        return not self.short_bits

    @property
    def time_tells(self) -> tuple[str, ...]:
        """Declare that the cycles tell whether an exponent is short."""
        return (LENGTH,) if self.short_bits else ()

    @property
    def wiped(self) -> tuple[int, ...]:
        """Return the exponent's register if the ladder has it as random shares."""
        return (EXP,) if self.order.ladder else ()

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
        return self.order.counts(exp, self._rounds(exp))

    def _rounds(self, exp: int) -> int:
        return rounds_of(exp, self.nbits, self.short_bits)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """latency = 1 + all operations."""
        program = self.program
        if self.order.ladder:
            return 1 + masked_cycles(program, self._rounds(exp))
        return 1 + blinded_cycles(program, self.order.window_bits)

    def core(self) -> Component:
        """Make a new component of the hardware, for operands that are held."""
        return BlindedExponentiatorRTL(self.program, self.order, self.short_bits)
