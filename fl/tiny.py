"""Steps of interleaved multiplication that reduce late: the integers.

fl/interleaved.py reduces what a step makes before it leaves it. Words from the lowest up cannot: a
comparison with the modulus is known after the last of them. So a step leaves its value as it is,
below 3m, and how often that holds m; the next step subtracts so much as it doubles.
"""


def holds(value: int, m: int) -> int:
    """Return how often the value holds m: 0, 1 or 2 times, for 0 <= value < 3m."""
    if not 0 <= value < 3 * m:
        raise ValueError(f"value must be from 0 to 3m-1 = {3 * m - 1}, not {value}")
    return (value >= m) + (value >= 2 * m)


def late_step(value: int, multiplicand: int, bit: int, m: int) -> int:
    """Return 2*(value mod m) + bit*multiplicand, again below 3m.

    For 0 <= value < 3m, 0 <= multiplicand <= m and bit 0 or 1.
    """
    if not 0 <= multiplicand <= m:
        raise ValueError(f"multiplicand must be from 0 to m = {m}, not {multiplicand}")
    if bit not in (0, 1):
        raise ValueError(f"bit must be 0 or 1, not {bit}")
    return 2 * (value - holds(value, m) * m) + bit * multiplicand


def late_product(a: int, b: int, nbits: int, m: int) -> int:
    """Return a*b mod m by a step for each bit of b, from place nbits-1 down, and a subtraction."""
    if not 0 <= b < 1 << nbits:
        raise ValueError(f"b must be a number of {nbits} bits, not {b}")
    value = 0
    for place in reversed(range(nbits)):
        value = late_step(value, a, b >> place & 1, m)
    return value - holds(value, m) * m
