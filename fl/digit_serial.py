"""Montgomery's product by additions of whole numbers (document 003).

A step is U = (U + V) / 2, V one of 0, 2B, N and 2B + N; n + 3 steps make R = 2^(n+2). The hardware
takes each addition a word at a time. Document 003's words hold n + 2 bits, but U + V has n + 4.
"""

from fl.mont_mul import GUARD_STEPS, check_odd, check_range

SUM_BITS = 4  # of U + V beyond the modulus
LEAST_WORDS = 4  # an addition begins with what the one before it made three cycles ago


def serial_radix(nbits: int) -> int:
    """Return r of R = 2^r."""
    return nbits + GUARD_STEPS


def serial_words(nbits: int, word_bits: int) -> int:
    """Return M, the words of a number; more than it has where the pipeline is longer."""
    return max(-(-(nbits + SUM_BITS) // word_bits), LEAST_WORDS)


def serial_product(a: int, b: int, m: int, nbits: int) -> int:
    """Return a product below 2m: a*b/R mod m, for odd n-bit m, b < 2m and a < 2^(n+1)."""
    check_odd(m)
    check_range("a", a, 2 << nbits, f"2^{nbits + 1}")
    check_range("b", b, 2 * m, "2m")
    u = 0
    for i in range(serial_radix(nbits) + 1):
        u = (u + (a >> i & 1) * 2 * b + (u & 1) * m) >> 1
    return u


def doublings(m: int, nbits: int) -> tuple[int, int]:
    """Return where the doublings to R^2 start, and how many there are; m < 2^nbits.

    From 2^n where m has n bits, else from 1; the first counts as one, but doubles nothing.
    """
    start = nbits if m >> (nbits - 1) else 0
    return 1 << start, 2 * serial_radix(nbits) - start + 1
