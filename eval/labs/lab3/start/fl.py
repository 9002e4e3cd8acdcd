"""What lab3 computes: Montgomery's product by AddRed steps."""


def add_red(total: int, x: int, y: int, m: int) -> int:
    """Return (total + x*y + q*m) / 2, for a bit x and odd m; q = 0 or 1 makes the sum even."""
    total += x * y
    return (total + total % 2 * m) // 2


def radix(nbits: int, steps: int) -> int:
    """Return how many steps a product takes: one per bit of a, rounded up to whole stages."""
    return -(-nbits // steps) * steps


def product(a: int, b: int, m: int, nbits: int, steps: int) -> int:
    """Return a*b/R mod m, R = 2^radix, for b < m and odd m: the lowest bit of a first."""
    total = 0
    for i in range(radix(nbits, steps)):
        total = add_red(total, a >> i & 1, b, m)
    return total - m if total >= m else total
