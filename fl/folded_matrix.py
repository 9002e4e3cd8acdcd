"""Partial products of a modular multiplier or squarer, folded below column n (document 000, 2.2.1).

A matrix is columns of dots; a dot is one bit of a run (Segment), so that hardware is wired by
runs. A dot of weight 2^n or more is replaced by the signed bits of its residue; a negative bit
-x*2^c is ~x*2^c - 2^c, and the matrix keeps the sum of those corrections as a constant.

Where a residue needs bit n of an operand (2^n+k), bit n excludes the bits of k - 1's length and
above. Products that are never 1 together share a dot: 2^n+1 has as many dots as 2^n-1.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from fl.modulus import Digit, Modulus

PRODUCT, STAY, CARRY, CARRY_2 = "product", "stay", "carry", "carry_2"


@dataclass(frozen=True)
class Diagonal:
    """Holds products a_i*b_j, i + j = total: dot t has i = first + t, dot 0 also those `merged`."""

    weight: int
    total: int
    first: int
    length: int
    merged: tuple[tuple[int, int], ...] = ()

    @property
    def dots(self) -> int:
        """Return how many dots the diagonal makes."""
        return max(self.length, 1)

    def pairs(self) -> Iterator[tuple[tuple[int, int], ...]]:
        """Yield for each dot the (i, j) of the products that it is the or of."""
        for t in range(self.dots):
            own = ((self.first + t, self.total - self.first - t),) if self.length else ()
            yield own + (self.merged if t == 0 else ())


@dataclass(frozen=True)
class Segment:
    """Names a run of dots that an output of one column (or a diagonal) makes, perhaps inverted."""

    source: int
    output: str
    count: int
    inverted: bool = False


@dataclass(frozen=True)
class Matrix:
    """Holds a number modulo the modulus: constant + sum of dots * 2^column, the sum <= limit."""

    modulus: Modulus
    columns: tuple[tuple[Segment, ...], ...]
    limit: int
    constant: int = 0

    @property
    def heights(self) -> tuple[int, ...]:
        """Return how many dots each column has."""
        return tuple(sum(run.count for run in column) for column in self.columns)

    @property
    def height(self) -> int:
        """Return how many dots the highest column has."""
        return max(self.heights)

    @property
    def dots(self) -> int:
        """Return how many dots there are in all."""
        return sum(self.heights)


class MatrixBuilder:
    """Puts runs of dots of any weight into the columns of a new matrix.

    With folds, dots of column n and above are folded; otherwise the sum of all dots must be at
    most limit, and dots too heavy for that, which are always 0, are left out.
    """

    def __init__(self, modulus: Modulus, limit: int, constant: int = 0, folds: bool = True) -> None:
        self.modulus, self.limit, self.constant, self.folds = modulus, limit, constant, folds
        columns = modulus.n if folds else max(modulus.n, limit.bit_length())
        self.columns: list[list[Segment]] = [[] for _ in range(columns)]
        self.folded = False

    def add(self, weight: int, source: int, output: str, count: int) -> None:
        """Add a run of dots of this weight, folded if need be."""
        if not count or weight >= self.limit.bit_length():
            return
        if not self.folds:
            self.columns[weight].append(Segment(source, output, count))
            return
        self.folded |= weight >= self.modulus.n
        for digit in self.modulus.fold(weight):
            self.columns[digit.column].append(Segment(source, output, count, digit.negative))
            if digit.negative:
                self.constant += count * digit.value

    def matrix(self) -> Matrix:
        """Return the finished matrix, its constant reduced."""
        columns = tuple(tuple(column) for column in self.columns)
        most = sum(run.count << j for j, column in enumerate(columns) for run in column)
        limit = most if self.folded else min(self.limit, most)
        return Matrix(self.modulus, columns, limit, self.constant % self.modulus.value)


def product_diagonals(modulus: Modulus) -> tuple[Diagonal, ...]:
    """List all products a_i*b_j of two residues."""
    n = modulus.n
    made = [
        Diagonal(total, total, max(0, total - n + 1), min(total, 2 * n - 2 - total) + 1)
        for total in range(2 * n - 1)
    ]
    if modulus.width == n:
        return tuple(made)
    free = (modulus.offset - 1).bit_length()  # bit n excludes this bit and those above it
    for j in range(free):
        made += [Diagonal(n + j, n + j, n, 1), Diagonal(n + j, n + j, j, 1)]
    for j in range(free, n):
        pairs = ((n, j), (j, n))
        if j < n - 1:
            made[n + j] = _merge(made[n + j], pairs)
        else:
            made.append(Diagonal(n + j, n + j, 0, 0, pairs))
    return tuple(_top(made, modulus, free))


def square_diagonals(modulus: Modulus) -> tuple[Diagonal, ...]:
    """List all products a_i*a_j of one residue: a pair once, at double weight; a_i*a_i = a_i."""
    n = modulus.n
    made = [Diagonal(2 * i, 2 * i, i, 1) for i in range(n)]
    for total in range(1, 2 * n - 2):
        first = max(0, total - n + 1)
        made.append(Diagonal(total + 1, total, first, (total + 1) // 2 - first))
    if modulus.width == n:
        return tuple(made)
    free = (modulus.offset - 1).bit_length()
    made += [Diagonal(n + j + 1, n + j, j, 1) for j in range(free)]
    return tuple(_top(made, modulus, free))


def _merge(diagonal: Diagonal, pairs: tuple[tuple[int, int], ...]) -> Diagonal:
    return Diagonal(
        diagonal.weight,
        diagonal.total,
        diagonal.first,
        diagonal.length,
        diagonal.merged + pairs,
    )


def _top(made: list[Diagonal], modulus: Modulus, free: int) -> list[Diagonal]:
    """Add the product of both bits n: to that of both bits 0, if of one weight and exclusive."""
    n = modulus.n
    if free == 0 and modulus.fold(2 * n) == (Digit(0),):
        return [_merge(made[0], ((n, n),)), *made[1:]]
    return [*made, Diagonal(2 * n, 2 * n, n, 1)]


def folded(modulus: Modulus, diagonals: tuple[Diagonal, ...]) -> Matrix:
    """Put the diagonals' dots into columns below n."""
    limit = sum(diagonal.dots << diagonal.weight for diagonal in diagonals)
    builder = MatrixBuilder(modulus, limit)
    for number, diagonal in enumerate(diagonals):
        builder.add(diagonal.weight, number, PRODUCT, diagonal.dots)
    return builder.matrix()
