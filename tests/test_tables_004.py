"""Table 1 of document 004: the formulas' figures beside the printed ones, and the hardware's."""

from math import sqrt

import pytest

from cl.ssmm import ssmm_004_most
from eval.catalog import DESIGNS
from eval.printed_004 import TABLE_1
from eval.tables_004 import MEASURED_BY_DEFAULT, WIDTHS, key_for, requests_for, table_1

NOTHING: tuple[int, ...] = ()


@pytest.mark.quick
def test_the_keys_are_as_long_as_the_documents():
    for row in TABLE_1:
        key = key_for(row.nbits)
        assert key.n.bit_length() == row.nbits
        assert key.e.bit_length() + key.d.bit_length() == 2 * row.exp_bits
        (message, *_), (ciphertext, _, mod) = requests_for(row.nbits)
        assert pow(ciphertext, key.d, mod) == message


@pytest.mark.quick
def test_every_printed_figure_but_the_misprints_is_explained():
    """Algo 4 to the cycle or two that bitlen(2^n - m) differs; algo 6 within what m moves it.

    m moves the mean of T6 by up to k, and a sum of 2k lengths, each with a variance of about 2,
    spreads by sqrt(k) around its mean over both operations.
    """
    for row in table_1(measured=NOTHING):
        off = abs(row.printed - row.expected)
        allowed = 2 if row.algorithm == "Algo 4" else row.exp_bits + 4 * sqrt(row.exp_bits)
        assert (off > allowed) == bool(row.misprint), row


@pytest.mark.quick
def test_the_misprints():
    marked = [(row.algorithm, row.nbits) for row in table_1(NOTHING) if row.misprint]
    assert marked == [("Algo 4", 2048), ("Algo 6", 2048)]
    assert ssmm_004_most(2048) == 4204543 < TABLE_1[-1].algo_6.cycles
    # T4 = k*2053 + 4096 + bitlen(2^2048 - m) + 13, its mean over two k cut to a whole number
    lengths = {
        (k2 / 2, size)
        for k2 in range(4000, 4097)
        for size in range(1, 2048)
        if int(k2 / 2 * 2053 + 4096 + size + 13) == TABLE_1[-1].algo_4.cycles
    }
    assert {k for k, _ in lengths} == {2045.5, 2046.0}
    assert max(size for _, size in lengths) == 1110


def test_the_hardware_takes_what_the_formula_says():
    for row in table_1(measured=(64, 128)):
        if row.nbits in (64, 128) and row.formula is not None:
            assert row.measured == row.formula


@pytest.mark.quick
def test_the_example_is_the_printed_row():
    row = next(r for r in table_1(NOTHING) if (r.algorithm, r.nbits) == ("Algo 6", 128))
    assert row.formula == 16752.5
    assert int(row.formula) == row.printed


@pytest.mark.quick
def test_the_catalog_has_the_printed_figures():
    published = DESIGNS["ssmm-004"].published
    assert {f.nbits for f in published} == set(WIDTHS)
    cycles = {f.nbits: f for f in published if f.what == "mean_cycles"}
    assert cycles[128].value == 16752
    assert [n for n in WIDTHS if "misprint" in cycles[n].note] == [2048]


@pytest.mark.long
def test_the_whole_table_in_hardware():
    assert set(MEASURED_BY_DEFAULT) < set(WIDTHS)
    for row in table_1(measured=WIDTHS):
        if row.formula is not None:
            assert row.measured == row.formula
