"""Schedules: in which order an exponentiator makes base^exp of modular products.

A schedule is rounds of products that do not wait for each other. Two values are worked on, by
name: `power`, which begins as the base, and `result`. From the rounds come what a schedule computes
(`run`), how many products it takes (`counts`), and in cl when an exponentiator answers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fl.mul_rem import mod_mul

POWER, RESULT, NOWHERE = "power", "result", "nowhere"


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
    in_turn: each product waits for the one before.
    """

    name: str
    text: str
    constant: bool
    first: str
    rounds: Callable[[int, int], Iterator[Round]]
    in_turn: bool = False

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
        values = {POWER: base, RESULT: one if self.first == "one" else base}
        for products in self.rounds(exp, nbits):
            values |= {p.into: mul(values[p.a], values[p.b], mod) for p in products}
        return values[RESULT] % mod

    def counts(self, exp: int, nbits: int) -> Counts:
        """Count the products for an exponent of at most nbits; only a constant schedule takes 0."""
        made = [p.squares for products in self.rounds(exp, nbits) for p in products]
        return Counts(sum(made), len(made) - sum(made))


SQUARE_POWER = Product(POWER, POWER, POWER)
SQUARE_RESULT = Product(RESULT, RESULT, RESULT)
MULTIPLY = Product(RESULT, RESULT, POWER)
MULTIPLY_IN_VAIN = Product(NOWHERE, RESULT, POWER)


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
SCHEDULES = {
    s.name: s for s in (RIGHT_TO_LEFT, RIGHT_TO_LEFT_ALWAYS, LEFT_TO_RIGHT, LEFT_TO_RIGHT_ALWAYS)
}
