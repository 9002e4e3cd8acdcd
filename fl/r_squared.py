"""R^2 mod m for R = 2^r, with which a product takes a value into the Montgomery domain."""


def first_power(nbits: int, m: int) -> tuple[int, int]:
    """Return (2^j, j), 2^j < m: j = nbits - 1 if m has that bit, else 0; (0, 0) for m = 1."""
    if m == 1:
        return 0, 0
    j = nbits - 1 if m >> (nbits - 1) & 1 else 0
    return 1 << j, j
