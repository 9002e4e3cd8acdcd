"""Integer multiplication modulo m: what every multiplier in the plain domain computes."""


def mod_mul(a: int, b: int, m: int) -> int:
    """Return a*b mod m, for any a, b >= 0 and m >= 1."""
    if a < 0:
        raise ValueError(f"a must be at least 0, not {a}")
    if b < 0:
        raise ValueError(f"b must be at least 0, not {b}")
    if m < 1:
        raise ValueError(f"m must be at least 1, not {m}")
    return a * b % m
