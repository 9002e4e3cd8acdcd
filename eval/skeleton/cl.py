"""When sample answers."""


def sample_latency(nbits: int) -> int:
    """latency = a cycle per bit of a, and one for the answer."""
    return nbits + 1
