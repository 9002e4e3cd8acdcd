"""The time of a multiplier that first finds a constant of its modulus, and may end by reducing."""


def with_constant_latency(constant: int, product: int, reduction: int = 0) -> int:
    """Cycles from request to response: a start, the constant, the product, the reduction."""
    return 2 + constant + product + reduction
