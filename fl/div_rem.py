"""Integer division, as every divider computes it."""


def div_rem(a: int, b: int, bits: int) -> tuple[int, int]:
    """Return (a // b, a % b) for 0 <= a, b < 2^bits; for b = 0 all ones and a, as RISC-V does."""
    if not 0 <= a < 1 << bits:
        raise ValueError(f"a must be from 0 to 2^{bits}-1, not {a}")
    if not 0 <= b < 1 << bits:
        raise ValueError(f"b must be from 0 to 2^{bits}-1, not {b}")
    if b == 0:
        return (1 << bits) - 1, a
    return divmod(a, b)
