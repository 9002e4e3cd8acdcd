"""The reduction of one number modulo 2^n + offset as a compression tree (document 000, 5.1).

Its dots are the number's bits, folded below column n; stages and the adder at the end are those of
a multiplier's tree (fl/tree_mul.py).
"""

from dataclasses import dataclass
from functools import cached_property

from fl.folded_matrix import Diagonal
from fl.tree_mul import Tree


@dataclass(frozen=True)
class ReductionTree(Tree):
    """r = value mod modulus, for any value of so many bits, at least those of a residue."""

    value_bits: int = 32

    def __post_init__(self) -> None:
        if self.value_bits < self.modulus.width:
            raise ValueError(f"value_bits must be at least {self.modulus.width}, a residue's bits")

    @property
    def operand_bits(self) -> int:
        """Return how wide the value is, which stands for both operands."""
        return self.value_bits

    @cached_property
    def diagonals(self) -> tuple[Diagonal, ...]:
        """Return the bits of the value, each the product of itself by itself."""
        return tuple(Diagonal(i, 2 * i, i, 1) for i in range(self.value_bits))

    @property
    def all_ones_excluded(self) -> bool:
        """Return that nothing is excluded: the value may be any, also all ones."""
        return False

    def reduce(self, value: int) -> int:
        """Return r."""
        bits = [value >> i & 1 for i in range(self.value_bits)]
        return sum(bit << i for i, bit in enumerate(self.evaluate(bits, bits, 1)))
