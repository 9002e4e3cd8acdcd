"""What wrong responses have in common is found, whatever the operands, and nothing where there is
nothing: wrong units are made here of integers alone."""

from random import Random
from types import SimpleNamespace

import pytest

from eval.contract.drawn import drawn_powers, drawn_products
from eval.contract.exponentiator import ExpCase, random_cases
from eval.contract.hints import hint
from eval.contract.multiplier import random_cases as random_products

pytestmark = pytest.mark.quick


def wrongly(a, b, m, n):
    return a * b % m ^ 1


def divided(bits):
    return lambda a, b, m, n: a * b * pow(2, -n - bits, m) % m if m % 2 else 0


PRODUCTS = [
    (divided(0), "a*b/2^n mod m: Montgomery's product; declare radix=lambda nbits: nbits"),
    (divided(2), "a*b/2^(n+2) mod m: Montgomery's product; declare radix=lambda nbits: (nbits+2)"),
    (lambda a, b, m, n: a * b % m << 3 if m % 2 else 0, "a*b * 2^(n-"),
    (lambda a, b, m, n: a * b % m ^ (a >= m or b >= m), "right for a < m and b < m only"),
    (lambda a, b, m, n: a * b % m ^ (b >= m), "right for b < m only"),
    (lambda a, b, m, n: a * b % m ^ (m >> n - 1), "right for moduli of at most n-1 bits only"),
    (lambda a, b, m, n: a * b % m ^ (m >> n - 2 > 0), "right for moduli of at most n-2 bits only"),
    (lambda a, b, m, n: a * b % m ^ (m % 2 == 0), "right for odd moduli only"),
    (
        lambda a, b, m, n: a * b % m ^ (m >> n - 2 > 0 or a >= m),
        "right for a < m and moduli of at most n-2 bits only",
    ),
]


@pytest.mark.parametrize("nbits", [8, 40, 131])
@pytest.mark.parametrize(("unit", "says"), PRODUCTS)
def test_what_wrong_products_have_in_common(nbits, unit, says):
    model = SimpleNamespace(nbits=nbits, radix=0, value=lambda a, b, m: a * b % m)
    every = SimpleNamespace(
        nbits=nbits, guard_bits=0, only_modulus=None, accepts=lambda a, b, m: m >= 1
    )
    cases = random_products(nbits, 60, nbits) + drawn_products(every, 300)
    answers = [unit(*case.operands, nbits) for case in cases]
    if says.startswith("a*b * "):
        answers = [case.a * case.b * 2**nbits % case.m if case.m % 2 else 0 for case in cases]
        says = "a*b * 2^n mod m: still in Montgomery form"
    assert says in (hint(model, cases, answers, True) or "")


@pytest.mark.parametrize(
    ("power", "says"),
    [
        (lambda b, e, m, n: pow(b, e, m) << n, "base^exp * 2^n mod m: still in Montgomery form"),
        (lambda b, e, m, n: pow(b, e, m) ^ (b >= m), "right for base < mod only"),
        (lambda b, e, m, n: pow(b, e, m) ^ (m >> n - 2 > 0), "moduli of at most n-2 bits only"),
        (lambda b, e, m, n: pow(b, e, m) ^ (e == 0), "right for exponents above 0 only"),
    ],
)
def test_what_wrong_powers_have_in_common(power, says):
    nbits = 32
    model = SimpleNamespace(nbits=nbits, value=lambda b, e, m: (pow(b, e, m), 0))
    cases = [one for one in random_cases(nbits, 300, 7, odd=True) if one.mod > 8]
    answers = [power(*case.operands, nbits) % case.mod << 1 for case in cases]
    assert says in hint(model, cases, answers, False)


def sum_of(bits, nbits):
    return "n" if bits == nbits else f"(n{bits - nbits:+})"


@pytest.mark.parametrize("nbits", [8, 40])
@pytest.mark.parametrize("further", [1, 5, 8, 40])
@pytest.mark.parametrize("declared", [3, 8, 11])
def test_a_product_is_divided_by_all_that_divides_it(nbits, declared, further):
    """What a unit declares, and what it divides by besides."""

    def divided(case, bits):
        return case.a * case.b * pow(2, -bits, case.m) % case.m

    model = SimpleNamespace(
        nbits=nbits,
        radix=declared,
        value=lambda a, b, m: a * b * pow(2, -declared, m) % m,
    )
    cases = [case for case in random_products(nbits, 300, 5) if case.m % 2]
    total = declared + further
    answers = [divided(case, total) for case in cases]
    said = hint(model, cases, answers, True)
    assert f"are a*b/2^{sum_of(total, nbits)} mod m: Montgomery's product; " in said
    assert said.endswith("nbits: " + sum_of(total, nbits).replace("n", "nbits"))
    answers = [divided(case, declared - 2) for case in cases]
    assert f"a*b * 2^{sum_of(2, nbits)} mod m" in hint(model, cases, answers, True)


@pytest.mark.parametrize("further", [1, 7, 32, 35])
def test_a_power_is_divided_by_what_its_responses_are(further):
    model = SimpleNamespace(nbits=32, value=lambda b, e, m: (pow(b, e, m), 0))
    cases = [one for one in random_cases(32, 100, 7, odd=True) if one.mod > 8]
    answers = [
        pow(one.base, one.exp, one.mod) * pow(2, -further, one.mod) % one.mod << 1 for one in cases
    ]
    said = hint(model, cases, answers, False)
    assert f"are base^exp/2^{sum_of(further, 32)} mod m: converted out of" in said


def test_responses_that_come_one_request_late_are_recognised():
    model = SimpleNamespace(nbits=32, value=lambda b, e, m: (pow(b, e, m), 0))
    cases = random_cases(32, 40, 3)
    right = [pow(*case.operands) << 1 for case in cases]
    assert "those of the request before" in hint(model, cases, [0, *right[:-1]], False)
    assert hint(model, cases, right, False) is None


@pytest.mark.parametrize("seed", range(20))
def test_rare_faults_at_random_give_no_hint(seed):
    model = SimpleNamespace(nbits=40, radix=0, value=lambda a, b, m: a * b % m)
    rng, cases = Random(seed), random_products(40, 2000, seed)
    answers = [case.a * case.b % case.m ^ (rng.random() < 0.003) for case in cases]
    assert hint(model, cases, answers, True) is None


def test_what_a_design_does_not_accept_is_replaced():
    """Of a unit for odd moduli with two spare bits and operands below, and of one that has few
    moduli; half of the moduli have the greatest length."""
    narrow = SimpleNamespace(
        nbits=24,
        guard_bits=0,
        only_modulus=None,
        accepts=lambda a, b, m: m % 2 == 1 and m >> 22 == 0 and a < m and b < m,
    )
    found = drawn_products(narrow, 500)
    assert len(found) == 500
    assert len({case.operands for case in found}) > 450
    assert all(narrow.accepts(*case.operands) for case in found)
    model = SimpleNamespace(
        nbits=24, takes=lambda mod: mod in (4095, 65535), accepts=lambda b, e, m: b < m
    )
    powers = drawn_powers(model, 200, None, [ExpCase("x", 24, 3, 5, 4095)], 65535)
    assert len(powers) == 200
    assert {case.mod for case in powers} == {4095, 65535}
    assert all(case.base < case.mod for case in powers)
    every = SimpleNamespace(nbits=24, guard_bits=0, only_modulus=None, accepts=lambda a, b, m: True)
    lengths = [case.m.bit_length() for case in drawn_products(every, 1000)]
    assert 450 < lengths.count(24) < 700
    assert all(lengths.count(24 - spare) > 30 for spare in (1, 2, 3))
