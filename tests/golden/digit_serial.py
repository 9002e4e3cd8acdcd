"""Powers by document 003's product, and R^2 by signs, in integers."""

from fl.digit_serial import doublings, serial_product
from fl.mont_mul import check_odd


def r_squared_by_signs(m: int, nbits: int) -> int:
    """Return R^2 mod m for odd m: each doubling takes m away from a t >= 0, adds it to a t < 0."""
    check_odd(m)
    twice, count = doublings(m, nbits)
    for _ in range(count):
        t = twice - m if twice >= 0 else twice + m  # from -m to m - 1, as t was
        twice = 2 * t
    return t + m if t < 0 else t


def serial_power(base: int, exp: int, m: int, nbits: int) -> int:
    """Return base^exp mod m, exp >= 1, as algorithm 17.1.2 does, without its last square."""
    r_squared = r_squared_by_signs(m, nbits)
    p = serial_product(1, r_squared, m, nbits)
    z = serial_product(base, r_squared, m, nbits)
    while True:
        if exp & 1:
            p = serial_product(p, z, m, nbits)
        exp >>= 1
        if not exp:
            break
        z = serial_product(z, z, m, nbits)
    p = serial_product(1, p, m, nbits)
    return p - m if p >= m else p
