"""The order of operations of a row (fl/array_program.py), one digit or end of them per cycle.

cycle 0              IDLE   the request is taken
cycle 1              RUN    the first digit of the first operation
...                         each has its steps, and a cycle in which the end is ordered
cycle 1 + all these  DONE   the answer stands

What an operation is stands in a register, and which one follows in another, from the cycle before
its end on.
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

from fl.array import RowShape, pause
from fl.array_program import (
    BASE,
    CHOSEN,
    FITS,
    KEEP,
    LOW,
    NOT_M,
    SCALE,
    SHIFT,
    TABLE,
    M,
    Operation,
    Program,
    X,
)
from rtl.exp.array_later import LateShiftLength
from rtl.exp.array_order import LEAVE, MULTIPLY, SQUARE
from rtl.exp.program_words import hold_words
from rtl.leaf.handshake import Accept, Offer
from rtl.leaf.register import Register
from rtl.leaf.significant_bits import SignificantBits
from rtl.mul.array_element import mk_take

IDLE, RUN, DONE = range(3)
DIGITS = ("from_scale", "from_shift", "from_fits", "from_low", "emits", "chosen")
TAKING = ("plus_one", "plus_mod", "scans", "x", "of_m", "inverted", "to_mod", "to_table")
FLAGS = (*DIGITS, *TAKING, "repeats", "decides", "last")


def digits_of(operation: Operation) -> Iterator[bool]:
    """Yield what says where an operation's digits come from."""
    yield operation.digits == SCALE
    yield operation.digits == SHIFT
    yield operation.digits == FITS
    yield operation.digits == LOW
    yield operation.digits in (X, TABLE, CHOSEN)
    yield operation.digits == CHOSEN


def taking_of(operation: Operation) -> Iterator[bool]:
    """Yield what an operation adds, and what takes its result."""
    yield operation.plus_one
    yield operation.plus_mod
    yield operation.scans
    yield operation.x not in (KEEP, BASE)
    yield operation.x in (M, NOT_M, BASE)
    yield operation.x == NOT_M
    yield operation.to_mod
    yield operation.to_table is not None


def flags(operation: Operation) -> Iterator[bool]:
    """Yield the flags of an operation, but for what follows on it."""
    yield from digits_of(operation)
    yield from taking_of(operation)
    yield operation.times > 1


class ShiftLength(Component):
    """Finds by how many bits m is to be shifted, of its digits, and gives that in turns.

    digit: the next turn's power of 2, in the second cycle after `used`, or after the last `scan`;
    for digits of a bit it is 1, and `more` says whether there is a turn.
    """

    def construct(s, shape: RowShape):
        w, most = shape.digit_bits, shape.shift_bits
        count_bits = clog2(shape.value_bits + w + 1)
        Count = mk_bits(count_bits)
        one, shifts = mk_bits(w)(1), Bits1(w > 1)
        s.load = InPort()
        s.scan = InPort()
        s.fed = InPort(w)  # a cycle after `scan`
        s.used = InPort()
        s.digit = OutPort(w)
        s.scanning = Register()
        s.room = Register(Count)  # bits of a value from this digit on
        s.left = Register(Count)
        s.turn = Wire(Count)
        s.amount = Wire(w)
        amount_bits = min(w, count_bits)
        s.length = Wire(count_bits)
        s.more = OutPort()
        if w > 1:
            s.significant = SignificantBits(w)
            s.significant.word //= s.fed

            @update
            def length_of_digit():
                s.length @= zext(s.significant.count, count_bits)

        else:
            s.length //= 1

        @update
        def turns():
            s.turn @= Count(most)
            if s.left < most:
                s.turn @= s.left
            s.amount @= zext(s.turn[0:amount_bits], w)

        @update_ff
        def count():
            s.scanning <<= s.scan
            s.more <<= s.left != 0
            s.digit <<= one
            if shifts:
                s.digit <<= one << s.amount
            if s.load:
                s.room <<= Count(shape.value_bits)
            elif s.scanning:
                s.room <<= s.room - w
            if s.scanning & (s.fed != 0):
                s.left <<= s.room - s.length
            elif s.used:
                s.left <<= s.left - s.turn

    def line_trace(s) -> str:
        return f"{int(s.left)}"


class RowControl(Component):
    """Takes one request at a time; `skip` has it answered in the next cycle.

    again: it begins where R^2 is kept. In a row of two stages `advance` comes a cycle late.
    """

    def construct(s, program: Program):
        shape = program.shape
        w = shape.digit_bits
        low_bits, further = shape.low_bits, pause(shape.stages) - 1  # cycles of an operation
        operations = [*program.enter, program.square, program.multiply, *program.leave]
        squares, again = len(program.enter), program.again or 0
        Address = mk_bits(clog2(len(operations)))
        step_bits = clog2(max(operation.steps for operation in operations) + further)
        source_bits, entry_bits = clog2(1 + program.entries), max(1, clog2(program.entries))
        chosen_bits = max(1, clog2(program.powers))
        Steps, Repeats = mk_bits(step_bits), mk_bits(clog2(shape.shifts + 1))
        Take = mk_take(entry_bits)
        doubles = Bits1(low_bits == 1)

        s.recv = Accept()
        s.send = Offer()
        s.skip = InPort()
        s.again = InPort()
        s.load = OutPort()
        s.scale = InPort(low_bits)  # c
        s.fits = InPort()
        s.fed = InPort(w)
        s.chosen = InPort(chosen_bits)
        s.next = InPort(2)
        s.advance = OutPort()
        s.take = OutPort(Take)
        s.digit = OutPort(low_bits)  # or digits
        s.low = OutPort()
        s.go = OutPort()
        s.source = OutPort(source_bits)
        s.plus_one = OutPort()
        s.plus_mod = OutPort()

        s.state = Register(2)
        s.address = Register(Address)
        s.steps_left = Register(Steps)
        s.repeats_left = Register(Repeats)
        s.doubled = Register()  # the operation's result is taken so
        s.following = Register(Address)
        s.first = Register()  # this cycle's digit is the operation's first
        s.ends = Register()
        s.next_address = Wire(Address)

        fields = dict.fromkeys(FLAGS, 1)
        fields |= {"literal": w, "source_of": source_bits, "entry": entry_bits, "steps": step_bits}
        rows = []
        for i, operation in enumerate(operations):
            last = i + 1 == len(operations)
            decides = squares - 1 <= i <= squares + 1
            values = [*flags(operation), decides, last, operation.literal]
            values += [operation.entry + 1 if operation.digits == TABLE else 0]
            values += [operation.to_table or 0, operation.steps - 1 + further]
            rows.append(values)
        hold_words(s, fields, rows, 1 << Address.nbits)

        s.shift = ShiftLength(shape) if shape.stages == 1 else LateShiftLength(shape)
        s.shift.load //= s.load
        s.shift.fed //= s.fed

        @update
        def outputs():
            s.recv.rdy @= s.state == IDLE
            s.load @= (s.state == IDLE) & s.recv.val
            s.send.val @= s.state == DONE
            s.shift.scan @= (s.state == RUN) & s.op_scans & ~s.ends
            s.shift.used @= s.first & s.op_from_shift

        if shape.stages == 1:

            @update
            def advance_now():
                s.advance @= s.ends & s.op_decides

        else:

            @update_ff
            def advance_later():
                s.advance <<= s.ends & s.op_decides & ~s.reset

        @update
        def choose_digit():
            s.digit @= 0
            if s.first:
                s.digit @= zext(s.op_literal, low_bits)
                if s.op_from_scale:
                    s.digit @= s.scale
                elif s.op_from_shift:
                    s.digit @= s.shift.digit
                elif s.op_from_fits:
                    s.digit @= zext(s.fits, low_bits)

        @update
        def orders():
            s.low @= s.first & s.op_from_low
            s.go @= s.first & s.op_emits
            s.source @= s.op_source_of
            if s.op_chosen:
                s.source @= zext(s.chosen, source_bits) + 1
            s.plus_one @= s.first & s.op_plus_one
            s.plus_mod @= s.first & (s.op_plus_mod | (s.op_from_fits & ~s.fits))

        @update
        def ending():
            s.take.ends @= s.ends
            s.take.x @= s.op_x
            s.take.of_m @= s.op_of_m
            s.take.inverted @= s.op_inverted | (s.op_from_shift & doubles & s.doubled)
            s.take.to_mod @= s.op_to_mod
            s.take.to_table @= s.op_to_table
            s.take.entry @= s.op_entry

        @update
        def follow():
            s.next_address @= s.address + 1
            if s.op_last:
                s.next_address @= 0
            elif s.op_repeats & (s.repeats_left != 0):
                s.next_address @= s.address
            elif s.op_decides & (s.next == SQUARE):
                s.next_address @= Address(squares)
            elif s.op_decides & (s.next == MULTIPLY):
                s.next_address @= Address(squares + 1)
            elif s.op_decides & (s.next == LEAVE):
                s.next_address @= Address(squares + 2)

        @update_ff
        def run():
            if s.reset:
                s.state <<= IDLE
            elif s.load & s.skip:
                s.state <<= DONE
            elif s.load:
                s.state <<= RUN
            elif s.ends & s.op_last:
                s.state <<= DONE
            elif s.send.val & s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def begin_and_end():
            s.first <<= (s.load & ~s.skip) | (s.ends & ~s.op_last)
            s.ends <<= (s.state == RUN) & (s.steps_left == 1)
            if s.first:
                s.ends <<= s.op_steps == 0
            if s.reset:
                s.first <<= 0
                s.ends <<= 0

        @update_ff
        def count():
            s.following <<= s.next_address
            if s.load:
                s.address <<= 0
                s.word <<= s.words[0]
                if s.again:
                    s.address <<= Address(again)
                    s.word <<= s.words[again]
                s.repeats_left <<= Repeats(shape.shifts - 1)
            elif s.ends:
                s.address <<= s.following
                s.word <<= s.words[s.following]
                if s.op_repeats:
                    s.repeats_left <<= s.repeats_left - 1
            if s.first:
                s.doubled <<= s.shift.more
                s.steps_left <<= s.op_steps
            else:
                s.steps_left <<= s.steps_left - 1

    def line_trace(s) -> str:
        """Show I idle, D done, or the operation and the steps that are left."""
        return ("I", f"{int(s.address):3}:{int(s.steps_left):4}", "D")[int(s.state)]
