"""The time of MulRem: the remainder unit's, since the product takes no cycle of its own; and of
document 001's exponentiator around two of them."""

from cl.div_rem import div_001_latency, div_latency


def mul_rem_latency(nbits: int, a: int, b: int, m: int) -> int:
    """latency = k + 3, and at least 2, with k = bitlen(a*b) - bitlen(m)."""
    return div_latency(2 * nbits, a * b, m, "zeros")


def mul_rem_001_latency(nbits: int, a: int, b: int, m: int) -> int:
    """latency = 2k + 2, by document 001's remainder unit."""
    return div_001_latency(2 * nbits, a * b, m)


def mod_exp_001_latency(nbits: int, base: int, exp: int, mod: int) -> int:
    """latency = 2 + sum over the bits of exp of 5 + max(2k + 1), over the units that work.

    The squaring unit works at every bit, the multiplying one where it is 1. A call on the processor
    takes four cycles more: document 001's T = 6 + sum of 5 + max(2k + 1).
    """
    cycles, result = 2, 1
    while exp and mod:
        units = [mul_rem_001_latency(nbits, base, base, mod)]
        if exp & 1:
            units.append(mul_rem_001_latency(nbits, result, base, mod))
            result = result * base % mod
        cycles += 4 + max(units)
        base, exp = base * base % mod, exp >> 1
    return cycles
