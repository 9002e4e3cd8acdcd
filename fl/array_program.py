"""What the row of elements does for an exponentiation: operations one after the other.

An operation is some steps on x, the multiplicand that every element holds a word of, M' (`mod`)
and the digits of another value; at its end a word of the sum is resolved in each element, and
taken as one of x, of `mod` or of the table. All but the digits' origin is the same for every
request, so that time does not depend on operands.

The elements' x + M' stands a cycle after x and M' (rtl/mul/array_element.py). So a first step adds
both only where neither is new: what does, by plus_mod and a digit, waits for an operation without
digits.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fl.array import RowShape
from fl.schedule import RESULT as LOOP_RESULT
from fl.schedule import Schedule

# Where the digits come from: a value's words, or the first digit alone
NOTHING, LITERAL, SCALE, SHIFT, FITS, LOW, X, TABLE, CHOSEN = range(9)
KEEP, RESULT, M, NOT_M = range(4)  # what x becomes


@dataclass(frozen=True)
class Operation:
    """Takes steps, the first with plus_one, and with plus_mod times 1; then takes its result.

    digits: LITERAL, SCALE (c), SHIFT (what is left to shift m by), FITS (whether m was subtracted),
    LOW (the last result's lowest digit, an operation without digits later); X, an entry of the
    TABLE, or that CHOSEN by the exponent. FITS takes either x or, with digit 0, M'. scans: the
    length of m is found of the digits.
    """

    name: str
    steps: int
    digits: int = NOTHING
    literal: int = 0
    entry: int = 0  # of the table, which the digits are those of
    plus_one: bool = False
    plus_mod: bool = False
    scans: bool = False
    x: int = KEEP
    to_mod: bool = False
    to_table: int | None = None
    times: int = 1

    @property
    def cycles(self) -> int:
        """Count cycles to the next operation: one per step, and one in which words resolve."""
        return self.times * (self.steps + 1)


@dataclass(frozen=True)
class Program:
    """Lists the operations: enter, then per product of the loop square or multiply, then leave."""

    shape: RowShape
    entries: int  # of the table: the base alone, or all powers of a window
    enter: tuple[Operation, ...]
    leave: tuple[Operation, ...]

    @property
    def square(self) -> Operation:
        """Return the loop's squaring."""
        return Operation("square", self.shape.steps, X, x=RESULT)

    @property
    def multiply(self) -> Operation:
        """Return the loop's multiplication, by the base or by an entry of the table."""
        return Operation("multiply", self.shape.steps, CHOSEN, x=RESULT)

    @property
    def base(self) -> int:
        """Return the entry of the table that is the base."""
        return base_entry(self.entries)


def base_entry(entries: int) -> int:
    """Return the entry that is the base: of a window's table that of 1, where 0 has the power 0."""
    return min(entries - 1, 1)


def _constants(shape: RowShape) -> Iterator[Operation]:
    """Yield what finds M' and R^2; x is then R^2."""
    digits = -(-shape.nbits // shape.digit_bits)
    yield Operation("m", 1, x=M)
    yield Operation("m stands", 1)
    # as long as c takes, at least
    yield Operation("length of m", max(digits, shape.digit_bits), X, scans=True)
    yield Operation("M'", 2, SCALE, plus_one=True, to_mod=True, x=NOT_M)
    yield Operation("-m", 1, LITERAL, 1, plus_one=True, x=RESULT)
    yield Operation("-m * 2^l", 1, SHIFT, x=RESULT, times=shape.shifts)
    for square in shape.squares:
        if square.shift:
            yield Operation("shift", 1, LITERAL, 1 << square.shift, x=RESULT)
        yield Operation("power of 2", square.steps, X, x=RESULT)


def _leave(shape: RowShape) -> Iterator[Operation]:
    """Yield what makes x * R the result x mod m.

    The product by 1, but for its last division by 2^w, is at most M; that division is made modulo
    m, and leaves less than 2m. Whether m fits into that is known at the last element, and comes
    back from one to the next.
    """
    way_back = 2 * (shape.words - 1)
    yield Operation("out", shape.steps - 1, LITERAL, 1, x=RESULT, to_mod=True)
    yield Operation("last digit", 1, SCALE, x=M)
    yield Operation("m again", 1)
    yield Operation("out of 2^w", 2, LOW, plus_mod=True, x=NOT_M, to_mod=True)
    yield Operation("-m again", 1)
    yield Operation("less m", 1, LITERAL, 1, plus_one=True, plus_mod=True, x=RESULT)
    yield Operation("fits", way_back)
    yield Operation("result", 1, FITS, x=RESULT)
    yield Operation("all words", shape.words - 1)


def binary(shape: RowShape) -> Program:
    """List what an exponentiation does that begins with the base at the highest bit."""
    base = Operation("base", shape.steps, TABLE, x=RESULT, to_table=0)
    enter = [*_constants(shape), base]
    # meanwhile leading zeros of the exponent leave, one per cycle
    missing = shape.nbits + 1 - sum(operation.cycles for operation in enter)
    if missing > 0:
        enter.insert(0, Operation("leading zeros", max(missing - 1, 1)))
    return Program(shape, 1, tuple(enter), tuple(_leave(shape)))


def windows(shape: RowShape, bits: int) -> Program:
    """List what an exponentiation does that multiplies by a power of the base per window of bits.

    R^2 is kept as the table's entry 0, until that is R mod M, the power 0. No digit is asked for of
    an entry that is being taken: the power 2 is a square of x.
    """
    entries = 1 << bits
    steps = shape.steps
    *constants, last = _constants(shape)
    powers = [
        Operation(f"power {i}", steps, X if i == 2 else TABLE, entry=1, x=RESULT, to_table=i)
        for i in range(1, entries)
    ]
    one = [
        Operation("one", 1, plus_one=True, x=RESULT),
        Operation("power 0", steps, TABLE, entry=0, x=RESULT, to_table=0),
        Operation("power 0 stands", 1),
    ]
    enter = (*constants, replace(last, to_table=0), *powers, *one)
    return Program(shape, entries, enter, tuple(_leave(shape)))


class Row:
    """Carries out operations as integers."""

    def __init__(self, program: Program, base: int, m: int) -> None:
        """Begin with the operands as a request brings them."""
        self.shape, self.m = program.shape, m
        self.c = -pow(m, -1, 1 << self.shape.digit_bits) % (1 << self.shape.digit_bits)
        self.x = self.mod = self.result = self.doubles = 0
        self.table = [0] * program.entries
        self.table[program.base] = base
        self.is_new = False  # x or M', in an operation's first step
        self.shift_left = self.shape.value_bits - m.bit_length()

    def run(self, operation: Operation, chosen: int = 0) -> None:
        """Carry one out; chosen: the entry that the exponent chooses."""
        for _ in range(operation.times):
            self._run(operation, chosen)

    def _run(self, operation: Operation, chosen: int) -> None:
        w = self.shape.digit_bits
        digits = self._digits(operation, chosen)
        plus_mod = not digits if operation.digits == FITS else operation.plus_mod
        if plus_mod and digits & 1 and self.is_new:
            raise ValueError(f"{operation.name}: x + M' is not there yet")
        s = 0
        for i in range(operation.steps):
            first = i == 0
            q = s % (1 << w) | (first and plus_mod)
            s = (s >> w) + q * self.mod + (digits >> i * w) % (1 << w) * self.x
            s += first and operation.plus_one
            if s >> self.shape.value_bits + w + 1:
                raise ValueError(f"{operation.name}: a sum of {s.bit_length()} bits")
        if operation.digits == SHIFT and w == 1:
            s <<= self.doubles
        self._take(operation, s)

    def _digits(self, operation: Operation, chosen: int) -> int:
        if operation.digits == SHIFT:
            bits = min(self.shift_left, self.shape.shift_bits)
            self.shift_left -= bits
            self.doubles = bits
            return 1 << bits if self.shape.digit_bits > 1 else 1
        return {
            NOTHING: 0,
            LITERAL: operation.literal,
            SCALE: self.c,
            FITS: self.result >> self.shape.value_bits & 1,
            LOW: self.result % (1 << self.shape.digit_bits),
            X: self.x,
            TABLE: self.table[operation.entry],
            CHOSEN: self.table[chosen],
        }[operation.digits]

    def _take(self, operation: Operation, s: int) -> None:
        top = 1 << self.shape.value_bits
        if operation.digits != NOTHING or operation.x != KEEP:
            self.result = s
        self.x = {KEEP: self.x, RESULT: s % top, M: self.m, NOT_M: top - 1 - self.m}[operation.x]
        self.is_new = operation.to_mod or operation.x != KEEP
        if operation.to_mod:
            self.mod = s % top
        if operation.to_table is not None:
            self.table[operation.to_table] = s % top


def row_power(program: Program, schedule: Schedule, base: int, exp: int, m: int) -> int:
    """Return base^exp mod m as the row finds it, for odd m; exp >= 1 unless there are windows."""
    row = Row(program, base, m)
    for operation in program.enter:
        row.run(operation)
    for products in schedule.rounds(exp, program.shape.nbits):
        for product in products:
            if product.into == LOOP_RESULT and product.squares:
                row.run(program.square)
            elif product.into == LOOP_RESULT:
                row.run(program.multiply, schedule.entry(product.b))
    for operation in program.leave:
        row.run(operation)
    return row.x
