"""Document 003's arithmetic and cycles: against pow, and against what it prints."""

import pytest

from cl.digit_serial import loading_cycles, printed_cycles, serial_latency, serial_products
from fl.digit_serial import SUM_BITS, doublings, serial_product, serial_words
from fl.mont_mul import mm_mul_no_subtraction
from tests.golden.digit_serial import r_squared_by_signs, serial_power

pytestmark = pytest.mark.quick

SMALL = [(nbits, m) for nbits in (3, 4, 5) for m in range(1, 1 << nbits, 2)]
# e = 65537 and 1024 bits in the exponent, as figure 17.4 and its formula have them
PRINTED = {
    32: (645288, 34842001),
    64: (332440, 17949905),  # the document has this row's cycles in the next, and that row's here
    128: (176016, 9503857),
    256: (97804, 5280833),
}


@pytest.mark.parametrize(("nbits", "m"), SMALL)
def test_products_over_their_whole_range(nbits, m):
    for a in range(2 << nbits):
        for b in range(2 * m):
            product = serial_product(a, b, m, nbits)
            assert product == mm_mul_no_subtraction(a, b, m, nbits + 2) < 2 * m


@pytest.mark.parametrize(("nbits", "m"), SMALL)
def test_powers_over_their_whole_range(nbits, m):
    assert r_squared_by_signs(m, nbits) == pow(2, 2 * (nbits + 2), m)
    for base in range(1 << nbits):
        for exp in range(1, 1 << nbits):
            assert serial_power(base, exp, m, nbits) == pow(base, exp, m)


def test_a_sum_has_four_bits_more_than_the_modulus():
    """Document 003's words hold n + 2 bits: too few."""
    nbits, m, most = 5, 31, 0
    for a in range(2 << nbits):
        for b in range(2 * m):
            u = 0
            for i in range(nbits + 3):
                v = (a >> i & 1) * 2 * b + (u & 1) * m
                most = max(most, u + v)
                u = (u + v) // 2
    assert most == 272
    assert most.bit_length() == nbits + SUM_BITS


@pytest.mark.parametrize("word_bits", PRINTED)
def test_cycles_are_those_of_the_document(word_bits):
    assert serial_words(1024, word_bits) == -(-1026 // word_bits)  # as printed
    for exp, cycles in zip((65537, (1 << 1024) - 1), PRINTED[word_bits], strict=True):
        assert printed_cycles(1024, word_bits, serial_products(exp, 1024, True)) == cycles
        mod = (1 << 1024) - 1
        more = serial_latency(1024, word_bits, True, exp, mod) - cycles
        assert more == loading_cycles(1024, word_bits, mod)


def test_the_p_processor_alone_makes_each_product_in_turn():
    assert serial_products(0b1011, 8, True) == 6
    assert serial_products(0b1011, 8, False) == 3 + 3 + 3


def test_doublings_are_half_as_many_for_moduli_of_full_length():
    assert doublings(255, 8) == (256, 13)
    assert doublings(127, 8) == (1, 21)
