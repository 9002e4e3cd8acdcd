"""The time of MulRem: the remainder unit's, since the product takes no cycle of its own."""

from cl.div_rem import div_latency


def mul_rem_latency(nbits: int, a: int, b: int, m: int) -> int:
    """latency = k + 3, and at least 2, with k = bitlen(a*b) - bitlen(m)."""
    return div_latency(2 * nbits, a * b, m, "zeros")
