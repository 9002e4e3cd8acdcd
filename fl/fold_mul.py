"""Multiplication modulo m = 2^n - k by folding: what stands above 2^n comes back times k.

Document 000 folds for k = -+1 and moduli of its own. With k of about half the bits of m, which
RSA moduli can be given (fl/near_power.py), a fold is a product by half a modulus.
"""

from fl.near_power import is_near_power, k_bits

FOLD_BITS = 3  # by which 2^top must pass k times a digit


def fold(s: int, k: int, top: int) -> int:
    """Bring the top of s back: congruent to s mod 2^top - k, below 2^top + (s >> top) * k."""
    return (s & (1 << top) - 1) + (s >> top) * k


def fold_product(a: int, b: int, k: int, top: int, operand_bits: int, digit_bits: int) -> int:
    """Multiply from a's highest digit down: congruent to a*b mod 2^top - k, below 1.5 * 2^top.

    For a, b < 2^operand_bits <= 2^(top+1) and k * 2^digit_bits <= 2^(top-3). A sum stands
    below 2^(top + digit_bits + 2): so many digits, and a last one of 0, which folds it.
    """
    if k << digit_bits > 1 << top - FOLD_BITS:
        raise ValueError(f"k must be at most 2^{top - FOLD_BITS - digit_bits}, not {k}")
    if max(a, b) >> operand_bits or operand_bits > top + 1:
        raise ValueError(f"a and b must have at most {min(operand_bits, top + 1)} bits")
    s = 0
    for i in reversed(range(-(-operand_bits // digit_bits))):
        digit = a >> i * digit_bits & (1 << digit_bits) - 1
        s = (fold(s, k, top) << digit_bits) + digit * b
    return fold(s, k, top)


def fold_digit_bits(nbits: int, digit_bits: int) -> int:
    """Return the bits of a taken per cycle: digit_bits, or fewer where k leaves no more room."""
    if digit_bits < 1:
        raise ValueError(f"digit_bits must be at least 1, not {digit_bits}")
    return min(digit_bits, nbits - FOLD_BITS - k_bits(nbits))


def fold_mul(a: int, b: int, m: int, nbits: int, digit_bits: int) -> int:
    """Return a*b mod m, for nbits-bit a and b and a near-power m of nbits."""
    if not is_near_power(nbits, m):
        raise ValueError(f"m must be 2^{nbits} - k, k at most 2^{k_bits(nbits)}, not {m}")
    digit = fold_digit_bits(nbits, digit_bits)
    product = fold_product(a, b, (1 << nbits) - m, nbits, nbits, digit)
    return product - m if product >= m else product
