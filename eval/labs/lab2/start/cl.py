"""When lab2 answers."""


def product_latency(a: int) -> int:
    """latency = a cycle for each bit of a up to its highest one, and one for the answer."""
    return a.bit_length() + 1
