"""Every schedule computes base^exp mod m, on tables, drawn operands and RSA keys."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.contract.exponentiator import document_cases, edge_cases, expected, random_cases
from fl.printed_schedules import (
    SCHEDULES,
    Schedule,
    always_over,
    k_ary,
    k_ary_always_over,
    left_windows,
    right_windows,
)
from fl.rsa_keys import RsaKey
from tests.golden.rsa_package import golden_decrypt, golden_encrypt, new_key

MOST_PRODUCTS = 100_000  # what a test runs at most: repeated multiplying takes exp products

with_parameter = pytest.mark.parametrize("make", [k_ary, left_windows, right_windows])


def quick_for(exp: int) -> list[Schedule]:
    """The schedules that finish soon for this exponent."""
    return [s for s in SCHEDULES.values() if s.counts(exp).total <= MOST_PRODUCTS]


def check_key(key: RsaKey, rng: Random) -> None:
    """All schedules but repeated multiplying encrypt and decrypt as the `rsa` package does."""
    message = rng.randrange(key.n)
    ciphertext = golden_encrypt(message, key)
    assert golden_decrypt(ciphertext, key) == message, key
    for schedule in SCHEDULES.values():
        if schedule.name != "repeated":
            assert schedule.run(message, key.e, key.n) == ciphertext, (schedule.name, message, key)
            assert schedule.run(ciphertext, key.d, key.n) == message, (schedule.name, message, key)


def test_schedules_on_1000_new_keys():
    rng = Random(1)
    for i in range(1000):
        check_key(new_key(32 + 2 * (i % 17)), rng)


# Python looks for the primes of longer keys for a quarter of a minute, or a whole one.
@pytest.mark.parametrize(
    "nbits", [512, 768, 1024, *(pytest.param(n, marks=pytest.mark.long) for n in (2048, 4096))]
)
def test_schedules_on_long_keys(nbits):
    check_key(new_key(nbits), Random(nbits))


@pytest.mark.quick
def test_repeated_multiplying_encrypts_with_65537():
    for _ in range(5):
        key = new_key(32)
        message = Random(key.n).randrange(key.n)
        assert SCHEDULES["repeated"].run(message, key.e, key.n) == golden_encrypt(message, key), key


@pytest.mark.parametrize("nbits", [8, 32, 512])
def test_schedules_agree_with_the_table(nbits):
    rows = edge_cases(nbits) + random_cases(nbits, 100, seed=1) + document_cases()
    runs = 0
    for case in rows:
        if case.mod == 0:
            continue
        for schedule in quick_for(case.exp):
            got = schedule.run(case.base, case.exp, case.mod)
            assert got == expected(case)[0], (schedule.name, case)
            runs += 1
    assert runs > 6 * 200


@settings(derandomize=True, deadline=None, database=None, max_examples=300)
@given(st.integers(0, 1 << 100), st.integers(0, 1 << 100), st.integers(1, 1 << 80))
def test_schedules_agree_with_pow(base, exp, mod):
    for schedule in quick_for(exp):
        assert schedule.run(base, exp, mod) == pow(base, exp, mod), schedule.name


@pytest.mark.quick
@with_parameter
@settings(derandomize=True, deadline=None, database=None)
@given(st.integers(1, 8), st.integers(0, 300), st.integers(0, 1 << 40), st.integers(1, 200))
def test_every_width_agrees_with_pow(make, width, base, exp, mod):
    assert make(width).run(base, exp, mod) == pow(base, exp, mod)


@pytest.mark.quick
@settings(derandomize=True, deadline=None, database=None)
@given(st.integers(1, 70), st.integers(1, 5), st.integers(0, 300), st.integers(1, 200), st.data())
def test_fixed_lengths_agree_with_pow(nbits, k, base, mod, data):
    exp = data.draw(st.integers(0, (1 << nbits) - 1))
    for schedule in (always_over(nbits), k_ary_always_over(nbits, k)):
        assert schedule.run(base, exp, mod) == pow(base, exp, mod), schedule.name


@pytest.mark.quick
@pytest.mark.parametrize("name", SCHEDULES)
def test_every_result_is_a_product_of_mul(name):
    """With integers mod m replaced by exponents of base, run must add up to exp."""

    def add(a: int, b: int, m: int) -> int:
        return a + b

    # one = 0 = base^0 and base = base^1: steps is called past the checks of run.
    for exp in range(300):
        assert SCHEDULES[name].steps(1, exp, 101, 0, add) == exp


@pytest.mark.quick
@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize(
    ("operands", "message"),
    [
        ((-1, 2, 3), "base must be at least 0, not -1"),
        ((1, -2, 3), "exp must be at least 0, not -2"),
        ((1, 2, 0), "mod must be at least 1, not 0"),
    ],
)
def test_operands_out_of_range_are_named(name, operands, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        SCHEDULES[name].run(*operands)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: k_ary(0), "k must be from 1 to 12, not 0"),
        (lambda: k_ary_always_over(8, 13), "k must be from 1 to 12, not 13"),
        (lambda: left_windows(0), "width must be from 1 to 12, not 0"),
        (lambda: right_windows(13), "width must be from 1 to 12, not 13"),
        (lambda: always_over(0), "nbits must be at least 1, not 0"),
        (lambda: k_ary_always_over(0, 2), "nbits must be at least 1, not 0"),
        (lambda: always_over(8).run(3, 256, 7), "exp must be from 0 to 2^8-1, not 256"),
        (lambda: always_over(8).counts(256), "exp must be from 0 to 2^8-1, not 256"),
        (lambda: k_ary_always_over(8, 3).run(3, 256, 7), "exp must be from 0 to 2^8-1, not 256"),
        (lambda: k_ary_always_over(8, 3).counts(256), "exp must be from 0 to 2^8-1, not 256"),
    ],
)
def test_parameters_out_of_range_are_named(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()
