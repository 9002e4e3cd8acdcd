"""R^2 mod m for R = 2^r, as the documents and the hardware find it, in integers."""

from collections.abc import Callable

from fl.mont_mul import check_odd, check_range, mm_mul
from fl.mul_rem import mod_mul
from fl.r_squared import first_power


def r_squared_by_remainder(m: int, r: int) -> int:
    """Return 2^(2r) mod m by a division, for m >= 1 (001)."""
    return (1 << 2 * r) % m


def r_squared_by_product(m: int, r: int, mul: Callable[[int, int, int], int] = mod_mul) -> int:
    """Return mul(R - m, R - m, m), for m <= R (004); mul(a, b, m) = a*b mod m, b below m.

    Where R - m is not below m, which 004 forgets, it is reduced first: mul(R - m, 1, m).
    """
    rest = (1 << r) - m
    if rest >= m:
        rest = mul(rest, 1 % m, m)
    return mul(rest, rest, m)


def double_mod(t: int, m: int) -> int:
    """Return 2t mod m, for t < m."""
    return 2 * t - m if 2 * t >= m else 2 * t


def r_squared_by_doubling(
    m: int,
    r: int,
    nbits: int,
    squarings: int,
    mul: Callable[[int, int, int], int] | None = None,
) -> int:
    """Return 2^(2r) mod m by doublings and Montgomery squarings, for odd m < 2^nbits, nbits <= r.

    From 2^(r + (r >> squarings)), reached by doublings alone, each squaring x -> x*x/R doubles
    what stands after r; a doubling follows where the next bit of r is 1. mul defaults to mm_mul.
    """
    check_odd(m)
    check_range("m", m, 1 << nbits, f"2^{nbits}")
    t, power = first_power(nbits, m)
    for _ in range(r + (r >> squarings) - power):
        t = double_mod(t, m)
    for i in reversed(range(squarings)):
        t = mul(t, t, m) if mul else mm_mul(t, t, m, r)
        if r >> i & 1:
            t = double_mod(t, m)
    return t
