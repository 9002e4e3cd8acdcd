"""Montgomery's product as a line of elements makes it, word by word: document 002's Algorithm 3.

The document's R = 2^(ks) is that of the widest modulus; but without a final subtraction values
stay below 2m only for R > 4m (fl/mont_mul.py): by a word more, or for moduli two bits shorter.
As printed Algorithm 3 adds u_i * m where it must be u_i * m_j, gives (c_j, a_j) for (c_(j+1),
a_(j-1)), keeps the carry of the step before, and drops the last one.
"""

from fl.mont_mul import GUARD_STEPS, check_range, mm_mul_open
from fl.scaled import low_radix

FEWEST_WORDS = 2  # an array has a first and a last element


def sound_words(nbits: int, digit_bits: int) -> int:
    """Return how many words of R there must be for every modulus of nbits: R > 4m."""
    return max(FEWEST_WORDS, -(-(nbits + GUARD_STEPS) // digit_bits))


def printed_words(nbits: int, digit_bits: int) -> int:
    """Return how many words document 002 has: those of nbits, too few for the widest moduli."""
    return max(FEWEST_WORDS, -(-nbits // digit_bits))


def widest_modulus(nbits: int, digit_bits: int, words: int) -> int:
    """Return the bits of the moduli that so many words are sound for, at most nbits."""
    return min(nbits, digit_bits * words - GUARD_STEPS)


def systolic_product(x: int, y: int, m: int, digit_bits: int, words: int) -> int:
    """Return x*y/R mod m below 2m, for R = 2^(ks) > 4m, odd m, and y < 2m with x < R/2.

    It is below 2m too for y <= m with x < R: (x*y + q*m) / R < x/R * y + m. The words' quotient
    digits, together, are q, as there is one q below R alone that makes the sum divisible by R.
    """
    radix = digit_bits * words
    check_range("y", y, 2 * m, "2m")
    check_range("m", m, 1 << radix - GUARD_STEPS, f"2^{radix - GUARD_STEPS}")
    return mm_mul_open(x, y, m, radix)


def scaled_words(nbits: int, digit_bits: int) -> int:
    """Return how many words of x there are for low_product of fl/scaled.py, the last one 0."""
    return low_radix(nbits, digit_bits) // digit_bits + 1


def scaled_elements(nbits: int, digit_bits: int) -> int:
    """Return how many elements hold low_product's sums below 2^(n+2k+2), two words in the last."""
    return -(-(nbits + 2 * digit_bits + 2) // digit_bits) - 1
