"""Document 003's figures agree with each other, and what its items say of it is computed."""

import random
from itertools import product

import pytest
from jinja2 import Environment

from cl.digit_serial import printed_cycles, serial_product_cycles
from eval.documents.d003.figures import (
    BLUM_PAAR,
    EXPONENT,
    EXPONENT_BITS,
    IN_TURN,
    NBITS,
    RIGHT_TIME,
    ROWS,
    SAVED,
    SLOWER,
    SUMS_SAVED,
    TOGETHER,
)
from eval.documents.items import items_of
from fl.digit_serial import serial_product
from tests.eval.documents.quotes import quotes_of, render

pytestmark = pytest.mark.quick
ITEMS = items_of("003")
BY_NAME = {item.name: item for item in ITEMS}
BY_WORD = {row.word_bits: row for row in ROWS}
SWAPPED = {64: 128, 128: 64}


def algorithm_1(a: int, b: int, n: int, k: int) -> int:
    """Algorithm 17.1.1 as printed."""
    u = 0
    for j in range(k + 3):
        if u & 1:
            u += n
        u = u // 2 + (a >> j & 1) * b
    return u


def sums(a: int, b: int, n: int, k: int, width: int) -> list[int]:
    """The sums U + V of section 17.2, kept in so many bits."""
    found, u = [], 0
    for i in range(k + 3):
        found.append(u + (a >> i & 1) * 2 * b + (u & 1) * n)
        u = found[-1] % (1 << width) // 2
    return found


def products(exp: int) -> tuple[int, int]:
    """The products of algorithm 17.1.2: all, and those one after the other with both processors."""
    squares, multiplications = exp.bit_length(), exp.bit_count()
    return 2 + squares + multiplications + 1, 1 + squares + 1


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"S = {row.word_bits}")
def test_the_printed_rows_agree_with_each_other(row):
    assert sum(row.parts_slices) == row.slices
    assert row.area_time == round(row.slices * row.time_ms)
    assert max(row.parts_ns) == pytest.approx(row.period_ns, abs=0.05)
    right = BY_WORD[SWAPPED.get(row.word_bits, row.word_bits)].cycles
    assert right == printed_cycles(NBITS, row.word_bits, EXPONENT_BITS + 2)
    assert (round(right * row.period_ns / 1e6, 2) == row.time_ms) == (row.word_bits != 256)


def test_what_is_said_of_the_rows():
    quoted = quotes_of(BY_NAME["figure 17.4"]).printed
    assert EXPONENT.bit_length() == EXPONENT_BITS
    assert f"{RIGHT_TIME:.2f}" == "3.02"
    assert "3.02" in quoted
    assert "S = 64 and 128 in each other's row" in render(BY_NAME["figure 17.4"])
    assert quoted[:4] == ["645288", "332440", "176016", "97804"]
    assert [row.word_bits for row in ROWS if row.limits != "adder"] == [32]
    assert quotes_of(BY_NAME["claim 5"]).printed == ["8.7", "7.4", "8.6"]


def test_algorithm_17_1_1_is_right_and_the_sum_of_section_17_2_the_same():
    k = 4
    for n in range((1 << k - 1) + 1, 1 << k, 2):
        for a, b in product(range(2 * n), repeat=2):
            u = algorithm_1(a, b, n, k)
            assert u <= 2 * n
            assert (u * (1 << k + 2) - a * b) % n == 0
            assert u == serial_product(a, b, n, k)


def test_sums_have_two_bits_more_than_section_17_2_says():
    k, n, a, b = 5, 31, 61, 59
    assert "272 at K = 5, N = 31, A = 61 and B = 59" in BY_NAME["claim 1"].found
    assert max(a, b) < 2 * n
    assert max(sums(a, b, n, k, k + 4)) == 272 >= 1 << k + 3
    assert sums(a, b, n, k, k + 4)[-1] // 2 == algorithm_1(a, b, n, k)
    assert (sums(a, b, n, k, k + 2)[-1] // 2 - algorithm_1(a, b, n, k)) % n


def test_no_sum_has_more_than_k_plus_4_bits():
    k = 4
    most = max(
        max(sums(a, b, n, k, k + 5))
        for n in range((1 << k - 1) + 1, 1 << k, 2)
        for a, b in product(range(2 * n), repeat=2)
    )
    assert most < 1 << k + 4
    for row in ROWS:
        assert -(-(NBITS + 2) // row.word_bits) == -(-(NBITS + 4) // row.word_bits)


def test_a_quarter_of_the_steps_add_both():
    draw = random.Random(3)
    both, runs = 0, 16
    for _ in range(runs):
        n = draw.getrandbits(NBITS) | 1 << NBITS - 1 | 1
        a, b = draw.randrange(2 * n), draw.randrange(2 * n)
        odd = [s // 2 & 1 for s in sums(a, b, n, NBITS, NBITS + 4)]
        both += sum(a >> i + 1 & odd[i] for i in range(NBITS + 2))
    assert both / runs == pytest.approx((NBITS + 3) / 4, rel=0.05)
    assert SUMS_SAVED == 33 * (1027 / 4 - 1)
    assert quotes_of(BY_NAME["claim 2"]).printed == ["8440"]
    assert serial_product_cycles(NBITS, 32) == (2 * 33 + 2) + (NBITS + 3) * 33


def test_what_an_exponentiation_takes_without_the_z_processor():
    assert products(EXPONENT) == (IN_TURN, TOGETHER) == (22, 19)
    ones, halves = (1 << NBITS) - 1, int("10" * (NBITS // 2), 2)
    ratio = {exp: alone / both for exp in (ones, halves) for alone, both in [products(exp)]}
    assert ratio[ones] == pytest.approx(2, abs=0.01)
    assert ratio[halves] == pytest.approx(1.5, abs=0.01)


def test_the_comparison_of_section_17_4():
    least, *_, widest = ROWS
    assert round(widest.time_ms / BLUM_PAAR.time_ms) == SLOWER
    assert round(100 * (1 - widest.slices / BLUM_PAAR.slices)) == SAVED
    assert least.slices < BLUM_PAAR.least_slices
    assert BLUM_PAAR.area_time < BLUM_PAAR.slices * BLUM_PAAR.time_ms  # the best is another one
    best = min(ROWS, key=lambda row: row.area_time)
    assert (best.word_bits, best.area_time) == (64, 4586)
    assert best.area_time > BLUM_PAAR.area_time
    assert "4 times slower and 40 % smaller" in BY_NAME["claim 6"].says


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_a_finding_is_a_template(item):
    Environment().parse(item.terms.macros + item.found)
