"""When lab3 answers, and when it takes the next request."""

from .fl import radix


def stages(nbits: int, steps: int) -> int:
    """latency = a cycle per stage, at whose end there is a register; interval = 1."""
    return radix(nbits, steps) // steps
