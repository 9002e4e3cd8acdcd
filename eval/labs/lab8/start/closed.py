"""Closes the leaks of time and power in software, as a driver does. Two gaps are marked."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple


class Key(NamedTuple):
    """An RSA key: n = p * q, and e * d = 1 modulo (p - 1) * (q - 1)."""

    n: int
    e: int
    d: int
    p: int
    q: int


def power(base: int, exp: int, nbits: int, multiply: Callable[[int, int], int]) -> int:
    """Return base^exp by `multiply` alone, which makes a modular product. The products are the
    same, squares and others, for every exponent of at most nbits bits."""
    # GAP 4: here a 1 costs a product more than a 0, and a short exponent is ready sooner.
    result = 1
    for i in reversed(range(exp.bit_length())):
        result = multiply(result, result)
        if exp >> i & 1:
            result = multiply(result, base)
    return result


def blinded(base: int, exp: int, key: Key, rng: Random) -> tuple[int, int, int]:
    """Return another base, another exponent and a factor, drawn anew by each call, so that
    factor * base'^exp' = base^exp modulo n, for base < n and exp = d."""
    # GAP 5: blind the base by r^e, r without a factor of n, and the exponent by a multiple.
    return base, exp, 1
