"""A modular multiplier or squarer as a compression tree: its structure, and what it computes.

Document 000, section 2.2.1 (CM). The structure is the one that rtl/mul/tree_mul.py wires up; here
it is evaluated bit by bit, on many operands at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fl.compression import Placement, Stage, compress
from fl.folded_matrix import (
    CARRY,
    CARRY_2,
    PRODUCT,
    STAY,
    Diagonal,
    Matrix,
    folded,
    product_diagonals,
    square_diagonals,
)
from fl.modular_sum import ModularSum
from fl.modulus import Modulus

Columns = list[list[int]]


@dataclass(frozen=True)
class Tree:
    """r = a*b mod modulus (a*a for a squarer), for residues a and b."""

    modulus: Modulus
    order: str = "document"
    adder: str = "brent-kung"
    square: bool = False

    @property
    def operand_bits(self) -> int:
        """Return how wide a and b are."""
        return self.modulus.width

    @cached_property
    def diagonals(self) -> tuple[Diagonal, ...]:
        """Return the products of operand bits."""
        make = square_diagonals if self.square else product_diagonals
        return make(self.modulus)

    @cached_property
    def matrix(self) -> Matrix:
        """Return those products' dots, all below column n."""
        return folded(self.modulus, self.diagonals)

    @cached_property
    def _compressed(self) -> tuple[tuple[Stage, ...], Matrix]:
        return compress(self.matrix, self.order)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Return every matrix of more than two rows, with its compressors."""
        return self._compressed[0]

    @property
    def rows(self) -> Matrix:
        """Return the matrix of at most two rows at the end."""
        return self._compressed[1]

    @property
    def matrices(self) -> tuple[Matrix, ...]:
        """Return all matrices, from the products to the two rows."""
        return (*(stage.matrix for stage in self.stages), self.rows)

    @property
    def all_ones_excluded(self) -> bool:
        """Return whether both rows are never all ones, as under 2^n-1.

        If every carry came back at once: a half adder or 5:3 compressor has no output of ones
        only, a full adder only from ones, so that all products would be ones, and a = b = m, which
        is no residue.
        """
        return self.modulus.offset == -1 and all(stage.folds for stage in self.stages)

    @cached_property
    def sum(self) -> ModularSum:
        """Return the adder of the two rows."""
        return ModularSum(
            self.modulus,
            len(self.rows.columns),
            self.rows.limit,
            self.rows.constant,
            self.all_ones_excluded,
            self.adder,
        )

    def value(self, a: int, b: int) -> int:
        """Return r of one pair of residues."""
        bits = range(self.modulus.width)
        r = self.evaluate([a >> i & 1 for i in bits], [b >> i & 1 for i in bits], 1)
        return sum(bit << i for i, bit in enumerate(r))

    def evaluate(self, a: Sequence[int], b: Sequence[int], ones: int) -> list[int]:
        """Return the bits of r, integers that hold one bit per case each, `ones` all of them."""
        columns = gather(self.matrix, {PRODUCT: [_products(d, a, b) for d in self.diagonals]}, ones)
        for stage in self.stages:
            columns = gather(stage.after(), _outputs(stage, columns), ones)
        x, y = ([dots[k] if k < len(dots) else 0 for dots in columns] for k in range(2))
        return self.sum.evaluate(x, y, ones)


def gather(matrix: Matrix, outputs: dict[str, Columns], ones: int) -> Columns:
    """Put the dots into every column, from the runs that its segments name."""
    return [
        [
            dot ^ ones if run.inverted else dot
            for run in column
            for dot in outputs[run.output][run.source]
        ]
        for column in matrix.columns
    ]


def _products(diagonal: Diagonal, a: Sequence[int], b: Sequence[int]) -> list[int]:
    made = []
    for pairs in diagonal.pairs():
        dot = 0
        for i, j in pairs:
            dot |= a[i] & b[j]
        made.append(dot)
    return made


def _outputs(stage: Stage, columns: Columns) -> dict[str, Columns]:
    made = [_compress(*pair) for pair in zip(columns, stage.placements, strict=True)]
    return dict(zip((STAY, CARRY, CARRY_2), map(list, zip(*made, strict=True)), strict=True))


def _compress(dots: list[int], put: Placement) -> tuple[list[int], list[int], list[int]]:
    """Return what stays in the column, and what goes one and two columns up."""
    stay, carry, carry_2 = dots[put.taken :], [], []
    fives, fulls = put.five_three, put.full
    at = 5 * fives
    for k in range(fives):
        v, w, x, y, z = dots[k:at:fives]
        first, low = full_adder(v, w, x)
        second, total = full_adder(low, y, z)
        stay.append(total)
        carry.append(first ^ second)
        carry_2.append(first & second)
    for k in range(fulls):
        high, low = full_adder(*dots[at + k : at + 3 * fulls : fulls])
        stay.append(low)
        carry.append(high)
    at += 3 * fulls
    for k in range(put.half):
        x, y = dots[at + k : at + 2 * put.half : put.half]
        stay.append(x ^ y)
        carry.append(x & y)
    return stay, carry, carry_2


def full_adder(x: int, y: int, z: int) -> tuple[int, int]:
    """Return (carry, sum) of three bits."""
    half = x ^ y
    return x & y | z & half, half ^ z
