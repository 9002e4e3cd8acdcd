"""The row of elements modulo a random multiple of m, with a random multiple of m added to the base.

Each c = c0 + 2^w r with c0 = -1/m mod 2^w does for M = c*m (fl/array.py). With r random, the same
request passes other values each time: M' = (c0*m + 1) / 2^w is found as in every row, and r*m is
added to it, as s*m is to the base, w - 1 bits at a time, between which m is shifted up. R^2 is a
power of 2 less a multiple of m, which depends on M; so is the power 0.

A value is up to 2^(w + bits) times m. The way out therefore ends with more divisions by 2^w modulo
m: one per digit of r, and one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fl.array import RowShape
from fl.array_program import BASE, KEEP, LITERAL, NOT_M, RESULT, TABLE, M, Operation, Program, X
from fl.array_program import finding as finding_plainly
from fl.array_program import leave as leave_plainly

# Besides those of fl/array_program.py: the first digit is random, but only bits that are set in
# `literal`; or there is none, and x takes the entry that share 1 says.
RANDOM, LOAD = range(9, 11)
HERE, THERE = -1, -2  # in place of an entry that is taken: what share 0 says, or the other one
MOST_RANDOM_BITS = 64


@dataclass(frozen=True)
class BlindedProgram(Program):
    """Lists the operations for requests of nbits, in a row that has room for random multiples.

    loop: what is repeated, and where in it another round begins with a square or a product. After
    an operation in `decides` the order of the exponent's bits says what follows.
    """

    nbits: int = 0
    random_bits: int = 0
    loop: tuple[Operation, ...] = ()
    decides: tuple[int, ...] = ()
    square_at: int = 0
    multiply_at: int = 0

    @property
    def base(self) -> int | None:
        """Return that x takes the base, by an order."""
        return None


def blinded_shape(nbits: int, digit_bits: int, word_bits: int, random_bits: int) -> RowShape:
    """Return the sizes of a row for m times a number of so many bits, and one like it added."""
    wider = random_bits + 1 if random_bits else 0
    return RowShape(nbits + wider, digit_bits, word_bits)


def plus_random(name: str, shape: RowShape, bits: int, entry: int | None) -> Iterator[Operation]:
    """Yield what adds a random multiple of m, of so many bits, to M'; x is m, and does not stay.

    entry: of the table, which takes the sum, too.
    """
    turn = shape.shift_bits
    for at in range(0, bits, turn):
        literal = (1 << min(turn, bits - at)) - 1
        last = at + turn >= bits
        if at:
            yield Operation("m up", 1, LITERAL, 1 << turn, x=RESULT)
        yield Operation("m and sum stand", 1)
        to_table = entry if last else None
        yield Operation(
            f"{name} + r m", 1, RANDOM, literal, plus_mod=True, to_mod=True, to_table=to_table
        )


def base_of(shape: RowShape, random_bits: int, entry: int) -> Iterator[Operation]:
    """Yield what makes an entry of the table the base, plus a random multiple of m."""
    yield Operation("base", 1, x=BASE)
    to_table = None if random_bits else entry
    yield Operation("base for M'", 1, LITERAL, 1, x=M, to_mod=True, to_table=to_table)
    yield from plus_random("base", shape, random_bits, entry)


def finding(shape: RowShape, random_bits: int) -> Iterator[Operation]:
    """Yield what finds M' of a random multiple of m, and R^2; x is then R^2."""
    m, stands, length, multiple, *squares = finding_plainly(shape)
    yield from (m, stands, length, replace(multiple, x=KEEP))
    yield from plus_random("M'", shape, random_bits, None)
    yield Operation("not m", 1, x=NOT_M)
    yield from squares


def leave(shape: RowShape, random_bits: int) -> Iterator[Operation]:
    """Yield what makes x * R the result x mod m: a division by 2^w modulo m more per digit of r."""
    out, digit, stands, division, *others = leave_plainly(shape)
    more = random_bits // shape.digit_bits + 1 if random_bits else 0
    yield replace(out, steps=out.steps - more)
    for _ in range(more):
        yield from (digit, stands, replace(division, x=RESULT))
    yield from (digit, stands, division, *others)


def blinded(
    nbits: int, digit_bits: int, word_bits: int, random_bits: int, window_bits: int
) -> BlindedProgram:
    """List what an exponentiation by windows does (fl/array_program.py), blinded."""
    shape = blinded_shape(nbits, digit_bits, word_bits, random_bits)
    powers, steps = 1 << window_bits, shape.steps
    *others, last = finding(shape, random_bits)
    enter = (
        *base_of(shape, random_bits, 1),
        *others,
        replace(last, to_table=0),
        Operation("power 1", steps, TABLE, entry=1, x=RESULT, to_table=1),
        *(
            Operation(f"power {i}", steps, X if i == 2 else TABLE, entry=1, x=RESULT, to_table=i)
            for i in range(2, powers)
        ),
        Operation("one", 1, plus_one=True, x=RESULT),
        Operation("power 0", steps, TABLE, entry=0, x=RESULT, to_table=0),
        Operation("power 0 stands", 1),
    )
    program = BlindedProgram(
        shape, powers, enter, tuple(leave(shape, random_bits)), None, nbits, random_bits
    )
    loop = (program.square, program.multiply)
    return replace(program, loop=loop, decides=(0, 1), multiply_at=1)
