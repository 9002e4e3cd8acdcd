"""Interleaved modular multiplication, left to right (Blakley, 1983): the integers.

A product is built from the highest bit of the scanned operand down: it is doubled, and the
multiplicand is added where the bit is 1. One subtraction reduces either, so that no value is longer
than the modulus. The multiplicand stays as it is, unlike that of fl/ssmm.py, right to left: a unit
needs a register for the product, and none for multiples.
"""


def interleaved_step(product: int, multiplicand: int, bit: int, m: int) -> int:
    """Return 2*product + bit*multiplicand mod m, by two subtractions.

    For 0 <= product < m, 0 <= multiplicand <= m and bit 0 or 1.
    """
    if not 0 <= product < m:
        raise ValueError(f"product must be from 0 to m-1 = {m - 1}, not {product}")
    if not 0 <= multiplicand <= m:
        raise ValueError(f"multiplicand must be from 0 to m = {m}, not {multiplicand}")
    if bit not in (0, 1):
        raise ValueError(f"bit must be 0 or 1, not {bit}")
    doubled = 2 * product
    if doubled >= m:
        doubled -= m
    total = doubled + bit * multiplicand
    return total - m if total >= m else total


def interleaved(a: int, b: int, m: int) -> int:
    """Return a*b mod m, for 0 <= a <= m, b >= 0 and m >= 1; 0 bits at the top change nothing."""
    if m < 1:
        raise ValueError(f"m must be at least 1, not {m}")
    if b < 0:
        raise ValueError(f"b must be at least 0, not {b}")
    product = 0
    for i in reversed(range(b.bit_length())):
        product = interleaved_step(product, a, b >> i & 1, m)
    return product
