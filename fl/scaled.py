"""Multiplication modulo c*m instead of m, for any m: a multiple whose reduction is easy.

What document 000's pseudo-modulus becomes where m is given, not chosen (there c*m = 2^N -+ 1).

Low digits: c = -m^-1 mod 2^w. Then c*m = -1 mod 2^w, Montgomery's quotient digit is the low digit
itself, and (s + digit*c*m) / 2^w = (s >> w) + digit * K with K = (c*m + 1) / 2^w, m odd.
High digits: N = n+w+3, c = floor(2^N / m). Then c*m = 2^N - K with K < m, and what stands above
2^N comes back times K: fl/fold_mul.py, without Montgomery's domain, for any m.

Either K is a power of two modulo m: 2^-w or 2^N. It is found once for all products under m.
"""

from fl.fold_mul import fold_product
from fl.mont_mul import add_red, check_odd, check_range


def low_constant(m: int, digit_bits: int) -> int:
    """Return (c*m + 1) / 2^w for c = -m^-1 mod 2^w, by w AddRed steps: from 1 to m, for odd m."""
    check_odd(m)
    constant = 1
    for _ in range(digit_bits):
        constant = add_red(constant, 0, 0, m)
    return constant


def low_guard_bits(digit_bits: int) -> int:
    """Return by how many bits values may pass m: they stand below m * 2^(w+1)."""
    return digit_bits + 1


def low_radix(nbits: int, digit_bits: int) -> int:
    """Return r of R = 2^r, whole digits: products need no subtraction for R >= 2^(n+w+2)."""
    return -(-(nbits + digit_bits + 2) // digit_bits) * digit_bits


def low_product(a: int, b: int, constant: int, nbits: int, digit_bits: int) -> int:
    """Return a*b/R mod m, not reduced, for low_constant(m) and n-bit m; from a's lowest digit up.

    It stands below m * 2^(w+1) if a and b do, or if one does and the other has n bits: it is
    (a*b + q*c*m) / R with q < R, and R >= 2^(n+w+2). A sum stands below 2^(n+2w+2). Each
    quotient digit is taken from the sum before a digit of a is added, so that it is known when
    the cycle begins (Orup); a last digit of 0 ends the delay.
    """
    width = nbits + low_guard_bits(digit_bits)
    check_range("a", a, 1 << width, f"2^{width}")
    check_range("b", b, 1 << width, f"2^{width}")
    mask = (1 << digit_bits) - 1
    s = 0
    for i in range(low_radix(nbits, digit_bits) // digit_bits + 1):
        s = (s >> digit_bits) + (s & mask) * constant + (a >> i * digit_bits & mask) * b
    return s


def high_top(nbits: int, digit_bits: int) -> int:
    """Return N of c*m = 2^N - K."""
    return nbits + digit_bits + 3


def high_guard_bits(digit_bits: int) -> int:
    """Return by how many bits values may pass n bits: they stand below 2^(N+1)."""
    return digit_bits + 4


def high_constant(m: int, nbits: int, digit_bits: int) -> int:
    """Return K = 2^N mod m, for m >= 1."""
    return (1 << high_top(nbits, digit_bits)) % m


def high_product(a: int, b: int, constant: int, nbits: int, digit_bits: int) -> int:
    """Return a*b mod m, not reduced: below 2^(N+1) if a and b are, for K and n-bit m."""
    width = nbits + high_guard_bits(digit_bits)
    top = high_top(nbits, digit_bits)
    return fold_product(a, b, constant, top, width, digit_bits)
