"""Montgomery's reduction of a whole product, R = 2^r: at once, with m' known before (004's
algorithm 0, 001's algorithm 2), and a bit at a time (004's algorithm 1)."""

from typing import NamedTuple

from fl.mont_mul import add_red, check_odd, check_range, minus_inverse


class Reduction(NamedTuple):
    """The values of algorithm 0 in their order, t as it is before and after the subtraction."""

    m_prime: int  # m * m_prime = -1 mod R
    u: int
    t: int
    result: int


def reduction(z: int, m: int, r: int) -> Reduction:
    """Reduce z to z * R^-1 mod m by two products, for odd m < R and 0 <= z < m * R."""
    check_odd(m)
    check_range("m", m, 1 << r, f"2^{r}")
    check_range("z", z, m << r, f"m * 2^{r}")
    m_prime = minus_inverse(m, r)
    u = z * m_prime % (1 << r)
    t = (z + u * m) >> r
    return Reduction(m_prime, u, t, t - m if t >= m else t)


def mm_red(z: int, m: int, r: int) -> int:
    """Return reduction's result for the same ranges, found a bit at a time (MMRed)."""
    check_odd(m)
    check_range("z", z, m << r, f"m * 2^{r}")
    for _ in range(r):
        z = add_red(z, 0, 0, m)
    return z - m if z >= m else z
