"""Schedules: in which order an exponentiator makes base^exp of modular products.

A schedule is rounds of products that do not wait for each other. Two values are worked on, by
name: `power`, which begins as the base, and `result`; with windows also a table of powers. From the
rounds come what a schedule computes (`run`), how many products it takes (`counts`), and in cl when
an exponentiator answers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from fl.mul_rem import mod_mul

POWER, RESULT, NOWHERE = "power", "result", "nowhere"
MOST_WINDOW_BITS = 6


def power_name(i: int) -> str:
    """Return the name of the base's power i in a table; the base itself is `power`."""
    return POWER if i == 1 else f"{POWER} {i}"


@dataclass(frozen=True)
class Product:
    """Makes a product: into = a * b; into NOWHERE, it is made for the sake of time alone."""

    into: str
    a: str
    b: str

    @property
    def squares(self) -> bool:
        """Return whether a value is multiplied by itself."""
        return self.a == self.b


Round = tuple[Product, ...]


@dataclass(frozen=True)
class Counts:
    """Counts the products of a run: of a value by itself, and of two values."""

    squarings: int
    multiplications: int

    @property
    def total(self) -> int:
        """Return how many products there are in all."""
        return self.squarings + self.multiplications


@dataclass(frozen=True)
class Schedule:
    """Orders products: rounds(exp, nbits), for an exponent >= 1 of at most nbits.

    text: the schedule in words. constant: the rounds are the same for every exponent.
    first: what the result begins as: "one", or "power" where the highest bit costs nothing.
    from_top: the highest bit is served first; the result is squared.
    ladder: two products at every bit, side by side, of which both go on.
    window_bits: how many bits of the exponent choose a power of a table; 0 if there is none.
    """

    name: str
    text: str
    constant: bool
    first: str
    rounds: Callable[[int, int], Iterator[Round]]
    from_top: bool = False
    window_bits: int = 0
    ladder: bool = False

    def run(
        self,
        base: int,
        exp: int,
        mod: int,
        nbits: int,
        mul: Callable[[int, int, int], int] = mod_mul,
    ) -> int:
        """Return base^exp mod mod of so many bits, for any base; mul(a, b, m) = a*b mod m."""
        one = 1 % mod
        if exp == 0:
            return one
        values = {POWER: base, RESULT: one if self.first == "one" else base, power_name(0): one}
        for products in self.rounds(exp, nbits):
            values |= {p.into: mul(values[p.a], values[p.b], mod) for p in products}
        return values[RESULT] % mod

    @property
    def in_turn(self) -> bool:
        """Return whether each product waits for the one before."""
        return self.from_top and not self.ladder

    @property
    def from_one(self) -> bool:
        """Return whether a result that is squared begins as 1: in a domain, as R."""
        return self.from_top and self.first == "one"

    def entry(self, name: str) -> int:
        """Return which entry of the table has that name; without windows the base is alone."""
        entries = range(1 << self.window_bits) if self.window_bits else [1]
        return [power_name(i) for i in entries].index(name)

    def counts(self, exp: int, nbits: int) -> Counts:
        """Count the products for an exponent of at most nbits; only a constant schedule takes 0."""
        made = [p.squares for products in self.rounds(exp, nbits) for p in products]
        return Counts(sum(made), len(made) - sum(made))


SQUARE_POWER = Product(POWER, POWER, POWER)
SQUARE_RESULT = Product(RESULT, RESULT, RESULT)
MULTIPLY = Product(RESULT, RESULT, POWER)
MULTIPLY_IN_VAIN = Product(NOWHERE, RESULT, POWER)
NEXT_POWER = Product(POWER, RESULT, POWER)


def _right_to_left(exp: int, nbits: int) -> Iterator[Round]:
    while exp > 1:
        yield (MULTIPLY, SQUARE_POWER) if exp & 1 else (SQUARE_POWER,)
        exp >>= 1
    yield (MULTIPLY,)  # the square of the highest bit's power serves nobody


def _always(exp: int, nbits: int) -> Iterator[Round]:
    for i in range(nbits):
        multiply = MULTIPLY if exp >> i & 1 else MULTIPLY_IN_VAIN
        yield (multiply, SQUARE_POWER) if i + 1 < nbits else (multiply,)


def _left_to_right(exp: int, nbits: int) -> Iterator[Round]:
    for i in reversed(range(exp.bit_length() - 1)):
        yield (SQUARE_RESULT,)
        if exp >> i & 1:
            yield (MULTIPLY,)


def _left_to_right_always(exp: int, nbits: int) -> Iterator[Round]:
    for i in reversed(range(nbits)):
        yield (SQUARE_RESULT,)
        yield (MULTIPLY if exp >> i & 1 else MULTIPLY_IN_VAIN,)


def _ladder(exp: int, nbits: int) -> Iterator[Round]:
    """Keep power = result * base all the way: a bit decides which of them is squared."""
    for i in reversed(range(nbits)):
        yield (MULTIPLY, SQUARE_POWER) if exp >> i & 1 else (NEXT_POWER, SQUARE_RESULT)


def _windows(window_bits: int, exp: int, nbits: int) -> Iterator[Round]:
    for i in range(2, 1 << window_bits):
        yield (Product(power_name(i), power_name(i - 1), POWER),)
    count = -(-nbits // window_bits)
    for i in reversed(range(count)):
        if i + 1 < count:
            yield from [(SQUARE_RESULT,)] * window_bits
        window = exp >> i * window_bits & (1 << window_bits) - 1
        yield (Product(RESULT, RESULT, power_name(window)),)


@cache
def windows(bits: int) -> Schedule:
    """Return the left-to-right schedule that multiplies per window of so many bits, always."""
    if not 1 <= bits <= MOST_WINDOW_BITS:
        raise ValueError(f"a window has 1 to {MOST_WINDOW_BITS} bits, not {bits}")
    return Schedule(
        f"windows-{bits}",
        f"left-to-right, windows of {bits} bit{'s' * (bits > 1)},",
        True,
        "one",
        partial(_windows, bits),
        True,
        bits,
    )


RIGHT_TO_LEFT = Schedule(
    "right-to-left", "right-to-left, square and multiply", False, "one", _right_to_left
)
RIGHT_TO_LEFT_ALWAYS = Schedule("always", "right-to-left, always multiply,", True, "one", _always)
LEFT_TO_RIGHT = Schedule("left-to-right", "left-to-right,", False, "power", _left_to_right, True)
LEFT_TO_RIGHT_ALWAYS = Schedule(
    "left-to-right-always",
    "left-to-right, always multiply,",
    True,
    "one",
    _left_to_right_always,
    True,
)
LADDER = Schedule("ladder", "Montgomery ladder,", True, "one", _ladder, True, ladder=True)
SCHEDULES = {
    s.name: s
    for s in (
        RIGHT_TO_LEFT,
        RIGHT_TO_LEFT_ALWAYS,
        LEFT_TO_RIGHT,
        LEFT_TO_RIGHT_ALWAYS,
        LADDER,
        *(windows(bits) for bits in range(1, MOST_WINDOW_BITS + 1)),
    )
}
