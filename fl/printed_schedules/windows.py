"""Schedules that take several exponent bits at a time, with a table of small powers.

Document 000's algorithm 7 takes its digits from the wrong end and its algorithm 8 squares
where it should multiply; both are corrected here. A window is (digit, position): its digit,
odd in sliding windows, stands for digit * 2^position of the exponent.
"""

from collections.abc import Callable

from fl.printed_schedules.binary import check_exponent
from fl.printed_schedules.schedule import Mul, Schedule
from fl.schedule import Counts

MAX_WIDTH = 12  # a table of 4096 powers; wider tables cost more than they save

Windows = list[tuple[int, int]]


def fixed_digits(exp: int, k: int) -> list[int]:
    """The digits of exp in radix 2^k, highest first; none for 0."""
    length = -(-exp.bit_length() // k)
    return [exp >> k * i & (1 << k) - 1 for i in reversed(range(length))]


def scan_left(exp: int, width: int) -> Windows:
    """Windows of at most width bits, cut from the highest set bit down."""
    windows = []
    top = exp.bit_length()
    while exp:
        position = max(top - width, 0)
        digit = exp >> position
        zeros = (digit & -digit).bit_length() - 1
        windows.append((digit >> zeros, position + zeros))
        exp -= digit << position
        top = exp.bit_length()
    return windows


def scan_right(exp: int, width: int) -> Windows:
    """Windows of at most width bits, cut from the lowest set bit up; highest first."""
    windows = []
    while exp:
        position = (exp & -exp).bit_length() - 1
        digit = exp >> position & (1 << width) - 1
        windows.append((digit, position))
        exp -= digit << position
    return windows[::-1]


def k_ary(k: int) -> Schedule:
    """The 2^k-ary method: k squarings a digit, a multiplication where the digit is not 0."""
    _check_width("k", k)

    def steps(base: int, exp: int, mod: int, one: int, mul: Mul) -> int:
        powers = _all_powers(base, k, mod, one, mul)
        result = one
        for digit in fixed_digits(exp, k):
            result = _square_times(result, k, mod, mul)
            if digit:
                result = mul(result, powers[digit], mod)
        return result

    def counts(exp: int) -> Counts:
        digits = fixed_digits(exp, k)
        return _plus_all_powers(k, k * len(digits), sum(digit != 0 for digit in digits))

    return Schedule(
        name=f"{1 << k}-ary",
        title=f"{1 << k}-ary, left to right",
        source="document 000, algorithm 7 (corrected)",
        constant=False,
        steps=steps,
        counts=counts,
    )


def k_ary_always_over(nbits: int, k: int) -> Schedule:
    """The 2^k-ary method over nbits that multiplies by 1 too: the same calls for every exponent."""
    _check_width("k", k)
    if nbits < 1:
        raise ValueError(f"nbits must be at least 1, not {nbits}")
    length = -(-nbits // k)

    def steps(base: int, exp: int, mod: int, one: int, mul: Mul) -> int:
        check_exponent(exp, nbits)
        powers = _all_powers(base, k, mod, one, mul)
        result = one
        for i in reversed(range(length)):
            result = _square_times(result, k, mod, mul)
            result = mul(result, powers[exp >> k * i & (1 << k) - 1], mod)
        return result

    def counts(exp: int) -> Counts:
        check_exponent(exp, nbits)
        return _plus_all_powers(k, k * length, length)

    return Schedule(
        name=f"{1 << k}-ary-always-over-{nbits}",
        title=f"{1 << k}-ary always, over {nbits} bits",
        source="documents 000, algorithm 7, and 002, algorithm 5, joined",
        constant=True,
        steps=steps,
        counts=counts,
    )


def left_windows(width: int) -> Schedule:
    """Sliding windows of at most width bits, found from the left."""
    return _sliding("left-windows", "found from the left", width, scan_left)


def right_windows(width: int) -> Schedule:
    """Sliding windows of at most width bits, found from the right, used from the left."""
    return _sliding("right-windows", "found from the right", width, scan_right)


def _sliding(name: str, how: str, width: int, scan: Callable[[int, int], Windows]) -> Schedule:
    _check_width("width", width)

    def steps(base: int, exp: int, mod: int, one: int, mul: Mul) -> int:
        powers = _odd_powers(base, width, mod, mul)
        result, position = one, exp.bit_length()
        for digit, below in scan(exp, width):
            result = _square_times(result, position - below, mod, mul)
            result = mul(result, powers[digit], mod)
            position = below
        return _square_times(result, position, mod, mul)

    def counts(exp: int) -> Counts:
        # width > 1: base^2 once, then one product for each of base^3, base^5 ...
        return Counts(
            squarings=(width > 1) + exp.bit_length(),
            multiplications=(1 << width - 1) - 1 + len(scan(exp, width)),
        )

    return Schedule(
        name=f"{name}-{width}",
        title=f"Sliding windows of {width} bits, {how}",
        source="document 000, algorithm 8 (corrected)",
        constant=False,
        steps=steps,
        counts=counts,
    )


def _check_width(name: str, width: int) -> None:
    if not 1 <= width <= MAX_WIDTH:
        raise ValueError(f"{name} must be from 1 to {MAX_WIDTH}, not {width}")


def _square_times(value: int, times: int, mod: int, mul: Mul) -> int:
    for _ in range(times):
        value = mul(value, value, mod)
    return value


def _all_powers(base: int, k: int, mod: int, one: int, mul: Mul) -> list[int]:
    """[1, base, base^2, ... base^(2^k - 1)], base itself not reduced."""
    powers = [one, base]
    while len(powers) < 1 << k:
        powers.append(mul(powers[-1], base, mod))
    return powers


def _plus_all_powers(k: int, squarings: int, multiplications: int) -> Counts:
    """The counts of a run, and of its table: base^2, then one product for each power after."""
    if k == 1:
        return Counts(squarings, multiplications)
    return Counts(squarings + 1, multiplications + (1 << k) - 3)


def _odd_powers(base: int, width: int, mod: int, mul: Mul) -> dict[int, int]:
    """base^1, base^3, ... base^(2^width - 1), base itself not reduced."""
    powers = {1: base}
    if width > 1:
        square = mul(base, base, mod)
        for odd in range(3, 1 << width, 2):
            powers[odd] = mul(powers[odd - 2], square, mod)
    return powers
