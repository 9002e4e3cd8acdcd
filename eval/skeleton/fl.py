"""What sample computes: a*b mod m, a bit of a per step, the highest first."""


def sample_step(result: int, bit: int, b: int, m: int) -> int:
    """Return 2*result + bit*b mod m, for result < m and b <= m: by two subtractions at most."""
    total = 2 * result + bit * b
    for _ in range(2):
        if total >= m:
            total -= m
    return total


def sample_value(a: int, b: int, m: int) -> int:
    """Return a*b mod m, for any a and b <= m."""
    result = 0
    for i in reversed(range(a.bit_length())):
        result = sample_step(result, a >> i & 1, b, m)
    return result
