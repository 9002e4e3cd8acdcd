"""Modular exponentiation: the integers of every exponentiator."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self

OK, BAD_MODULUS = 0, 1  # the status of a result


def mod_exp(
    base: int, exp: int, mod: int, takes: Callable[[int], bool] = lambda mod: mod >= 1
) -> tuple[int, int]:
    """Return (base^exp mod mod, OK), or (0, BAD_MODULUS) for a modulus that is not taken."""
    if not takes(mod):
        return 0, BAD_MODULUS
    return pow(base, exp, mod), OK


@dataclass(frozen=True)
class Plain:
    """Exponentiates, and keeps nothing from one request to the next."""

    nbits: int
    compute: Callable[[int, int, int], tuple[int, int]] = mod_exp
    kept: ClassVar[int | None] = None

    def value(self, base: int, exp: int, mod: int) -> tuple[int, int]:
        """Return result and status."""
        return self.compute(base, exp, mod)

    def after(self, base: int, exp: int, mod: int) -> Self:
        """Return it as it is."""
        return self

    def renewed(self) -> Self:
        """Return it as it is."""
        return self
