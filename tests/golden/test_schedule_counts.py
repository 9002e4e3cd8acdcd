"""The counts of products are exact, and the scans of windows are what they say."""

from random import Random

import pytest

from fl.printed_schedules import (
    SCHEDULES,
    Counts,
    Schedule,
    always_over,
    k_ary,
    k_ary_always_over,
    left_windows,
    right_windows,
)
from fl.printed_schedules.windows import fixed_digits, scan_left, scan_right

pytestmark = pytest.mark.quick

ALL = [
    *SCHEDULES.values(),
    *(make(n) for make in (k_ary, left_windows, right_windows) for n in (1, 2, 3, 5)),
    always_over(11),
    k_ary_always_over(11, 1),
    k_ary_always_over(11, 3),
]
LONG = [s for s in ALL if s.name != "repeated" and "over" not in s.name] + [
    always_over(4096),
    k_ary_always_over(4096, 5),
]

by_schedule = pytest.mark.parametrize("schedule", ALL, ids=lambda s: s.name)


class Value(int):
    """An integer with an identity, so that a squaring is told from a product of equals."""


def calls(schedule: Schedule, exp: int) -> str:
    """The calls of one run: S for a squaring, M for a multiplication."""
    seen = []

    def mul(a: int, b: int, m: int) -> Value:
        seen.append("S" if a is b else "M")
        return Value(a * b % m)

    schedule.run(Value(3), exp, 101, mul)
    return "".join(seen)


def counted(schedule: Schedule, exp: int) -> Counts:
    seen = calls(schedule, exp)
    return Counts(seen.count("S"), seen.count("M"))


@by_schedule
def test_counts_are_the_calls_for_all_exponents_to_1024(schedule):
    for exp in range(1025):
        assert schedule.counts(exp) == counted(schedule, exp), exp


@pytest.mark.parametrize("schedule", LONG, ids=lambda s: s.name)
def test_counts_are_the_calls_for_long_exponents(schedule):
    rng = Random(schedule.name)
    for nbits in [*range(12, 72), 512, 1024, 4096]:
        exp = rng.getrandbits(nbits)
        assert schedule.counts(exp) == counted(schedule, exp), exp


@by_schedule
def test_constant_means_the_same_calls_for_one_length(schedule):
    sequences = {calls(schedule, exp) for exp in range(1 << 7, 1 << 8)}
    assert schedule.constant == (len(sequences) == 1)


@pytest.mark.parametrize("schedule", [always_over(8), k_ary_always_over(8, 3)])
def test_fixed_length_means_the_same_calls_for_all_exponents(schedule):
    assert len({calls(schedule, exp) for exp in range(1 << 8)}) == 1


def test_counts_that_the_documents_imply():
    """65537 takes 19 mulrems, not the 17 that document 001 prints; 002 has 2050 less 2."""
    assert SCHEDULES["right-to-left"].counts(65537) == Counts(17, 2)
    assert SCHEDULES["left-to-right"].counts(65537) == Counts(17, 2)
    assert SCHEDULES["repeated"].counts(65537) == Counts(0, 65537)
    assert always_over(1024).counts(65537).total == 2048
    assert Counts(17, 2).total == 19


def test_document_000_figures_of_windows():
    exp = 0b001110100011001010
    assert scan_left(exp, 3) == [(0b111, 13), (1, 11), (0b11, 6), (0b101, 1)]
    assert scan_right(exp, 3) == [(0b11, 14), (0b101, 11), (0b11, 6), (0b101, 1)]


@pytest.mark.parametrize("scan", [scan_left, scan_right])
@pytest.mark.parametrize("width", [1, 2, 3, 4, 7])
def test_windows_are_odd_apart_and_add_up(scan, width):
    for exp in range(2048):
        windows = scan(exp, width)
        assert sum(digit << position for digit, position in windows) == exp
        assert all(digit % 2 and digit < 1 << width for digit, _ in windows)
        ends = [position + digit.bit_length() for digit, position in windows[1:]]
        assert all(end <= position for end, (_, position) in zip(ends, windows, strict=False))


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_fixed_digits_are_the_number_in_radix_2_to_the_k(k):
    for exp in range(1100):
        digits = fixed_digits(exp, k)
        value = 0
        for digit in digits:
            assert 0 <= digit < 1 << k
            value = (value << k) + digit
        assert value == exp
        assert not digits or digits[0]


def test_windows_save_products_on_long_exponents():
    exp = Random(1).getrandbits(1024) | 1 << 1023
    binary = SCHEDULES["left-to-right"].counts(exp).total
    fixed = k_ary(4).counts(exp).total
    assert left_windows(4).counts(exp).total < fixed < binary
    assert right_windows(4).counts(exp).total < fixed
