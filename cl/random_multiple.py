"""The time that a random multiple of the modulus adds (rtl/exp/random_multiple.py)."""


def before(bits: int) -> int:
    """Count cycles to the inner request: a pair of bits a cycle, the base, and the cycle after."""
    return bits + 2


def after(bits: int) -> int:
    """Count cycles from the inner answer to that modulo m: a bit a cycle, one to begin."""
    return bits + 1
