"""The Montgomery multiplier at the functional level: one value, however it is computed."""

from fl.component import StreamFL
from fl.messages import mk_mul_msgs
from fl.montgomery import mm_mul, mm_mul_no_subtraction

GUARD_BITS = 1  # of values below 2m, where no subtraction ends a product
GUARD_STEPS = 2  # what 2^r > 4m asks for beyond the width of m


def mont_radix(nbits: int, steps_per_cycle: int, final_subtract: bool = True) -> int:
    """r of R = 2^r, the number of AddRed steps: nbits, or nbits + 2 without a final subtraction.

    Rounded up to whole cycles: a larger R is as good, and spares a shorter last cycle.
    """
    if steps_per_cycle < 1:
        raise ValueError(f"steps_per_cycle must be at least 1, not {steps_per_cycle}")
    steps = nbits if final_subtract else nbits + GUARD_STEPS
    return -(-steps // steps_per_cycle) * steps_per_cycle


def mont_value(a: int, b: int, m: int, r: int, final_subtract: bool = True) -> int:
    """a*b*2^-r mod m for a < 2^r and b < m; or below 2m, for b < 2m and a < 2^(r-1)."""
    return mm_mul(a, b, m, r) if final_subtract else mm_mul_no_subtraction(a, b, m, r)


class MontMulFL(StreamFL):
    """r = a * b * R^-1 mod m, for odd m and operands as in mont_value."""

    def construct(s, nbits: int, steps_per_cycle: int, final_subtract: bool = True):
        radix = mont_radix(nbits, steps_per_cycle, final_subtract)
        super().construct(
            *mk_mul_msgs(nbits, 0 if final_subtract else GUARD_BITS),
            lambda a, b, m: mont_value(a, b, m, radix, final_subtract),
        )
