"""What a row that splits does for a power of n bits, and for a private operation by its halves.

A private operation, with c the message (fl/array_split.py: q is the first half's, p the second's):

    x = c * R                      mod q, p   the product of R^3 and all digits of c
    x = c^dq, c^dp                 mod q, p   by windows of the exponents, then out of R
    t = (c^dp - c^dq) * qInv       mod p      Garner
    s = c^dq + q * t               mod n      joined, and below n in the table's entry ANSWER
    s^e - c = 0                    mod n      of that entry; else it does not leave

The check is the last of all: of what is computed nothing comes after it. It finds the constants of
n anew, and shares with what it checks the operands and the answer alone.

Both halves do the same, also where only one of the results is taken. Products divide by powers of
2^w as long as one likes, so that constants are powers of 2 found of R^2, and -1 is m less 1. With D
steps a product divides by R; `divides` says by how many digits others do.

Garner, with r of R = 2^r modulo p and k for the bits of the first half's words:

    u = s_p * -2^-k                           of the table's digits, those of the first half s_q
    t = (s_q + u * 2^k) * -qInv * R^3 / R^3   come first, then those of u
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from fl.array import RowShape
from fl.array_program import (
    BASE,
    CHOSEN,
    FITS,
    LITERAL,
    RESULT,
    TABLE,
    Operation,
    X,
    finding,
    leave,
)
from fl.array_split import SplitShape
from fl.scaled import low_guard_bits

# What x becomes, beside what it does in other rows
MINUS_1, KEY = 5, 6  # m less 1; the first half q, and of halves the second qInv, of the row 0
BOTH, FIRST, SECOND = range(3)  # the half that takes the result
C_COMES = 4  # the step of c's first digit, as it is subtracted
ANSWER = 2  # the table's entry that is a result, below n


@dataclass(frozen=True)
class SplitOperation(Operation):
    """Does the same in the whole row, or split: in each half.

    whole: the digits are those of both halves' words, the first half's first, for both halves.
    soft: the sum goes on into the next operation, after a step more; x may be taken of operands.
    into: which half takes the result. begins: constants are found from here on. judges: the digits
    are to be 0.
    """

    split: bool = False
    whole: bool = False
    soft: bool = False
    into: int = BOTH
    begins: bool = False
    judges: bool = False


def _of(operations: Iterator[Operation], split: bool) -> Iterator[SplitOperation]:
    for one in operations:
        yield SplitOperation(**asdict(one), split=split)


def _keeping(shape: RowShape, split: bool, entry: int) -> tuple[SplitOperation, ...]:
    """List what finds the constants of a modulus, and takes R^2 into an entry.

    A word gives all of its digits of m, also those above a short one, before others are asked for.
    """
    first, *others, last = _of(finding(shape), split)
    least = shape.word_bits // shape.digit_bits
    others = [replace(one, steps=max(one.steps, least)) if one.scans else one for one in others]
    return (replace(first, begins=True), *others, replace(last, to_table=entry))


@dataclass(frozen=True)
class SplitProgram:
    """Lists the operations by what they are for, in the order in which they stand in the control.

    A private operation takes all but `base`: `enter`, products of halves, `recombine`, `constants`,
    `join`, `leave`, and, if it checks, `constants`, `again`, products of the row, `compare`,
    `leave`, `judge`. A power takes `constants`, `base`, products of the row, `leave`.
    """

    shape: SplitShape
    window_bits: int
    checks: bool

    @property
    def entries(self) -> int:
        """Return the entries of the table: powers of a window."""
        return 1 << self.window_bits

    @cached_property
    def enter(self) -> tuple[SplitOperation, ...]:
        """List what finds the constants of p and q, and the powers of the message."""
        return tuple(self._enter())

    def _enter(self) -> Iterator[SplitOperation]:
        yield SplitOperation("c", 1, x=BASE)
        yield SplitOperation("c for power 1", 1, LITERAL, 1, to_table=1)
        yield SplitOperation("row ends", 2 * self.shape.words + 1)
        yield from _keeping(self.shape.half, True, 0)
        yield self._half("R^3", X, x=RESULT)
        yield self._digits_end
        yield self._half("power 1", TABLE, 1, 2 * self._r, x=RESULT, to_table=1, whole=True)
        for i in range(2, self.entries):
            digits = X if i == 2 else TABLE
            yield self._half(f"power {i}", digits, 1, x=RESULT, to_table=i)
        yield SplitOperation("one", 1, plus_one=True, x=RESULT, split=True)
        yield self._half("power 0", TABLE, 0, x=RESULT, to_table=0)
        yield SplitOperation("power 0 stands", 1, split=True)

    @property
    def half_square(self) -> SplitOperation:
        """Return a squaring of the halves."""
        return self._half("square of halves", X, x=RESULT)

    @property
    def half_multiply(self) -> SplitOperation:
        """Return a multiplication of the halves by the entries that their exponents choose."""
        return self._half("multiply halves", CHOSEN, x=RESULT)

    @cached_property
    def recombine(self) -> tuple[SplitOperation, ...]:
        """List what leaves c^dq in the first half's entry 1, and 0 and t in the halves' entry 2."""
        return tuple(self._recombine())

    def _recombine(self) -> Iterator[SplitOperation]:
        minus_1 = SplitOperation("-1", 1, x=MINUS_1, split=True)
        yield self._half("out of R", LITERAL, literal=1, x=RESULT, to_table=1)
        yield from _keeping(self.shape.half, True, 0)
        yield minus_1
        yield self._half("-R / 2^k", TABLE, 0, self._r + self._low, x=RESULT)
        yield self._half("u", TABLE, 1, x=RESULT, to_table=1, into=SECOND)
        yield minus_1
        yield self._half("-R", TABLE, 0, x=RESULT)
        yield self._half("-R^2", TABLE, 0, x=RESULT, to_table=2)
        yield SplitOperation("qInv", 1, x=KEY, split=True)
        # as many times R as there are to be divided by while all digits come
        powers = max(2, -(-(self._low + self._digits + 1) // self._r))
        for i in range(1, powers + 1):
            yield self._half(f"-qInv * R^{i}", TABLE, 2 if i == 1 else 0, x=RESULT)
        yield self._digits_end
        yield self._half("t", TABLE, 1, powers * self._r, x=RESULT, to_table=2, whole=True)
        yield SplitOperation("t alone", 1, to_table=2, into=FIRST, split=True)
        yield SplitOperation("halves end", self.shape.words + 3, split=True)

    @cached_property
    def constants(self) -> tuple[SplitOperation, ...]:
        """List what finds the constants of n; x and entry 3 are then R^2."""
        return _keeping(self.shape.joined, False, 3)

    @cached_property
    def base(self) -> tuple[SplitOperation, ...]:
        """List how the base of a power enters, meanwhile the exponent's leading zeros leave."""
        base = SplitOperation("base", 1, x=BASE)
        enters = self._row("base * R", TABLE, 3, x=RESULT, to_table=1)
        before = sum(operation.cycles for operation in (*self.constants, base, enters))
        missing = self.shape.nbits + 1 - before
        wait = (SplitOperation("leading zeros", missing),) if missing > 0 else ()
        return (*wait, base, enters)

    @cached_property
    def join(self) -> tuple[SplitOperation, ...]:
        """List what makes s of its parts: s * R in x."""
        return tuple(self._join())

    def _join(self) -> Iterator[SplitOperation]:
        r, low, digits = self._row_r, self._low, self._digits
        begins = digits + 1  # the step of t's first digit; before those of t there are 0s
        yield self._row("for c^dq", LITERAL, divides=2 * r - low - begins, literal=1, x=RESULT)
        yield SplitOperation("c^dq", digits, TABLE, entry=1, soft=True, x=KEY)
        yield self._row("c^dq + q * t", TABLE, 2, r + low, x=RESULT)
        yield self._row("s", TABLE, 3, x=RESULT)
        yield self._row("s * R", TABLE, 3, x=RESULT)

    @cached_property
    def again(self) -> tuple[SplitOperation, ...]:
        """List what makes s * R of the answer, in x and entry 1, and c * R in entry 0."""
        return (
            SplitOperation("c", 1, x=BASE),
            self._row("c * R", TABLE, 3, self._row_r + C_COMES, x=RESULT, to_table=0),
            SplitOperation("one", 1, plus_one=True, x=RESULT),
            self._row("R", TABLE, 3, x=RESULT),
            self._row("s again", TABLE, ANSWER, x=RESULT),
            self._row("s * R again", TABLE, 3, x=RESULT, to_table=1),
        )

    @property
    def square(self) -> SplitOperation:
        """Return a squaring of the row."""
        return self._row("square", X, x=RESULT)

    @property
    def multiply(self) -> SplitOperation:
        """Return a multiplication of the row by the base."""
        return self._row("multiply", TABLE, 1, x=RESULT)

    @cached_property
    def compare(self) -> tuple[SplitOperation, ...]:
        """List what makes s^e - c of s^e * R in x."""
        return (
            SplitOperation("s^e", C_COMES - 3, LITERAL, literal=1, soft=True, x=MINUS_1),
            SplitOperation("x + M' stands", 1, soft=True),
            self._row("s^e - c", TABLE, 0, x=RESULT),
        )

    @cached_property
    def leave(self) -> tuple[SplitOperation, ...]:
        """List what makes x the number below n that it is times R, and the first time the answer.

        FITS is the digit of the operation that does, and of no other.
        """
        return tuple(
            replace(operation, to_table=ANSWER) if operation.digits == FITS else operation
            for operation in _of(leave(self.shape.joined), False)
        )

    @property
    def judge(self) -> SplitOperation:
        """Return what waits for whether the difference is 0."""
        return self._row("is 0", X, judges=True)

    @property
    def power(self) -> tuple[SplitOperation, ...]:
        """List all that a power takes but products of its loop."""
        return (*self.constants, *self.base, *self.leave)

    @property
    def private(self) -> tuple[SplitOperation, ...]:
        """List all that a private operation takes but products of its loops."""
        segments = [self.enter, self.recombine, self.constants, self.join, self.leave]
        if self.checks:
            segments += [self.constants, self.again, self.compare, self.leave, (self.judge,)]
        return tuple(operation for segment in segments for operation in segment)

    @property
    def _r(self) -> int:
        return self.shape.half.steps - 1

    @property
    def _row_r(self) -> int:
        return self.shape.joined.steps - 1

    @property
    def _low(self) -> int:
        """Return the digits of the first half's words."""
        return self.shape.low_bits // self.shape.digit_bits

    @property
    def _digits(self) -> int:
        """Return the digits of a product of halves; the row wants three before it goes on, and all
        of a word but the last, which may come with the first of the next product."""
        half = self.shape.half
        own = -(-(half.nbits + low_guard_bits(half.digit_bits)) // half.digit_bits)
        return max(3, self._turn, own)

    @property
    def _turn(self) -> int:
        """Return the most cycles from a word's first digit to its last."""
        return self.shape.word_bits // self.shape.digit_bits - 1

    @property
    def _digits_end(self) -> SplitOperation:
        """Wait until the words of both halves may be asked for digits in turn."""
        left = self.shape.words * self._turn - self.shape.half.steps
        return SplitOperation("digits end", max(1, left), split=True)

    def _half(
        self, name: str, digits: int, entry: int = 0, divides: int | None = None, **more: Any
    ) -> SplitOperation:
        """Make a product of halves that divides by so many digits, or by R."""
        steps = 1 + (self._r if divides is None else divides)
        return SplitOperation(name, steps, digits, entry=entry, split=True, **more)

    def _row(
        self, name: str, digits: int, entry: int = 0, divides: int | None = None, **more: Any
    ) -> SplitOperation:
        """Make a product of the row that divides by so many digits, or by R."""
        steps = 1 + (self._row_r if divides is None else divides)
        return SplitOperation(name, steps, digits, entry=entry, **more)
