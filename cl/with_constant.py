"""The time of a multiplier that first finds a constant of its modulus, and may end by reducing."""


def prepared_latency(prepare: int, product: int, finish: int = 0) -> int:
    """Cycles from request to response: a start, the constant, the product, the reduction."""
    return 2 + prepare + product + finish
