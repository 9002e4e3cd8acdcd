"""Document 002's figures agree with each other, and what its items say of it is computed."""

import re
from itertools import product

import pytest
from jinja2 import Environment

from cl.systolic import systolic_latency
from eval.catalog import find
from eval.catalog.workloads import key_for
from eval.documents.d002 import figures as printed
from eval.documents.d002.figures import FASTER, MULTIPLIER, SLOWER, TAKEN, WHOLE
from eval.documents.item import OPEN
from eval.documents.items import items_of
from fl.mont_mul import minus_inverse
from fl.systolic import printed_words, systolic_product
from tests.eval.documents.quotes import quotes_of, render
from tests.golden.systolic import words_of

pytestmark = pytest.mark.quick
ITEMS = items_of("002")
BY_NAME = {item.name: item for item in ITEMS}
DIGIT = 16
TABLES = {1: ("multiplier", 512), 2: ("multiplier", 1024), 3: ("multiplier", 2048)}
TABLES[5] = ("exponentiator", 1024)


def algorithm_2(x: int, y: int, m: int, k: int, n: int) -> int:
    """The product as printed, in numbers of any length."""
    inverse, mask, a = minus_inverse(m, k), (1 << k) - 1, 0
    for x_i in words_of(x, k, n):
        u_i = ((a & mask) + x_i * (y & mask)) * inverse & mask
        a = a + x_i * y + u_i * m >> k
    return a


def algorithm_3(x: int, y: int, m: int, k: int, n: int) -> int:
    """The product as printed: u_i times all of m, a word shifted out of every sum."""
    inverse, mask = minus_inverse(m, k), (1 << k) - 1
    a, y_words = [0] * n, words_of(y, k, n)
    for x_i in words_of(x, k, n):
        u_i = (a[0] + x_i * y_words[0]) * inverse & mask
        carry = 0
        for j in range(n):
            total = a[j] + x_i * y_words[j] + u_i * m + carry >> k
            carry, a[j] = total >> k, total & mask
    return sum(word << k * j for j, word in enumerate(a))


def algorithm_4(n: int) -> int:
    """The steps that the controller enables."""
    i = steps = 0
    while True:
        steps += 1
        i += 1
        if i >= n - 1:
            return steps


@pytest.mark.parametrize("number", TABLES)
def test_the_printed_counts_are_the_printed_shares_of_the_device(number):
    taken = TAKEN[TABLES[number]]
    assert taken.table == number
    counts = (taken.luts, taken.ffs, printed.SLICES[number], taken.dsp)
    shares = [100 * count / of for count, of in zip(counts, printed.AVAILABLE, strict=True)]
    assert shares == pytest.approx(printed.PER_CENT[number], abs=0.006)


@pytest.mark.parametrize("nbits", printed.PRODUCT_CYCLES)
def test_cycles_follow_from_words_and_are_those_of_our_array(nbits):
    words = printed_words(nbits, DIGIT)
    cycles = printed.PRODUCT_CYCLES[nbits]
    assert cycles == 3 * words + 2 == systolic_latency(words) + 1
    assert printed.EXPONENTIATION_CYCLES[nbits] == (2 * nbits + 2) * cycles


def test_equation_3_and_the_cycles_that_are_saved():
    [(t, products)] = printed.PRODUCTS.items()
    assert products == 2 * (t + 1) + 2
    assert products * printed.WANG.cycles == printed.CYCLES_BEFORE
    assert printed.CYCLES_BEFORE - printed.EXPONENTIATION_CYCLES[1024] == 10250
    assert "10250 fewer" in BY_NAME["claim 1"].says
    key = key_for(1024)
    ours = find("systolic-given").cycles(1024, 2, key.d, key.n)
    assert ours == products * (3 * 65 + 2) + 1
    assert "products of 3 * 65 + 2" in BY_NAME["equation 3"].found


@pytest.mark.parametrize(("m", "x", "y", "result"), [(71, 137, 139, 144), (103, 199, 202, 256)])
def test_algorithm_2_fails_within_its_premises(m, x, y, result):
    r = 16**2
    assert x < 2 * m
    assert y < 2 * m < r < 4 * m
    assert algorithm_2(x, y, m, 4, 2) == result >= 2 * m
    fits = "is no input of a next one" if result < r else "two words do not hold"
    said = rf"{x} and {y}\s+under m = {m} is {result}, which {fits}"
    assert re.search(said, BY_NAME["algorithm 2"].found)


def test_algorithm_2_is_right_for_r_above_4m():
    k, n = 3, 2
    r = 1 << k * n
    for m in range(3, r // 4, 2):
        for x, y in product(range(2 * m), repeat=2):
            result = algorithm_2(x, y, m, k, n)
            assert result < 2 * m
            assert (result * r - x * y) % m == 0


def test_the_words_of_the_tables_are_too_few_for_moduli_of_all_bits():
    for _, nbits in TABLES.values():
        assert 2 * (1 << nbits - 1) >= 1 << DIGIT * printed_words(nbits, DIGIT)


def test_algorithm_3_as_printed_is_no_product():
    x, y, m = 20, 30, 61
    assert systolic_product(x, y, m, 4, 2) * 16**2 % m == x * y % m
    assert algorithm_3(x, y, m, 4, 2) * 16**2 % m != x * y % m


@pytest.mark.parametrize("n", [32, 64, 128])
def test_algorithm_4_makes_a_step_too_few(n):
    assert algorithm_4(n) == n - 1


@pytest.mark.parametrize("s", [8, 32, 64])
def test_three_states_a_word_take_longer_than_printed(s):
    starts = [[0] * s for _ in range(s)]  # by element and word
    for j, i in product(range(s), repeat=2):
        after_word = starts[j][i - 1] + 3 if i else 0
        after_left = starts[j - 1][i] + 1 if j else 0
        starts[j][i] = max(after_word, after_left)
    cycles = starts[-1][-1] + 3
    assert cycles == 4 * s - 1 > 3 * s + 2
    assert "4s - 1 cycles" in BY_NAME["figure 2"].found


def test_table_4_names_who_is_faster():
    assert {work.of.split(",")[0] for work in FASTER} == {"Wang", "McIvor", "Mrabet"}
    assert {work.of.split(",")[0] for work in SLOWER} == {"Perin"}
    quoted = quotes_of(BY_NAME["table 4"]).printed
    assert quoted[0] == "1.94"
    assert set(quoted) == {"1.94", "1.66", "1.91", "1.02", "3.49", "2.95"}


def test_what_is_said_of_resources():
    own, other = printed.OWN, printed.SAME_DEVICE
    assert own.of.endswith("Artix-7")
    assert other.of.endswith("Artix-7")
    assert own.luts > other.luts
    assert own.ffs > other.ffs
    assert own.slices > other.slices
    assert own.dsp < other.dsp
    assert own.luts < printed.WANG.luts
    assert own.ffs < printed.WANG.ffs
    assert own.dsp == printed.WANG.dsp
    assert own.slices == printed.SLICES[2]
    assert [own.luts, own.ffs, own.dsp] == [MULTIPLIER.luts, MULTIPLIER.ffs, MULTIPLIER.dsp]


def test_what_is_said_of_the_multiplier_slices_and_4096_bits():
    assert quotes_of(BY_NAME["claim 3"]).printed == ["89", "56"]
    assert "89 % of the tables, 56 % of the registers" in render(BY_NAME["claim 3"])
    assert MULTIPLIER.dsp == WHOLE.dsp
    assert round(MULTIPLIER.luts / printed.SLICES[2], 1) == 2.0
    assert "uses 2.0" in render(BY_NAME["claim 4"])
    assert printed_words(4096, DIGIT) + 2 == printed.DSP_AT_4096 > printed.AVAILABLE[3]
    for nbits in (512, 1024, 2048):
        assert printed_words(nbits, DIGIT) + 2 == TAKEN["multiplier", nbits].dsp


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_a_finding_is_a_template_and_has_a_basis(item):
    Environment().parse(item.terms.macros + item.found)
    assert item.basis or item.verdict == OPEN
