"""What a fault is classed as, worked out without the code under test."""

from itertools import pairwise
from math import comb, gcd

import pytest

from eval.catalog.point import Point
from eval.tasks.faults.interval import clopper_pearson, incomplete_beta
from eval.tasks.faults.operation import (
    CHECK,
    CORRECT,
    CRT,
    EXPLOITABLE,
    HANG,
    HARMLESS,
    POWER,
    PRIVATE,
    STATUS,
    Signing,
)
from eval.tasks.private import simulate_private
from fl.xcel import (
    BASE,
    GO,
    KEY,
    MOD,
    READ,
    RESULT,
    STATUS_BAD_MODULUS,
    STATUS_FAULT,
    WRITE,
)
from sim.errors import UserError
from sim.faults import Seen

pytestmark = pytest.mark.quick

POINT = Point("mont-ct", 40)  # two words


def seen(signing: Signing, *answers: tuple[int, int]) -> Seen:
    """The responses to an operation whose powers are answered so: a result, a status."""
    responses, words, number = [], [], 0
    for type_, register, _ in signing.messages:
        value, status = answers[number]
        responses.append(0)
        if (type_, register) == (READ, RESULT):
            responses[-1] = 1 << 32 | value >> 32 * len(words) & 0xFFFFFFFF
            words.append(value)
        elif (type_, register) == (READ, GO):
            responses[-1] = 1 << 32 | status
            number, words = number + 1, []
    return Seen(responses, 100)


def test_a_wrong_half_gives_away_the_other_prime() -> None:
    signing = Signing(POINT)
    key, right = signing.key, pow(signing.c, signing.key.d, signing.key.n)
    assert (key.n.bit_length(), key.p.bit_length()) == (80, 40)
    assert signing.signature(right % key.p) == right
    assert signing.outcome(seen(signing, (right % key.p, 0))) == (CORRECT, None)
    for wrong in (0, 1, right % key.p ^ 1 << 33):
        assert signing.factor(signing.signature(wrong)) == key.q
        assert signing.outcome(seen(signing, (wrong, 0))) == (EXPLOITABLE, None)
    other = right % key.p + key.p
    if not other >> 40:  # not reduced, and the same signature
        assert signing.outcome(seen(signing, (other, 0))) == (HARMLESS, None)
    assert signing.outcome(seen(signing, (0, STATUS_BAD_MODULUS))) == (STATUS, None)
    assert signing.outcome(Seen([0, 0], None)) == (HANG, None)


def test_a_bit_of_the_exponent_is_told() -> None:
    signing = Signing(POINT, POWER)
    n, d, c = signing.key.n, signing.key.d, signing.c
    assert (signing.power.base, signing.power.exp, signing.power.mod) == (c, d, n)
    for bit in (0, 7, 39):
        assert signing.outcome(seen(signing, (pow(c, d ^ 1 << bit, n), 0))) == (EXPLOITABLE, bit)
    assert signing.outcome(seen(signing, (pow(c, d ^ 3, n), 0))) == (HARMLESS, None)


@pytest.mark.parametrize("operation", [CRT, POWER])
def test_the_check_takes_the_result_that_came(operation: str) -> None:
    signing = Signing(POINT, operation, checked=True)
    right, base = signing.right, signing.power.base
    assert pow(right, 65537, signing.power.mod) == base
    assert signing.outcome(seen(signing, (right, 0), (base, 0))) == (CORRECT, None)
    for wrong in ((right ^ 1, 0), (5, 0)), ((right, 0), (base ^ 1 << 35, 0)):
        assert signing.outcome(seen(signing, *wrong)) == (CHECK, None)
    assert signing.outcome(seen(signing, (right, 0), (0, STATUS_BAD_MODULUS))) == (STATUS, None)
    itself = seen(signing, (base, 0), (base, 0))  # to the power 1, both times
    assert signing.outcome(itself) == (CHECK, None)
    assert signing.outcome(itself, refuses_base=False)[0] != CHECK
    unchecked = Signing(POINT, operation)
    assert unchecked.outcome(seen(unchecked, (base, 0)))[0] != CHECK
    echoes = [(i, one) for i, one in enumerate(signing.echo) if one is not None]
    assert len(echoes) == 2
    for place, response in echoes:
        assert signing.messages[place][:2] == (1, 1)  # a push of the base
        assert signing.messages[response][:2] == (READ, RESULT)
    assert all(b[1] == a[1] + 1 for a, b in pairwise(echoes))


def test_e_that_is_too_long_for_the_design_is_as_good_modulo_p() -> None:
    signing = Signing(Point("mont-ct", 8), checked=True)
    assert signing.key.e == 257
    exponent = signing.messages[-5][2]
    assert exponent < 256
    assert pow(signing.right, exponent, signing.power.mod) == signing.power.base


def test_what_there_is_not() -> None:
    with pytest.raises(UserError, match="--operation: no operation 'x'; choose from crt, d"):
        Signing(POINT, "x")
    with pytest.raises(UserError, match="near-power-4 does not take"):
        Signing(Point("near-power-4", 64))
    with pytest.raises(UserError, match="--nbits: no key has primes of 4096 bits"):
        Signing(Point("mont-ct", 4096))


def test_a_design_that_checks_says_so_and_one_that_does_not_gives_away_a_prime() -> None:
    signing = Signing(Point("array-crt(digit=4)", 16), PRIVATE)
    key, right = signing.key, pow(signing.c, signing.key.d, signing.key.n)
    assert key.n.bit_length() == 16
    assert {register for type_, register, _ in signing.messages if type_ == WRITE} == {
        *(GO, BASE, MOD, *KEY)
    }
    assert signing.outcome(seen(signing, (right, 0))) == (CORRECT, None)
    assert signing.outcome(seen(signing, (0, STATUS_FAULT))) == (CHECK, None)
    assert signing.outcome(seen(signing, (0, STATUS_BAD_MODULUS))) == (STATUS, None)
    assert gcd(pow(right + key.q, key.e, key.n) - signing.c, key.n) == key.q
    assert signing.outcome(seen(signing, ((right + key.q) % key.n, 0))) == (EXPLOITABLE, None)
    assert signing.outcome(seen(signing, (right ^ 1, 0))) == (HARMLESS, None)


# By hand, 1 - 0.025^(1/n) and 0.025^(1/n), where none or all are found; five of ten as in tables.
@pytest.mark.parametrize(
    ("found", "of", "low", "high"),
    [
        (0, 10, 0.0, 1 - 0.025**0.1),
        (10, 10, 0.025**0.1, 1.0),
        (0, 10**6, 0.0, 3.688872e-06),
        (5, 10, 0.1870860, 0.8129140),
    ],
)
def test_the_interval_is_that_of_clopper_and_pearson(
    found: int, of: int, low: float, high: float
) -> None:
    assert clopper_pearson(found, of) == pytest.approx((low, high), rel=1e-6)


@pytest.mark.parametrize(("found", "of"), [(1, 9), (3, 10), (81, 263), (399, 400)])
def test_at_its_ends_the_tails_are_of_a_fortieth(found: int, of: int) -> None:
    def chance(counts: range, share: float) -> float:
        return sum(comb(of, i) * share**i * (1 - share) ** (of - i) for i in counts)

    low, high = clopper_pearson(found, of)
    assert chance(range(found, of + 1), low) == pytest.approx(0.025, rel=1e-9)
    assert chance(range(found + 1), high) == pytest.approx(0.025, rel=1e-9)


def test_the_incomplete_beta_function_of_ones_is_its_argument() -> None:
    assert incomplete_beta(1, 1, 0.3) == pytest.approx(0.3)
    assert incomplete_beta(3, 1, 0.9) == pytest.approx(0.729)
    assert (incomplete_beta(2, 5, 0.0), incomplete_beta(2, 5, 1.0)) == (0.0, 1.0)


@pytest.mark.parametrize("refused", [(1, 0), (0, 1), (1, 1)], ids=str)
def test_a_modulus_that_either_power_refuses_is_told(refused: tuple[int, int]) -> None:
    """By its status, whatever the results are."""
    signing = Signing(POINT, checked=True)
    results = signing.right, signing.power.base
    answers = [(r, STATUS_BAD_MODULUS * bad) for r, bad in zip(results, refused, strict=True)]
    assert signing.outcome(seen(signing, *answers)) == (STATUS, None)


def test_a_private_operation_may_take_twice_its_cycles() -> None:
    """A fault that makes it later than that has no answer."""
    signing = Signing(Point("array-crt(digit=4)", 16), PRIVATE)
    from_go = simulate_private(signing.point, "cl").from_go
    assert from_go is not None
    # Six parts of the key, the base, the modulus; a go, a word of the result, the status.
    assert signing.limit == 2 * (from_go - 1 + 6 + 2 + 3)
