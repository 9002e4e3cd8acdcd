"""The time of a multiplier that first finds a constant of its modulus, and may end by reducing."""


def with_constant_latency(constant: int, product: int, reduction: int = 0) -> int:
    """latency = 2 + constant + product + reduction; the 2 are to load and to start."""
    return 2 + constant + product + reduction
