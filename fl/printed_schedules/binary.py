"""Schedules that take one exponent bit at a time (documents 000, 001, 002, 003 and 004).

Squarings include the one of 1 at the first bit (left to right) and the one whose result
nobody uses at the last bit (right to left): the documents print both, and hardware that
squares and multiplies at the same time loses nothing by them.
Document 000 scans its left-to-right algorithm from bit 0 up; here it starts at the top.
"""

from fl.printed_schedules.schedule import Mul, Schedule
from fl.schedule import Counts


def _repeated(base: int, exp: int, mod: int, one: int, mul: Mul) -> int:
    result = one
    for _ in range(exp):
        result = mul(result, base, mod)
    return result


def _right_to_left(base: int, exp: int, mod: int, one: int, mul: Mul) -> int:
    result, power = one, base
    for i in range(exp.bit_length()):
        if exp >> i & 1:
            result = mul(result, power, mod)
        power = mul(power, power, mod)
    return result


def _left_to_right(base: int, exp: int, mod: int, one: int, mul: Mul) -> int:
    result = one
    for i in reversed(range(exp.bit_length())):
        result = mul(result, result, mod)
        if exp >> i & 1:
            result = mul(result, base, mod)
    return result


def _always(base: int, exp: int, nbits: int, mod: int, one: int, mul: Mul) -> int:
    result = one
    for i in reversed(range(nbits)):
        square = mul(result, result, mod)
        product = mul(square, base, mod)
        result = product if exp >> i & 1 else square
    return result


def check_exponent(exp: int, nbits: int) -> None:
    """ValueError unless exp has at most nbits bits."""
    if exp.bit_length() > nbits:
        raise ValueError(f"exp must be from 0 to 2^{nbits}-1, not {exp}")


def always_over(nbits: int) -> Schedule:
    """Square-and-multiply-always over nbits: the same calls for every exponent it takes."""
    if nbits < 1:
        raise ValueError(f"nbits must be at least 1, not {nbits}")

    def steps(base: int, exp: int, mod: int, one: int, mul: Mul) -> int:
        check_exponent(exp, nbits)
        return _always(base, exp, nbits, mod, one, mul)

    def counts(exp: int) -> Counts:
        check_exponent(exp, nbits)
        return Counts(nbits, nbits)

    return Schedule(
        name=f"always-over-{nbits}",
        title=f"Square and multiply always, over {nbits} bits",
        source="document 002, algorithm 5",
        constant=True,
        steps=steps,
        counts=counts,
    )


REPEATED = Schedule(
    name="repeated",
    title="Repeated multiplying",
    source="document 000, algorithm 3",
    constant=False,
    steps=_repeated,
    counts=lambda exp: Counts(0, exp),
)
RIGHT_TO_LEFT = Schedule(
    name="right-to-left",
    title="Right to left, binary",
    source="document 000, algorithm 5; 001, algorithm 1; 003, algorithm 17.1.2; 004, algo 6",
    constant=False,
    steps=_right_to_left,
    counts=lambda exp: Counts(exp.bit_length(), exp.bit_count()),
)
LEFT_TO_RIGHT = Schedule(
    name="left-to-right",
    title="Left to right, binary",
    source="document 000, algorithm 4 (corrected)",
    constant=False,
    steps=_left_to_right,
    counts=lambda exp: Counts(exp.bit_length(), exp.bit_count()),
)
ALWAYS = Schedule(
    name="always",
    title="Square and multiply always, left to right",
    source="document 002, algorithm 5",
    constant=True,
    steps=lambda base, exp, mod, one, mul: _always(base, exp, exp.bit_length(), mod, one, mul),
    counts=lambda exp: Counts(exp.bit_length(), exp.bit_length()),
)
