"""What lab2 computes: a*b mod m, a bit of a per step, the lowest first."""


def step(result: int, b: int, bit: int, m: int) -> tuple[int, int]:
    """Return (result + bit*b mod m, 2*b mod m or m), for result < m and b <= m."""
    total, doubled = result + bit * b, 2 * b
    return (total - m if total >= m else total, doubled - m if doubled >= m else doubled)


def product(a: int, b: int, m: int) -> int:
    """Return a*b mod m, for any a and b <= m: it ends where a has no bits any more."""
    result = 0
    while a:
        result, b = step(result, b, a & 1, m)
        a >>= 1
    return result
