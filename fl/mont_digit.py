"""Montgomery's product a digit at a time: radix 2^w, quotient digits by -m^-1 mod 2^w.

The usual multiplier of that radix (document 002's, without its array), to compare scaling with.
"""

from fl.mont_mul import check_range, minus_inverse, mont_radix


def mont_digit_product(a: int, b: int, m: int, nbits: int, digit_bits: int) -> int:
    """Return a product below 2m: a*b/R mod m, for odd n-bit m, b < 2m and a < 2^(n+1), R >= 4m.

    The integer is that of mm_mul_no_subtraction, whose quotient digits come w at a time here.
    """
    check_range("a", a, 2 << nbits, f"2^{nbits + 1}")
    check_range("b", b, 2 * m, "2m")
    inverse, mask = minus_inverse(m, digit_bits), (1 << digit_bits) - 1
    s = 0
    for i in range(mont_radix(nbits, digit_bits, final_subtract=False) // digit_bits):
        s += (a >> i * digit_bits & mask) * b
        s = (s + ((s & mask) * inverse & mask) * m) >> digit_bits
    return s
