"""Montgomery's multiplication: reduction by additions and shifts, no division (001, 004, 000).

R = 2^r throughout, m is odd. One AddRed, s -> (s + x*y + q*m) / 2 with q the bit that makes the
sum even, is the only step; how many of them a product takes is r, and in what time is cl's and
rtl's matter. Document 001's Algorithm 4 subtracts where S > N; it must be S >= N.
"""

from functools import lru_cache

GUARD_BITS = 1  # of values below 2m, where no subtraction ends a product
GUARD_STEPS = 2  # what 2^r > 4m asks for beyond the width of m


def check_odd(m: int) -> None:
    """Raise ValueError unless m is odd and positive."""
    if m < 1 or m % 2 == 0:
        raise ValueError(f"m must be odd and at least 1, not {m}")


def check_range(name: str, value: int, limit: int, limit_text: str) -> None:
    """Raise ValueError unless 0 <= value < limit."""
    if not 0 <= value < limit:
        raise ValueError(f"{name} must be from 0 to {limit_text}-1 = {limit - 1}, not {value}")


@lru_cache(maxsize=64)
def minus_inverse(m: int, r: int) -> int:
    """Return N' of Montgomery's reduction: m * N' = -1 mod 2^r, for odd m."""
    check_odd(m)
    return -pow(m, -1, 1 << r) % (1 << r)


def add_red(s: int, x: int, y: int, m: int) -> int:
    """next = (s + x*y + q*m) / 2, q = 0 or 1, x = 0 or 1: below y + m if s is, for odd m."""
    s += x * y
    return (s + s % 2 * m) >> 1


def mm_mul_open(a: int, b: int, m: int, r: int) -> int:
    """Return what r AddRed steps come to: a*b*2^-r mod m, below b + m, for odd m and 0 <= a < 2^r.

    Their quotient bits are q of (a*b + q*m) / 2^r, which are those of a*b * N' mod 2^r.
    """
    check_odd(m)
    check_range("a", a, 1 << r, f"2^{r}")
    q = a * b * minus_inverse(m, r) % (1 << r)
    return (a * b + q * m) >> r


def mm_mul(a: int, b: int, m: int, r: int) -> int:
    """Return a*b*2^-r mod m, less than m (MMMul, 004's Algorithm 3), for odd m, b < m, a < 2^r.

    a may pass m: the AddRed steps keep the sum below b + m whatever a is.
    """
    check_range("b", b, m, "m")
    s = mm_mul_open(a, b, m, r)
    return s - m if s >= m else s


def open_bound(m: int) -> int:
    """Return the least r for which products without a final subtraction stay below 2m: 2^r > 4m."""
    return (4 * m).bit_length()


def mm_mul_no_subtraction(a: int, b: int, m: int, r: int) -> int:
    """Return a product below 2m: a*b*2^-r mod m, for b < 2m, a < R/2 and odd m; asks for R > 4m.

    (a*b + q*m) / R < a/R * 2m + m <= 2m needs a <= R/2, and products below 2m are such an a again
    if R >= 4m. Document 002's m < R/2 is not enough, nor are n steps: n + 2 are.
    """
    check_odd(m)
    if r < open_bound(m):
        raise ValueError(f"2^r must exceed 4m: r must be at least {open_bound(m)}, not {r}")
    check_range("a", a, 1 << r - 1, f"2^{r - 1}")
    check_range("b", b, 2 * m, "2m")
    return mm_mul_open(a, b, m, r)


def mont_radix(nbits: int, steps_per_cycle: int, final_subtract: bool = True) -> int:
    """Return r of R = 2^r, the number of AddRed steps: nbits, or nbits + 2 without a subtraction.

    Rounded up to whole cycles: a larger R is as good, and spares a shorter last cycle.
    """
    if steps_per_cycle < 1:
        raise ValueError(f"steps_per_cycle must be at least 1, not {steps_per_cycle}")
    steps = nbits if final_subtract else nbits + GUARD_STEPS
    return -(-steps // steps_per_cycle) * steps_per_cycle


def mont_value(a: int, b: int, m: int, r: int, final_subtract: bool = True) -> int:
    """Return a*b*2^-r mod m for a < 2^r, b < m; or a value below 2m, for b < 2m, a < 2^(r-1)."""
    return mm_mul(a, b, m, r) if final_subtract else mm_mul_no_subtraction(a, b, m, r)
