"""SSMM, shift-sub modular multiplication (document 004, algo 5): the integers.

The document's algo 5 subtracts the modulus where p > m; it must be p >= m, or SSMMul(3, 3, 9)
answers 9. It asks for a, b < m and m odd; neither is needed. With p < m and c <= m every step
holds p + c < 2m and 2c <= 2m, so one subtraction is enough: the multiplicand may be the modulus
itself, the scanned operand may be any number, and the modulus may be even, or 1. That reduces
a base of any size with the same steps, as 1 * base.
"""


def shift_sub_step(product: int, multiplicand: int, bit: int, m: int) -> tuple[int, int]:
    """Return (product + bit*multiplicand mod m, next), next = 2*multiplicand or that less m.

    For 0 <= product < m, 0 <= multiplicand <= m and bit 0 or 1: the new product is below m;
    next = 2*multiplicand mod m, but m for multiplicand = m. next <= m.
    """
    if not 0 <= product < m:
        raise ValueError(f"product must be from 0 to m-1 = {m - 1}, not {product}")
    if not 0 <= multiplicand <= m:
        raise ValueError(f"multiplicand must be from 0 to m = {m}, not {multiplicand}")
    if bit not in (0, 1):
        raise ValueError(f"bit must be 0 or 1, not {bit}")
    total = product + bit * multiplicand
    doubled = 2 * multiplicand
    return (
        total - m if total >= m else total,
        doubled - m if doubled >= m else doubled,
    )


def ssmm(a: int, b: int, m: int) -> int:
    """Return a*b mod m, for 0 <= a <= m, any b >= 0 and m >= 1, in bitlen(b) steps."""
    if m < 1:
        raise ValueError(f"m must be at least 1, not {m}")
    if not 0 <= a <= m:
        raise ValueError(f"a must be from 0 to m = {m}, not {a}")
    if b < 0:
        raise ValueError(f"b must be at least 0, not {b}")
    product, multiplicand = 0, a
    while b:
        product, multiplicand = shift_sub_step(product, multiplicand, b & 1, m)
        b >>= 1
    return product


def reduce(x: int, m: int) -> int:
    """Return x mod m as SSMM(1, x, m), for any x >= 0 and m >= 1: no division."""
    return ssmm(1, x, m)


def ssmm_any(a: int, b: int, m: int) -> int:
    """Return a*b mod m, for any a, b >= 0 and m >= 1: a multiplicand above m is reduced first."""
    if a < 0:
        raise ValueError(f"a must be at least 0, not {a}")
    return ssmm(reduce(a, m) if a > m else a, b, m)


def r_squared(nbits: int, m: int) -> int:
    """Return R^2 mod m for R = 2^nbits, as SSMM(R-m, R-m, m); for R/2 <= m <= R, odd or even."""
    r = 1 << nbits
    if not r <= 2 * m <= 2 * r:
        raise ValueError(f"m must be from 2^{nbits - 1} to 2^{nbits}, not {m}")
    return ssmm(r - m, r - m, m)
