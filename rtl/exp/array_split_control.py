"""The order of operations of a row that splits (fl/array_split_program.py), as in array_control.

cycle 0              IDLE   the request is taken
cycle 1              RUN    the first digit of the first operation
cycle 1 + all these  DONE   the answer stands

One control orders both halves, which do the same at the same time: the second half's orders differ
in the digits that depend on its modulus or exponent, and in what it takes.
"""

from collections.abc import Iterator

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    mk_bits,
    update,
    update_ff,
    zext,
)

from fl.array_program import (
    BASE,
    NOT_M,
    RESULT,
    TABLE,
    M,
)
from fl.array_split_program import FIRST, KEY, MINUS_1, SECOND, SplitOperation, SplitProgram
from rtl.exp.array_control import DIGITS, DONE, IDLE, RUN, ShiftLength, digits_of
from rtl.exp.array_order import MULTIPLY, SQUARE
from rtl.exp.array_split_word import mk_split_take
from rtl.exp.program_words import hold_words
from rtl.leaf.handshake import Accept, Offer
from rtl.leaf.register import Register

# What follows on an operation: the next one; what the order of the halves or of the row says; what
# joins, checks, or begins a power; the way out; the check of what has left, or the end; the end.
NEXT, HALVES, ROW, FOUND, OUT, LEFT, END = range(7)
FLAGS = (
    *DIGITS,
    "plus_one",
    "plus_mod",
    "scans",
    "x",
    "of_operand",
    "inverted",
    "less_1",
    "of_modulus",
    "of_key",
    "to_mod",
    "to_table",
    "first_only",
    "second_only",
    "repeats",
    "split",
    "whole",
    "soft",
    "begins",
    "judges",
)


def flags(operation: SplitOperation) -> Iterator[bool]:
    """Yield the flags of an operation, but for what follows on it."""
    yield from digits_of(operation)
    yield operation.plus_one
    yield operation.plus_mod
    yield operation.scans
    yield operation.x == RESULT
    yield operation.x in (M, NOT_M, MINUS_1, BASE, KEY)
    yield operation.x == NOT_M
    yield operation.x == MINUS_1
    yield operation.x in (M, NOT_M, MINUS_1)
    yield operation.x == KEY
    yield operation.to_mod
    yield operation.to_table is not None
    yield operation.into == FIRST
    yield operation.into == SECOND
    yield operation.times > 1
    yield operation.split
    yield operation.whole
    yield operation.soft
    yield operation.begins
    yield operation.judges


class SplitControl(Component):
    """Takes one request at a time; `skip` has it answered in the next cycle.

    half_next, half_advance: of the order of the halves; next, advance: of that of the row.
    """

    def construct(s, program: SplitProgram):
        shape = program.shape
        w = shape.digit_bits
        segments = [
            (program.enter, HALVES),
            ((program.half_square,), HALVES),
            ((program.half_multiply,), HALVES),
            (program.recombine, NEXT),
            (program.constants, FOUND),
            (program.base, ROW),
            (program.join, OUT),
            ((program.square,), ROW),
            ((program.multiply,), ROW),
            (program.again if program.checks else (), ROW),
            ((program.judge,) if program.checks else (), END),
            (program.compare if program.checks else (), NEXT),
            (program.leave, LEFT),
        ]
        operations, follows, starts = [], [], []
        for segment, then in segments:
            starts.append(len(operations))
            operations += segment
            follows += [NEXT] * (len(segment) - 1) + [then] * bool(segment)
        Address = mk_bits(clog2(len(operations)))
        half_square, half_multiply, recombine, constants = map(Address, starts[1:5])
        base, join, square, multiply = map(Address, starts[5:9])
        again, judge, compare, out = map(Address, starts[9:])
        power = starts[4]
        checks = Bits1(program.checks)
        step_bits = clog2(max(operation.steps for operation in operations))
        source_bits, entry_bits = clog2(1 + program.entries), clog2(program.entries)
        Steps, Repeats = mk_bits(step_bits), mk_bits(clog2(shape.joined.shifts + 1))
        repeats, half_repeats = Repeats(shape.joined.shifts - 1), Repeats(shape.half.shifts - 1)
        Take = mk_split_take(entry_bits)

        s.recv = Accept()
        s.send = Offer()
        s.private = InPort()
        s.skip = InPort()
        s.load = OutPort()
        s.starts = OutPort()  # constants are to be found
        s.scale = InPort(w)  # c
        s.second_scale = InPort(w)
        s.fits = InPort()
        s.fed = InPort(w)
        s.second_fed = InPort(w)
        s.half_next = InPort(2)
        s.half_advance = OutPort()
        s.chosen = InPort(entry_bits)
        s.second_chosen = InPort(entry_bits)
        s.next = InPort(2)
        s.advance = OutPort()
        s.take = OutPort(Take)
        s.digit = OutPort(w)
        s.low = OutPort()
        s.go = OutPort()
        s.source = OutPort(source_bits)
        s.plus_one = OutPort()
        s.plus_mod = OutPort()
        s.second_take = OutPort(Take)
        s.second_digit = OutPort(w)
        s.second_go = OutPort()
        s.second_source = OutPort(source_bits)
        s.split = OutPort()
        s.whole = OutPort()
        s.of_modulus = OutPort()
        s.of_key = OutPort()
        s.passed = OutPort()  # the check, or nothing is to be checked
        s.is_private = OutPort()

        s.state = Register(2)
        s.left = Register()  # the answer stands in the table
        s.differs = Register()
        s.address = Register(Address)
        s.steps_left = Register(Steps)
        s.repeats_left = Register(Repeats)
        s.following = Register(Address)
        s.first = Register()  # this cycle's digit is the operation's first
        s.ends = Register()
        s.next_address = Wire(Address)
        s.last = Wire()
        s.scans = Wire()
        s.second_scan = Register()
        s.shifts = Wire()
        s.orders = Wire(Take)

        fields = dict.fromkeys(FLAGS, 1)
        fields |= {"literal": w, "source_of": source_bits, "entry": entry_bits, "steps": step_bits}
        fields |= {"then": 3}
        rows = []
        for operation, then in zip(operations, follows, strict=True):
            values = [*flags(operation), operation.literal]
            values += [operation.entry + 1 if operation.digits == TABLE else 0]
            rows.append([*values, operation.to_table or 0, operation.steps - 1, then])
        hold_words(s, fields, rows, 1 << Address.nbits)

        s.shift = ShiftLength(shape.joined)
        s.first_shift = ShiftLength(shape.half)
        s.second_shift = ShiftLength(shape.half)
        for shift in (s.shift, s.first_shift, s.second_shift):
            shift.load //= s.starts
            shift.used //= s.shifts
            shift.fed //= s.second_fed if shift is s.second_shift else s.fed
            shift.scan //= s.second_scan if shift is s.second_shift else s.scans
        s.split //= s.op_split
        s.whole //= s.op_whole

        @update
        def outputs():
            s.recv.rdy @= s.state == IDLE
            s.load @= (s.state == IDLE) & s.recv.val
            s.send.val @= s.state == DONE
            s.starts @= s.first & s.op_begins
            s.half_advance @= s.ends & (s.op_then == HALVES)
            s.advance @= s.ends & (s.op_then == ROW)
            s.scans @= (s.state == RUN) & s.op_scans & ~s.ends
            s.shifts @= s.first & s.op_from_shift

        @update
        def choose_digits():
            s.digit @= 0
            s.second_digit @= 0
            if s.first:
                s.digit @= s.op_literal
                s.second_digit @= s.op_literal
                if s.op_from_scale:
                    s.digit @= s.scale
                    s.second_digit @= s.second_scale
                elif s.op_from_shift:
                    s.digit @= s.shift.digit
                    if s.op_split:
                        s.digit @= s.first_shift.digit
                    s.second_digit @= s.second_shift.digit
                elif s.op_from_fits:
                    s.digit @= zext(s.fits, w)

        @update
        def give_orders():
            s.low @= s.first & s.op_from_low
            s.go @= s.first & s.op_emits
            s.second_go @= s.first & s.op_emits & ~s.op_whole
            s.source @= s.op_source_of
            s.second_source @= s.op_source_of
            if s.op_chosen:
                s.source @= zext(s.chosen, source_bits) + 1
                s.second_source @= zext(s.second_chosen, source_bits) + 1
            s.plus_one @= s.first & s.op_plus_one
            s.plus_mod @= s.first & (s.op_plus_mod | (s.op_from_fits & ~s.fits))

        @update
        def ending():
            s.orders.ends @= s.ends & ~s.op_soft
            s.orders.x @= s.op_x
            s.orders.of_operand @= s.ends & s.op_of_operand
            s.orders.inverted @= s.op_inverted
            s.orders.less_1 @= s.op_less_1
            s.orders.to_mod @= s.op_to_mod
            s.orders.to_table @= s.op_to_table & ~(s.op_from_fits & s.left)
            s.orders.entry @= s.op_entry
            s.take @= s.orders
            s.second_take @= s.orders
            if s.op_second_only:
                s.take.x @= 0
                s.take.to_table @= 0
            if s.op_first_only:
                s.second_take.x @= 0
                s.second_take.to_table @= 0

        @update
        def follow():
            s.last @= (s.op_then == END) | (s.op_then == LEFT) & ~(s.is_private & checks)
            s.next_address @= s.address + 1
            if s.op_repeats & (s.repeats_left != 0):
                s.next_address @= s.address
            elif s.op_then == HALVES:
                s.next_address @= recombine
                if s.half_next == SQUARE:
                    s.next_address @= half_square
                elif s.half_next == MULTIPLY:
                    s.next_address @= half_multiply
            elif s.op_then == ROW:
                s.next_address @= out
                if s.next == SQUARE:
                    s.next_address @= square
                elif s.next == MULTIPLY:
                    s.next_address @= multiply
                elif s.is_private:
                    s.next_address @= compare
            elif s.op_then == FOUND:
                s.next_address @= base
                if s.is_private:
                    s.next_address @= join
                if s.is_private & s.left:
                    s.next_address @= again
            elif s.op_then == OUT:
                s.next_address @= out
            elif s.op_then == LEFT:
                s.next_address @= constants
                if s.left:
                    s.next_address @= judge

        @update_ff
        def run():
            if s.reset:
                s.state <<= IDLE
            elif s.load & s.skip:
                s.state <<= DONE
            elif s.load:
                s.state <<= RUN
            elif s.ends & s.last:
                s.state <<= DONE
            elif s.send.val & s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def check():
            if s.load:
                s.is_private <<= s.private
                s.left <<= 0
                s.differs <<= 0
                s.passed <<= ~(s.private & checks)
            elif s.ends & (s.op_then == LEFT):
                s.left <<= 1
            elif s.op_judges:
                s.differs <<= s.differs | (s.fed != 0)
                s.passed <<= s.ends & ~s.differs & (s.fed == 0)

        @update_ff
        def operands():
            if s.first & s.op_of_operand:
                s.of_modulus <<= s.op_of_modulus
                s.of_key <<= s.op_of_key

        @update_ff
        def begin_and_end():
            s.first <<= (s.load & ~s.skip) | (s.ends & ~s.last)
            s.ends <<= (s.state == RUN) & (s.steps_left == 1)
            if s.first:
                s.ends <<= s.op_steps == 0
            if s.reset:
                s.first <<= 0
                s.ends <<= 0

        @update_ff
        def count():
            s.second_scan <<= s.scans
            s.following <<= s.next_address
            if s.load:
                s.address <<= constants
                s.word <<= s.words[power]
                if s.private:
                    s.address <<= 0
                    s.word <<= s.words[0]
            elif s.ends:
                s.address <<= s.following
                s.word <<= s.words[s.following]
            if s.starts:
                s.repeats_left <<= repeats
                if s.op_split:
                    s.repeats_left <<= half_repeats
            elif s.ends & s.op_repeats:
                s.repeats_left <<= s.repeats_left - 1
            if s.first:
                s.steps_left <<= s.op_steps
            else:
                s.steps_left <<= s.steps_left - 1

    def line_trace(s) -> str:
        """Show I idle, D done, or the operation and the steps that are left."""
        return ("I", f"{int(s.address):3}:{int(s.steps_left):4}", "D")[int(s.state)]
