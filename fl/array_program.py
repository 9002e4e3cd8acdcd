"""What the row of elements does for an exponentiation: operations one after the other.

An operation is some steps on x, the multiplicand that every element holds a word of, M' (`mod`)
and the digits of another value; at its end a word of the sum is resolved in each element, and
taken as one of x, of `mod` or of the table. All but the digits' origin is the same for every
request, so that time does not depend on operands.

The elements' x + M' stands a cycle after x and M' (rtl/mul/array_element.py). So a first step adds
both only where neither is new: what does, by plus_mod and a digit, waits for an operation without
digits.

Elements of two stages use quotient digits late (fl/array.py): what a first digit did, low_digits of
them do then, and each operation takes two cycles more.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fl.array import RowShape, pause
from fl.exponent_bits import skipping_cycles

# Where the digits come from: a value's words, or the first digit alone
NOTHING, LITERAL, SCALE, SHIFT, FITS, LOW, X, TABLE, CHOSEN = range(9)
KEEP, RESULT, M, NOT_M, BASE = range(5)  # what x becomes


@dataclass(frozen=True)
class Operation:
    """Takes steps, the first with plus_one, and with plus_mod times 1; then takes its result.

    digits: LITERAL, SCALE (c), SHIFT (what is left to shift m by), FITS (whether m was subtracted),
    LOW (the last result's low digits, an operation without digits later); X, an entry of the
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
    stages: int = 1  # of an element

    @property
    def cycles(self) -> int:
        """Count cycles to the next operation: one per step, and those in which words resolve."""
        return self.times * (self.steps + pause(self.stages))


@dataclass(frozen=True)
class Program:
    """Lists the operations: enter, then per product of the loop square or multiply, then leave.

    again: where in enter a request begins whose modulus is that of the one before, with R^2 as the
    last entry of the table; None if that is not kept.
    """

    shape: RowShape
    powers: int  # in the table: the base alone, or all powers of a window
    enter: tuple[Operation, ...]
    leave: tuple[Operation, ...]
    again: int | None = None

    @property
    def square(self) -> Operation:
        """Return the loop's squaring."""
        return Operation("square", self.shape.steps, X, x=RESULT, stages=self.shape.stages)

    @property
    def multiply(self) -> Operation:
        """Return the loop's multiplication, by the base or by an entry of the table."""
        return Operation("multiply", self.shape.steps, CHOSEN, x=RESULT, stages=self.shape.stages)

    @property
    def keeps(self) -> bool:
        """Return whether R^2 is kept for requests of the same modulus."""
        return self.again is not None

    @property
    def entries(self) -> int:
        """Return the entries of the table."""
        return self.powers + self.keeps

    @property
    def base(self) -> int | None:
        """Return the entry that is the base as a request brings it; None where x takes it.

        Of a window's table that is the entry 1, as 0 has the power 0.
        """
        return None if self.keeps else min(self.powers - 1, 1)


def finding(shape: RowShape) -> Iterator[Operation]:
    """Yield what finds M' and R^2; x is then R^2."""
    low = shape.low_digits
    digits = -(-shape.nbits // shape.digit_bits)
    yield Operation("m", 1, x=M)
    yield Operation("m stands", 1)
    # as long as c takes, at least
    yield Operation("length of m", max(digits, shape.low_bits), X, scans=True)
    yield Operation("M'", 2 * low, SCALE, plus_one=True, to_mod=True, x=NOT_M)
    yield Operation("-m", low, LITERAL, 1, plus_one=True, x=RESULT)
    yield Operation("-m * 2^l", low, SHIFT, x=RESULT, times=shape.shifts)
    for square in shape.squares:
        if square.shift:
            steps, power = low + (square.shift < 0), square.shift % shape.digit_bits
            yield Operation("shift", steps, LITERAL, 1 << power, x=RESULT)
        yield Operation("power of 2", square.steps, X, x=RESULT)


def leave(shape: RowShape) -> Iterator[Operation]:
    """Yield what makes x * R the result x mod m.

    The product by 1, but for its last divisions by 2^w, one per low digit, is at most M; these are
    made modulo m, and leave less than 2m. Whether m fits into that is known at the last element,
    and comes back from one to the next.
    """
    way_back, low = 2 * (shape.words - 1), shape.low_digits
    yield Operation("out", shape.steps - low, LITERAL, 1, x=RESULT, to_mod=True)
    yield Operation("last digits", low, SCALE, x=M)
    yield Operation("m again", 1)
    yield Operation("out of 2^w", 2 * low, LOW, plus_mod=True, x=NOT_M, to_mod=True)
    yield Operation("-m again", 1)
    yield Operation("less m", low, LITERAL, 1, plus_one=True, plus_mod=True, x=RESULT)
    yield Operation("fits", way_back)
    yield Operation("result", low, FITS, x=RESULT)
    yield Operation("all words", shape.words - 1)


def _kept(shape: RowShape, entry: int) -> Iterator[Operation]:
    """Yield what finds M' and R^2, as an entry of the table; x is then the base.

    The last two are all that a request of the same modulus needs: the way out has overwritten M'.
    """
    *constants, last = finding(shape)
    yield from (*constants, replace(last, to_table=entry))
    yield Operation("m for M'", 1, x=M)
    yield Operation("M' again", 2 * shape.low_digits, SCALE, plus_one=True, to_mod=True, x=BASE)


def _program(
    shape: RowShape, powers: int, enter: Iterable[Operation], again: int | None
) -> Program:
    """Make the program of operations, all in the stages of the shape."""
    first, last = (
        tuple(replace(operation, stages=shape.stages) for operation in operations)
        for operations in (enter, leave(shape))
    )
    return Program(shape, powers, first, last, again)


def binary(shape: RowShape, keeps: bool = False) -> Program:
    """List what an exponentiation does that begins with the base at the highest bit."""
    enter = list(_kept(shape, 1) if keeps else finding(shape))
    again = len(enter) - 2 if keeps else None
    entry = 1 if keeps else 0
    enter.append(Operation("base", shape.steps, TABLE, entry=entry, x=RESULT, to_table=0))
    # meanwhile leading zeros of the exponent leave
    zeros = skipping_cycles(shape.nbits) if keeps else shape.nbits - 1
    program = _program(shape, 1, enter, again)
    missing = zeros + 2 - sum(operation.cycles for operation in program.enter[again or 0 :])
    if missing > 0:
        enter.insert(again or 0, Operation("leading zeros", max(missing - pause(shape.stages), 1)))
    return _program(shape, 1, enter, again)


def windows(shape: RowShape, bits: int, keeps: bool = False) -> Program:
    """List what an exponentiation does that multiplies by a power of the base per window of bits.

    R^2 is in the table's entry 0 until that is R mod M, the power 0; if it is kept, in an entry of
    its own. No digit is asked for of an entry that is being taken: the power 2 is a square of x.
    """
    powers = 1 << bits
    steps = shape.steps
    base, r_squared = (powers, powers) if keeps else (1, 0)  # whose digits
    if keeps:
        constants = list(_kept(shape, r_squared))
    else:
        *others, last = finding(shape)
        constants = [*others, replace(last, to_table=r_squared)]
    enter = (
        *constants,
        Operation("power 1", steps, TABLE, entry=base, x=RESULT, to_table=1),
        *(
            Operation(f"power {i}", steps, X if i == 2 else TABLE, entry=1, x=RESULT, to_table=i)
            for i in range(2, powers)
        ),
        Operation("one", shape.low_digits, plus_one=True, x=RESULT),
        Operation("power 0", steps, TABLE, entry=r_squared, x=RESULT, to_table=0),
        Operation("power 0 stands", 1),
    )
    again = len(constants) - 2 if keeps else None
    return _program(shape, powers, enter, again)
