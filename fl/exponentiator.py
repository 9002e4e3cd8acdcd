"""Modular exponentiation: the integers of every exponentiator."""

from collections.abc import Callable

OK, BAD_MODULUS = 0, 1  # the status of a result
FAULT = 2  # that of a private operation whose check fails


def mod_exp(
    base: int, exp: int, mod: int, takes: Callable[[int], bool] = lambda mod: mod >= 1
) -> tuple[int, int]:
    """Return (base^exp mod mod, OK), or (0, BAD_MODULUS) for a modulus that is not taken."""
    if not takes(mod):
        return 0, BAD_MODULUS
    return pow(base, exp, mod), OK
