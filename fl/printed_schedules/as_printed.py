"""Document 000's algorithms 4, 7 and 8 line by line as they are printed: wrong for most exponents.

4 and 7 take the exponent's digits from the wrong end. 8 squares at a 1 where it must multiply, and
looks for a window at a 0. Put right, they are LEFT_TO_RIGHT, k_ary and left_windows.
"""

from collections.abc import Callable

from fl.mul_rem import mod_mul

Printed = Callable[[int, int, int, int], int]  # base, exp, mod, width


def _algorithm_4(base: int, exp: int, mod: int, width: int) -> int:
    result = 1
    for i in range(exp.bit_length()):
        result = mod_mul(result, result, mod)
        if exp >> i & 1:
            result = mod_mul(result, base, mod)
    return result


def _algorithm_7(base: int, exp: int, mod: int, width: int) -> int:
    result, radix = 1, 1 << width
    while exp:
        exp, digit = divmod(exp, radix)
        result = pow(result, radix, mod)
        if digit:
            result = mod_mul(result, pow(base, digit, mod), mod)
    return result


def _algorithm_8(base: int, exp: int, mod: int, width: int) -> int:
    """Bits above the exponent's count as ones, so that the printed search for one ends."""
    result, bits = 1, exp.bit_length()
    for i in range(bits):
        if exp >> i & 1:
            result = mod_mul(result, result, mod)
            continue
        low = max(i - width, 1)
        while low < bits and not exp >> low & 1:
            low += 1
        for _ in range(i - low + 1):
            result = mod_mul(result, result, mod)
        window = exp >> low & (1 << max(i - low + 1, 0)) - 1
        result = mod_mul(result, pow(base, window, mod), mod)
    return result


AS_PRINTED: dict[str, tuple[str, Printed]] = {
    "left-to-right-as-printed": ("document 000, algorithm 4", _algorithm_4),
    "k-ary-as-printed": ("document 000, algorithm 7", _algorithm_7),
    "sliding-as-printed": ("document 000, algorithm 8", _algorithm_8),
}
