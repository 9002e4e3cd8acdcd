"""What a fault is classed as, worked out without the code under test."""

from itertools import pairwise
from math import comb

import pytest

from eval.catalog.point import Point
from eval.faults.campaign import wilson
from eval.faults.operation import (
    CHECK,
    CORRECT,
    CRT,
    EXPLOITABLE,
    HANG,
    HARMLESS,
    POWER,
    STATUS,
    Signing,
)
from fl.xcel import GO, READ, RESULT, STATUS_BAD_MODULUS
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
        assert signing.factor(wrong) == key.q
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


@pytest.mark.parametrize(("found", "of"), [(0, 10), (3, 10), (10, 10), (81, 263), (1, 100000)])
def test_the_interval_holds_the_shares_at_its_ends_by_the_normal_rule(found: int, of: int) -> None:
    """Its ends are where the share that was found is 1.96 deviations away."""
    low, high = wilson(found, of)
    for end in (low, high):
        if 0 < end < 1:
            deviation = (end * (1 - end) / of) ** 0.5
            assert abs(abs(found / of - end) / deviation - 1.959964) < 1e-6
    assert (low == 0) == (found == 0)
    assert (high == 1) == (found == of)


def test_the_interval_holds_in_nearly_95_of_100_samples() -> None:
    share, of = 0.03, 400
    holds = 0.0
    for found in range(of + 1):
        low, high = wilson(found, of)
        if low <= share <= high:
            holds += comb(of, found) * share**found * (1 - share) ** (of - found)
    assert 0.93 < holds < 0.97
