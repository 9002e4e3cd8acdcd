"""The time of the DivRem unit: one quotient bit per cycle, early steps skipped or not."""


def div_steps(dividend_bits: int, a: int, b: int, early: str) -> int:
    """Count the quotient bits computed: all, or only those that can be 1 (early = "zeros")."""
    if early == "none" or b == 0:
        return dividend_bits
    return max(0, a.bit_length() - b.bit_length() + 1)


def div_latency(dividend_bits: int, a: int, b: int, early: str) -> int:
    """Count cycles from request to response: the steps, one to answer, one to skip the zeros."""
    return div_steps(dividend_bits, a, b, early) + (1 if early == "none" else 2)


def shifts_up(dividend_bits: int, a: int, b: int) -> int:
    """Count the places k that a divisor goes up to stand below the dividend: 2^k * b <= a."""
    return max(0, (a // b).bit_length() - 1) if b else dividend_bits - 1


def div_001_latency(dividend_bits: int, a: int, b: int) -> int:
    """latency = 2k + 2: up and down again in 2k + 1 cycles, which the cycles that document 001
    prints of its accelerator bear out, and the answer."""
    return 2 * shifts_up(dividend_bits, a, b) + 2
