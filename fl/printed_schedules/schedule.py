"""What a schedule is: a run, built from calls of one multiplication, and their exact number."""

from collections.abc import Callable
from dataclasses import dataclass

from fl.mul_rem import mod_mul
from fl.schedule import Counts

Mul = Callable[[int, int, int], int]  # mul(a, b, m) = a*b mod m, for any a, b >= 0


@dataclass(frozen=True)
class Schedule:
    """A schedule; `constant` means the same calls for all exponents of one length.

    `steps(base, exp, mod, one, mul)` is handed one = 1 mod m and checked operands;
    `counts(exp)` is the number of its calls of mul, found without making them.
    """

    name: str
    title: str
    source: str
    constant: bool
    steps: Callable[[int, int, int, int, Mul], int]
    counts: Callable[[int], Counts]

    def run(self, base: int, exp: int, mod: int, mul: Mul = mod_mul) -> int:
        """base^exp mod mod, for any base, exp >= 0 and mod >= 1."""
        if base < 0:
            raise ValueError(f"base must be at least 0, not {base}")
        if exp < 0:
            raise ValueError(f"exp must be at least 0, not {exp}")
        if mod < 1:
            raise ValueError(f"mod must be at least 1, not {mod}")
        # The only value that is not a product. Starting from it, and not from base,
        # makes exp = 0 and base >= mod ordinary operands.
        one = 0 if mod == 1 else 1
        return self.steps(base, exp, mod, one, mul)
