"""The array's product as integers: Montgomery's, for as many words as it asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fl.mont_mul import mm_mul_no_subtraction
from fl.systolic import (
    printed_words,
    sound_words,
    systolic_product,
    widest_modulus,
)
from tests.golden.systolic import product_by_words, words_of

WORDS = st.integers(2, 6)
DIGITS = st.integers(4, 32)


def drawn(data, most):
    """A number up to `most`, that one often."""
    return data.draw(st.integers(0, most) | st.just(most))


@pytest.mark.quick
@given(st.data(), DIGITS, WORDS)
def test_the_value_is_montgomerys(data, k, words):
    radix = k * words
    m = drawn(data, (1 << radix - 2) - 1) | 1
    x, y = drawn(data, (1 << radix - 1) - 1), drawn(data, 2 * m - 1)
    product = systolic_product(x, y, m, k, words)
    assert product == product_by_words(x, y, m, k, words)
    assert product == mm_mul_no_subtraction(x, y, m, radix)


@pytest.mark.quick
@given(st.data(), DIGITS, WORDS)
def test_any_x_below_r_times_at_most_m_is_below_2m(data, k, words):
    radix = k * words
    m = drawn(data, (1 << radix - 2) - 1) | 1
    x, y = drawn(data, (1 << radix) - 1), drawn(data, m)
    product = systolic_product(x, y, m, k, words)
    assert product == product_by_words(x, y, m, k, words)
    assert product < 2 * m
    assert (product << radix) % m == x * y % m


@given(st.data(), st.integers(4, 12), st.integers(2, 4))
def test_sums_and_carries_fit_the_registers_of_an_element(data, k, words):
    """Over any words: a sum has 2k + 1 bits, a carry k + 1 of which not all are ones."""
    top = (1 << k) - 1
    carry = 0
    for _ in range(2 * words):
        a, x, y, u, m = (drawn(data, top) for _ in range(5))
        total = a + carry + x * y + u * m
        carry = total >> k
        assert total < 1 << 2 * k + 1
        assert carry <= 2 * top


@pytest.mark.quick
@pytest.mark.parametrize(
    ("nbits", "sound", "printed"),
    [(8, 2, 2), (32, 3, 2), (512, 33, 32), (1024, 65, 64), (2048, 129, 128), (4096, 257, 256)],
)
def test_words_of_16_bits(nbits, sound, printed):
    assert (sound_words(nbits, 16), printed_words(nbits, 16)) == (sound, printed)
    assert widest_modulus(nbits, 16, sound) == nbits
    assert widest_modulus(nbits, 16, printed) == (8 if nbits == 8 else nbits - 2)


@pytest.mark.quick
def test_words_put_together_are_the_value():
    assert words_of(0x12345, 8, 4) == [0x45, 0x23, 1, 0]


@pytest.mark.quick
def test_document_002_has_too_few_words_for_its_widest_moduli():
    """Two words of 4 bits have no room for the ninth bit of 142 * 15 under 145 on its way."""
    with pytest.raises(ValueError, match=r"m must be from 0 to 2\^6-1 = 63, not 145"):
        systolic_product(15, 142, 145, 4, 2)
    product = systolic_product(15, 142, 145, 4, 3)
    assert (product << 12) % 145 == 15 * 142 % 145
