"""Integer multiplication modulo m and division: what every multiplier and divider computes."""


def mod_mul(a: int, b: int, m: int) -> int:
    """a*b mod m, for any a, b >= 0 and m >= 1."""
    if a < 0:
        raise ValueError(f"a must be at least 0, not {a}")
    if b < 0:
        raise ValueError(f"b must be at least 0, not {b}")
    if m < 1:
        raise ValueError(f"m must be at least 1, not {m}")
    return a * b % m


def div_rem(a: int, b: int, bits: int) -> tuple[int, int]:
    """(a // b, a % b) for 0 <= a, b < 2^bits; b = 0 gives all ones and a, as RISC-V has it."""
    if not 0 <= a < 1 << bits:
        raise ValueError(f"a must be from 0 to 2^{bits}-1, not {a}")
    if not 0 <= b < 1 << bits:
        raise ValueError(f"b must be from 0 to 2^{bits}-1, not {b}")
    if b == 0:
        return (1 << bits) - 1, a
    return divmod(a, b)
