"""The case tables hold what they promise: ranges, edges, and the documents' printed answers."""

import pytest

from eval.contract import exponentiator, multiplier
from fl.exponentiator import BAD_MODULUS, OK
from tests.cases import divide

pytestmark = pytest.mark.quick

PRINTED = {
    "000-example-encrypt": 407188056,
    "000-example-decrypt": 17111998,
    "000-table-1": 8,
    "000-left-to-right-scan": 81,
    "001-benchmark-encrypt": 2050940851,
    "001-benchmark-decrypt": 995313404,
    "001-figure-1-encrypt": 1460365373,
    "001-figure-1-decrypt": 5745,
    "004-example-encrypt": 212957456342734650649396939600336433714,
    "004-example-decrypt": 179441695220040973036856247560209845703,
    "004-base-above-modulus": 1,
    "004-base-is-modulus": 0,
    "004-exponent-0": 1,
    "004-exponent-0-modulus-1": 0,
}
WIDTHS = [4, 8, 9, 32, 1024, 4096]


@pytest.mark.parametrize(("name", "result"), PRINTED.items())
def test_documents_answers(name, result):
    (case,) = [case for case in exponentiator.document_cases() if case.name == name]
    assert exponentiator.expected(case) == (result, OK)


def test_modulus_0_is_a_bad_modulus():
    (case,) = [case for case in exponentiator.document_cases() if case.mod == 0]
    assert exponentiator.expected(case) == (0, BAD_MODULUS)


def test_moduli_that_a_design_does_not_take():
    case = exponentiator.ExpCase("even", 8, 3, 5, 100)
    assert exponentiator.expected(case) == (43, OK)
    assert exponentiator.expected(case, takes=lambda mod: mod % 2 == 1) == (0, BAD_MODULUS)


@pytest.mark.parametrize("nbits", WIDTHS)
def test_exponent_rows_are_in_range_and_named_once(nbits):
    rows = exponentiator.edge_cases(nbits, exp_bits=min(nbits, 24))
    rows += exponentiator.random_cases(nbits, 20, seed=1, exp_bits=min(nbits, 24))
    for case in rows:
        assert max(case.base, case.mod).bit_length() <= nbits, case
        assert case.exp.bit_length() <= min(nbits, 24), case
        assert min(case.base, case.mod, case.exp) >= 0, case
    assert len({str(case) for case in rows}) == len(rows)


@pytest.mark.parametrize("nbits", WIDTHS)
def test_exponent_edges_are_all_there(nbits):
    rows = exponentiator.edge_cases(nbits)
    ones, top = (1 << nbits) - 1, 1 << (nbits - 1)
    assert {0, 1, 2, ones, top} <= {case.mod for case in rows}
    assert {0, 1, top, ones} <= {case.exp for case in rows if case.mod > 2}
    for mod in (3, ones, top, top - 1):
        bases = {case.base for case in rows if case.mod == mod}
        assert {0, 1, mod - 1, mod, ones, min(mod + 1, ones)} <= bases
    assert any(bin(case.exp)[2:] != bin(case.exp)[:1:-1] for case in rows)


@pytest.mark.parametrize("nbits", WIDTHS)
def test_multiply_rows_are_in_range_and_named_once(nbits):
    rows = multiplier.edge_cases(nbits) + multiplier.random_cases(nbits, 20, seed=1)
    for case in rows:
        assert max(case.a, case.b, case.m).bit_length() <= nbits, case
        assert case.m >= 1, case
    assert len({str(case) for case in rows}) == len(rows)
    assert any(not case.reduced for case in rows)
    assert any(multiplier.expected(case) == 0 and case.a and case.b for case in rows)


def test_document_products():
    answers = {case.name: multiplier.expected(case) for case in multiplier.document_cases()}
    assert answers["004-product-is-modulus"] == 0
    assert answers["004-operands-above-modulus"] == 1
    assert answers["004-R-squared"] == pow(2, 256, 291173165596690131543379395216261834371)
    assert answers["000-table-1-row-2"] == 12
    assert answers["000-table-1-row-4"] == 8


def test_demands_on_random_rows():
    assert all(
        case.mod % 2 and case.mod >= 3 for case in exponentiator.random_cases(8, 200, 1, odd=True)
    )
    rows = multiplier.random_cases(8, 200, 1, odd=True, reduced=True)
    assert all(case.m % 2 and case.m >= 3 and case.reduced for case in rows)
    assert exponentiator.random_cases(32, 9, seed=1) == exponentiator.random_cases(32, 9, seed=1)
    assert exponentiator.random_cases(32, 9, seed=1) != exponentiator.random_cases(32, 9, seed=2)


@pytest.mark.parametrize(("dividend_bits", "divisor_bits"), [(8, 8), (32, 32), (64, 32), (4, 4)])
def test_divide_rows_are_in_range(dividend_bits, divisor_bits):
    rows = divide.edge_cases(dividend_bits, divisor_bits)
    rows += divide.random_cases(dividend_bits, divisor_bits, 50, seed=1)
    for case in rows:
        quotient, remainder = divide.expected(case)
        assert case.a.bit_length() <= dividend_bits, case
        assert case.b.bit_length() <= divisor_bits, case
        assert quotient.bit_length() <= dividend_bits, case
        assert remainder.bit_length() <= divisor_bits, case
    assert any(case.b == 0 for case in rows) == (dividend_bits == divisor_bits)


def test_divisor_0_is_answered_as_in_risc_v():
    assert divide.expected(divide.DivCase("zero", 8, 8, 77, 0)) == (255, 77)
