"""The order of operations of a blinded row (fl/array_blinded.py), a digit or an end per cycle.

cycle 0              IDLE   the request is taken
cycle 1              RUN    the first digit of the first operation
...                         each has its steps, and a cycle in which the end is ordered
cycle 1 + all these  DONE   the answer stands

All requests take all of these cycles. A random digit is that of the cycle in which it is used.
"""

from collections.abc import Iterator

from pymtl3 import (
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

from fl.array_blinded import HERE, LOAD, RANDOM, THERE, BlindedProgram
from fl.array_program import CHOSEN, FITS, LOW, SCALE, SHIFT, TABLE, Operation, X
from rtl.exp.array_control import DONE, IDLE, RUN, TAKING, ShiftLength, taking_of
from rtl.exp.array_order import LEAVE, MULTIPLY, SQUARE
from rtl.exp.program_words import hold_words
from rtl.leaf.handshake import Accept, Offer
from rtl.leaf.register import Register

DIGITS = {
    "from_scale": (SCALE,),
    "from_shift": (SHIFT,),
    "from_fits": (FITS,),
    "from_low": (LOW,),
    "from_random": (RANDOM,),
    "emits": (X, TABLE, CHOSEN),
    "chosen": (CHOSEN,),
    "loads": (LOAD,),
}
OTHERS = (*TAKING, "by_share", "there", "repeats", "decides", "last")


def flags(operation: Operation) -> Iterator[bool]:
    """Yield the flags of an operation, but for what follows on it."""
    for digits in DIGITS.values():
        yield operation.digits in digits
    yield from taking_of(operation)
    yield operation.to_table in (HERE, THERE)
    yield operation.to_table == THERE
    yield operation.times > 1


class BlindedControl(Component):
    """Takes one request at a time, and orders its operations.

    here, there and loads come as an operation ends in which a share says which entry is taken, or
    that x takes.
    """

    def construct(s, program: BlindedProgram, Take: type):
        shape = program.shape
        w = shape.digit_bits
        operations = [*program.enter, *program.loop, *program.leave]
        loop = len(program.enter)
        square, multiply = loop + program.square_at, loop + program.multiply_at
        leave = loop + len(program.loop)
        deciding = {loop - 1, *(loop + i for i in program.decides)}
        Address = mk_bits(clog2(len(operations)))
        step_bits = clog2(max(operation.steps for operation in operations))
        source_bits, entry_bits = clog2(1 + program.entries), max(1, clog2(program.entries))
        chosen_bits = max(1, clog2(program.powers))
        Steps, Repeats = mk_bits(step_bits), mk_bits(clog2(shape.shifts + 1))

        s.recv = Accept()
        s.send = Offer()
        s.load = OutPort()
        s.scale = InPort(w)  # c
        s.random = InPort(w)
        s.fits = InPort()
        s.fed = InPort(w)
        s.chosen = InPort(chosen_bits)
        s.next = InPort(2)
        s.advance = OutPort()
        s.here = OutPort()
        s.there = OutPort()
        s.loads = OutPort()
        s.take = OutPort(Take)
        s.digit = OutPort(w)
        s.low = OutPort()
        s.go = OutPort()
        s.source = OutPort(source_bits)
        s.plus_one = OutPort()
        s.plus_mod = OutPort()

        s.state = Register(2)
        s.address = Register(Address)
        s.steps_left = Register(Steps)
        s.repeats_left = Register(Repeats)
        s.following = Register(Address)
        s.first = Register()  # this cycle's digit is the operation's first
        s.ends = Register()
        s.next_address = Wire(Address)

        fields = dict.fromkeys((*DIGITS, *OTHERS), 1)
        fields |= {"literal": w, "source_of": source_bits, "entry": entry_bits, "steps": step_bits}
        rows = []
        for i, operation in enumerate(operations):
            last = i + 1 == len(operations)
            values = [*flags(operation), i in deciding, last, operation.literal]
            values += [operation.entry + 1 if operation.digits == TABLE else 0]
            rows.append([*values, max(operation.to_table or 0, 0), operation.steps - 1])
        hold_words(s, fields, rows, 1 << Address.nbits)

        s.shift = ShiftLength(shape)
        s.shift.load //= s.load
        s.shift.fed //= s.fed

        @update
        def outputs():
            s.recv.rdy @= s.state == IDLE
            s.load @= (s.state == IDLE) & s.recv.val
            s.send.val @= s.state == DONE
            s.advance @= s.ends & s.op_decides
            s.shift.scan @= (s.state == RUN) & s.op_scans & ~s.ends
            s.shift.used @= s.first & s.op_from_shift

        @update
        def order_shares():
            s.here @= s.ends & s.op_by_share & ~s.op_there
            s.there @= s.ends & s.op_there
            s.loads @= s.ends & s.op_loads

        @update
        def choose_digit():
            s.digit @= 0
            if s.first:
                s.digit @= s.op_literal
                if s.op_from_scale:
                    s.digit @= s.scale
                elif s.op_from_shift:
                    s.digit @= s.shift.digit
                elif s.op_from_fits:
                    s.digit @= zext(s.fits, w)
                elif s.op_from_random:
                    s.digit @= s.random & s.op_literal

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
            s.take.inverted @= s.op_inverted
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
                s.next_address @= Address(square)
            elif s.op_decides & (s.next == MULTIPLY):
                s.next_address @= Address(multiply)
            elif s.op_decides & (s.next == LEAVE):
                s.next_address @= Address(leave)

        @update_ff
        def run():
            if s.reset:
                s.state <<= IDLE
            elif s.load:
                s.state <<= RUN
            elif s.ends & s.op_last:
                s.state <<= DONE
            elif s.send.val & s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def begin_and_end():
            s.first <<= s.load | (s.ends & ~s.op_last)
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
                s.repeats_left <<= Repeats(shape.shifts - 1)
            elif s.ends:
                s.address <<= s.following
                s.word <<= s.words[s.following]
                if s.op_repeats:
                    s.repeats_left <<= s.repeats_left - 1
            if s.first:
                s.steps_left <<= s.op_steps
            else:
                s.steps_left <<= s.steps_left - 1

    def line_trace(s) -> str:
        """Show I idle, D done, or the operation and the steps that are left."""
        return ("I", f"{int(s.address):3}:{int(s.steps_left):4}", "D")[int(s.state)]
