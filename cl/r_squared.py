"""The time to R^2 mod m in several ways: it stands 1 + so many cycles after `start`."""

from cl.unit import Unit
from fl.r_squared import first_power


def remainder_cycles(radix: int) -> int:
    """Count a cycle per bit of 2^(2r), which has 2r + 1."""
    return 2 * radix + 1


def product_cycles(plain: Unit, mod: int) -> int:
    """Count the product of R - m by itself, and before it one by 1 where m has not its top bit."""
    rest, cycles = (1 << plain.nbits) - mod, 0
    if not mod >> (plain.nbits - 1):
        cycles += 1 + plain.latency(rest, int(mod != 1), mod)
        rest %= mod
    return cycles + 1 + plain.latency(rest, rest, mod)


def doubling_cycles(
    nbits: int, mod: int, radix: int, squarings: int, product: int, constant: bool
) -> int:
    """Count a cycle per doubling; a squaring takes `product` cycles and one to ask.

    constant: doublings start from 1 whatever the modulus.
    """
    doublings = radix + (radix >> squarings) - (0 if constant else first_power(nbits, mod)[1])
    after_squarings = (radix & (1 << squarings) - 1).bit_count()
    return doublings + squarings * (product + 1) + after_squarings


def best_squarings(radix: int, product: int) -> int:
    """Return how many squarings make the way from R mod m to R^2 mod m the shortest in cycles."""

    def cycles(squarings: int) -> int:
        doublings = (radix >> squarings) + (radix & (1 << squarings) - 1).bit_count()
        return doublings + squarings * (product + 1)

    return min(range(radix.bit_length()), key=cycles)
