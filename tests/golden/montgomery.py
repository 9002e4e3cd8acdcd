"""The Montgomery domain of a modulus."""

from fl.mont_mul import check_odd, check_range, minus_inverse, mm_mul
from fl.redc import reduction
from tests.golden.r_squared import r_squared_by_remainder


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
        return reduction(x, self.m, self.r).result

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
