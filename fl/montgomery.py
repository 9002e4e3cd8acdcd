"""Montgomery's multiplication: reduction by additions and shifts, no division (001, 004, 000).

R = 2^r throughout, m is odd. One AddRed, s -> (s + x*y + q*m) / 2 with q the bit that makes the
sum even, is the only step; how many of them a product takes is r, and in what time is cl's and
rtl's matter. Document 001's Algorithm 4 subtracts where S > N; it must be S >= N.
"""

from collections.abc import Callable

from fl.modmul import mod_mul


def check_odd(m: int) -> None:
    """ValueError unless m is odd and positive."""
    if m < 1 or m % 2 == 0:
        raise ValueError(f"m must be odd and at least 1, not {m}")


def check_range(name: str, value: int, limit: int, limit_text: str) -> None:
    """ValueError unless 0 <= value < limit."""
    if not 0 <= value < limit:
        raise ValueError(f"{name} must be from 0 to {limit_text}-1 = {limit - 1}, not {value}")


def minus_inverse(m: int, r: int) -> int:
    """N' of Montgomery's reduction: m * N' = -1 mod 2^r, for odd m."""
    check_odd(m)
    return -pow(m, -1, 1 << r) % (1 << r)


def redc(t: int, m: int, r: int) -> int:
    """t * 2^-r mod m, less than m, for odd m < 2^r and 0 <= t < m * 2^r."""
    s = redc_open(t, m, r)
    return s - m if s >= m else s


def redc_open(t: int, m: int, r: int) -> int:
    """(t + q*m) / 2^r with 0 <= q < 2^r: redc without its subtraction, less than 2m."""
    check_odd(m)
    check_range("m", m, 1 << r, f"2^{r}")
    check_range("t", t, m << r, f"m * 2^{r}")
    q = t * minus_inverse(m, r) % (1 << r)
    return (t + q * m) >> r


def add_red(s: int, x: int, y: int, m: int) -> int:
    """(s + x*y + q*m) / 2, q = 0 or 1, x = 0 or 1: below y + m if s is, for odd m."""
    s += x * y
    return (s + s % 2 * m) >> 1


def mm_red(t: int, m: int, r: int) -> int:
    """redc a bit at a time (MMRed, 004's Algorithm 1): the same ranges, the same value."""
    check_odd(m)
    check_range("t", t, m << r, f"m * 2^{r}")
    for _ in range(r):
        t = add_red(t, 0, 0, m)
    return t - m if t >= m else t


def mm_mul_open(a: int, b: int, m: int, r: int) -> int:
    """r AddRed steps: congruent to a*b*2^-r mod m, below b + m, for odd m and 0 <= a < 2^r."""
    check_odd(m)
    check_range("a", a, 1 << r, f"2^{r}")
    s = 0
    for i in range(r):
        s = add_red(s, a >> i & 1, b, m)
    return s


def mm_mul(a: int, b: int, m: int, r: int) -> int:
    """a*b*2^-r mod m, less than m (MMMul, 004's Algorithm 3): odd m, b < m, a < 2^r.

    a may pass m: the AddRed steps keep the sum below b + m whatever a is.
    """
    check_range("b", b, m, "m")
    s = mm_mul_open(a, b, m, r)
    return s - m if s >= m else s


def open_bound(m: int) -> int:
    """The least r for which products without a final subtraction stay below 2m: 2^r > 4m."""
    return (4 * m).bit_length()


def mm_mul_no_subtraction(a: int, b: int, m: int, r: int) -> int:
    """Below 2m, congruent to a*b*2^-r mod m, for b < 2m, a < R/2 and odd m: asks for R > 4m.

    (a*b + q*m) / R < a/R * 2m + m <= 2m needs a <= R/2, and products below 2m are such an a again
    if R >= 4m. Document 002's m < R/2 is not enough, nor are n steps: n + 2 are.
    """
    check_odd(m)
    if r < open_bound(m):
        raise ValueError(f"2^r must exceed 4m: r must be at least {open_bound(m)}, not {r}")
    check_range("a", a, 1 << r - 1, f"2^{r - 1}")
    check_range("b", b, 2 * m, "2m")
    return mm_mul_open(a, b, m, r)


def r_squared_by_remainder(m: int, r: int) -> int:
    """2^(2r) mod m by a division, for m >= 1 (001)."""
    return (1 << 2 * r) % m


def r_squared_by_product(m: int, r: int, mul: Callable[[int, int, int], int] = mod_mul) -> int:
    """mul(R - m, R - m, m), for m <= R (004); mul(a, b, m) = a*b mod m, b below m.

    Where R - m is not below m, which 004 forgets, it is reduced first: mul(R - m, 1, m).
    """
    rest = (1 << r) - m
    if rest >= m:
        rest = mul(rest, 1 % m, m)
    return mul(rest, rest, m)


def double_mod(t: int, m: int) -> int:
    """2t mod m, for t < m."""
    return 2 * t - m if 2 * t >= m else 2 * t


def first_power(nbits: int, m: int) -> tuple[int, int]:
    """(2^j, j), 2^j < m: j = nbits - 1 where that is m's top bit, else 0 (and 0 for m = 1)."""
    if m == 1:
        return 0, 0
    j = nbits - 1 if m >> (nbits - 1) & 1 else 0
    return 1 << j, j


def r_squared_by_doubling(
    m: int,
    r: int,
    nbits: int,
    squarings: int,
    mul: Callable[[int, int, int], int] | None = None,
) -> int:
    """2^(2r) mod m by doublings and Montgomery squarings, for odd m < 2^nbits, nbits <= r.

    From 2^(r + (r >> squarings)), reached by doublings alone, each squaring x -> x*x/R doubles
    what stands after r; a doubling follows where the next bit of r is 1. mul defaults to mm_mul.
    """
    check_odd(m)
    check_range("m", m, 1 << nbits, f"2^{nbits}")
    t, power = first_power(nbits, m)
    for _ in range(r + (r >> squarings) - power):
        t = double_mod(t, m)
    for i in reversed(range(squarings)):
        t = mul(t, t, m) if mul else mm_mul(t, t, m, r)
        if r >> i & 1:
            t = double_mod(t, m)
    return t


class MontMultiplier:
    """The Montgomery domain of an odd m < 2^r: x stands there as x*R mod m (001's listing 2)."""

    def __init__(self, m: int, r: int) -> None:
        check_odd(m)
        check_range("m", m, 1 << r, f"2^{r}")
        self.m = m
        self.r = r
        self.n_prime = minus_inverse(m, r)
        self.r_inverse = pow(1 << r, -1, m)
        self.r_squared = r_squared_by_remainder(m, r)
        self.one = (1 << r) % m  # 1 in the domain

    def multiply(self, a: int, b: int) -> int:
        """a*b*R^-1 mod m, for a < R and b < m."""
        return mm_mul(a, b, self.m, self.r)

    def convert_in(self, x: int) -> int:
        """x*R mod m, for any x < R, x >= m too."""
        return self.multiply(x, self.r_squared)

    def convert_out(self, x: int) -> int:
        """x*R^-1 mod m, for x < m."""
        return redc(x, self.m, self.r)

    def power(self, base: int, exp: int) -> int:
        """base^exp mod m, for base < R: only the base enters the domain, so nothing leaves it."""
        power, result = self.convert_in(base), 1 % self.m
        while exp:
            if exp & 1:
                result = self.multiply(result, power)
            exp >>= 1
            if exp:
                power = self.multiply(power, power)
        return result
