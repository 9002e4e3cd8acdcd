"""RSA's operations on made-up systems: what blinds them, what is refused, which cycles count."""

from math import gcd
from random import Random

import pytest

from eval.tasks import rsa_operation
from eval.tasks.rsa_operation import Outcome, RsaOperation
from fl.rsa_keys import even_key
from fl.xcel import STATUS_FAULT
from proc.run.rsa_key import AGAIN, BY_ITSELF, PUSH_KEY, Answer
from proc.run.rsa_private import SOFTWARE_STEPS, STEPS, Power, Private, Step
from sim.errors import RunError, UserError

pytestmark = pytest.mark.quick
BITS = 32
KEY = even_key(BITS, 1)
C = 12_345
RIGHT = pow(C, KEY.d, KEY.n)


class System:
    """Nothing that runs."""

    closed = 0

    def close(self) -> None:
        System.closed += 1


@pytest.fixture(autouse=True)
def _no_system(monkeypatch) -> None:
    monkeypatch.setattr(RsaOperation, "system", lambda self: System())
    System.closed = 0


def asked_privately(monkeypatch, m: int = RIGHT, right: bool = True) -> list:
    """What the private operation is asked for; it answers so."""
    asked = []

    def private(system, key, c, check, nbits, software):
        asked.append((key, c, check, nbits, software))
        return Private(right, m, tuple(range(1, 1 + len(STEPS))))

    monkeypatch.setattr(rsa_operation, "private", private)
    return asked


def test_cycles_are_those_of_all_steps_and_outside_those_beside_no_power() -> None:
    steps = {Step("a"): 1, Step("b", "power mod p"): 20, Step("c"): 300, Step("d", "x"): 4000}
    found = Outcome(1, 2, steps)
    assert (found.cycles, found.outside) == (4321, 301)


def test_an_operation_by_both_primes(monkeypatch) -> None:
    """Half as wide as n; with an accelerator its powers are steps of their own."""
    asked = asked_privately(monkeypatch)
    found = RsaOperation(KEY).run(C, seed=1)
    [(key, c, check, nbits, software)] = asked
    assert (key.r, key.masks, c, check, nbits, software) == (
        *(1, (None, None), C, "none", BITS // 2),
        True,
    )
    assert found.result == RIGHT
    assert [*found.steps] == list(dict(zip(SOFTWARE_STEPS, STEPS, strict=True)))
    beside = RsaOperation(KEY, design="mont-best", check="software").run(C, seed=1)
    assert beside.steps == dict(zip(STEPS, range(1, 1 + len(STEPS)), strict=True))
    assert asked[1][1:] == (C, "software", BITS // 2, False)
    assert System.closed == 2


def test_the_base_is_blinded_by_a_unit_that_is_not_1(monkeypatch) -> None:
    asked = asked_privately(monkeypatch)
    seen = set()
    for seed in range(30):
        RsaOperation(KEY, blind_base=True).run(C, seed=seed)
        seen.add(asked[-1][0].r)
    assert len(seen) == 30
    assert all(1 < r < KEY.n and gcd(r, KEY.n) == 1 for r in seen)
    RsaOperation(KEY, blind_base=True).run(C, seed=3)
    assert asked[-1][0].r == asked[3][0].r
    RsaOperation(KEY, blind_base=True).run(C)
    RsaOperation(KEY, blind_base=True).run(C)
    assert asked[-1][0].r != asked[-2][0].r  # of the system's own source


def test_factors_of_n_and_1_blind_nothing(monkeypatch) -> None:
    """They are drawn, and left."""
    asked = asked_privately(monkeypatch)
    drawn = iter([KEY.p, 3 * KEY.q, 77, 99])

    class Drawn(Random):
        def randrange(self, *bounds) -> int:
            assert bounds == (2, KEY.n)
            return next(drawn)

    monkeypatch.setattr(rsa_operation, "Random", Drawn)
    RsaOperation(KEY, blind_base=True).run(C, seed=1)
    assert asked[0][0].r == 77


def test_exponents_are_blinded_by_a_mask_each(monkeypatch) -> None:
    """Of so many bits, by which the accelerator is wider."""
    asked = asked_privately(monkeypatch)
    for seed in range(20):
        RsaOperation(KEY, mask_bits=8).run(C, seed=seed)
    masks = [key.masks for key, *_ in asked]
    assert {nbits for *_, nbits, _ in asked} == {BITS // 2 + 8}
    assert sum(one != other for one, other in masks) > 15
    assert max(max(pair) for pair in masks) in range(200, 256)


def test_what_the_check_refuses_is_no_answer(monkeypatch) -> None:
    asked_privately(monkeypatch, 0, right=False)
    with pytest.raises(RunError, match="crt of 12345: --check software refused the answer"):
        RsaOperation(KEY, check="software").run(C)
    assert System.closed == 1
    asked_privately(monkeypatch, RIGHT + 1)
    with pytest.raises(RunError, match=f"was answered {RIGHT + 1}, right is {RIGHT}"):
        RsaOperation(KEY).run(C)


def test_a_flipped_bit_gives_away_a_factor(monkeypatch) -> None:
    """A result that is right modulo q alone."""
    asked_privately(monkeypatch, (RIGHT + KEY.q) % KEY.n)
    assert RsaOperation(KEY, design="mont-best", flip="p").run(C).factor == KEY.q
    asked_privately(monkeypatch)
    assert RsaOperation(KEY).run(C).factor is None


def test_the_power_that_is_named_is_that_in_which_a_bit_flips(monkeypatch) -> None:
    """Of the two, in the accelerator's order: 0 and 1."""
    monkeypatch.setattr(rsa_operation, "FlippingXcel", lambda make, power: (make, power))
    for flip, number in (("p", 0), ("q", 1)):
        _, power = RsaOperation(KEY, design="mont-best", flip=flip).accelerator()
        assert power == number
    plain = RsaOperation(KEY, design="mont-best").accelerator()
    assert not isinstance(plain, tuple)
    assert type(RsaOperation(KEY).accelerator()).__name__ == "NullXcelRTL"


def test_a_number_that_is_not_below_n_is_refused(monkeypatch) -> None:
    asked_privately(monkeypatch, KEY.n - 1)
    assert RsaOperation(KEY).run(KEY.n - 1).result == KEY.n - 1
    with pytest.raises(UserError, match="--base: .* is not below n"):
        RsaOperation(KEY).run(KEY.n)


@pytest.mark.parametrize(
    ("operation", "design", "method", "nbits"),
    [
        ("e", None, "public", None),
        ("d", None, "secret", None),
        ("e", "mont-best", "xcel", BITS),
        ("d", "mont-best", "xcel", BITS),
    ],
)
def test_a_power_modulo_n(monkeypatch, operation, design, method, nbits) -> None:
    """Of a public exponent in software it may tell the exponent by its time."""
    asked, exponent = [], KEY.e if operation == "e" else KEY.d

    def powers(*given):
        asked.append(given[1:])
        return [Power(pow(C, exponent, KEY.n), 70 - i) for i in range(given[-1])]

    monkeypatch.setattr(rsa_operation, "powers", powers)
    found = RsaOperation(KEY, operation, design).run(C)
    assert asked == [(C, exponent, KEY.n, method, nbits, 1)]
    assert found.steps == {Step(f"power mod n, {method}"): 70}
    if design:
        again = RsaOperation(KEY, operation, design, again=True).run(C)
        assert asked[1][-1] == 2
        assert again.steps == found.steps | {Step("again, n there"): 69}


def test_a_second_power_that_differs_is_told(monkeypatch) -> None:
    monkeypatch.setattr(rsa_operation, "powers", lambda *_: [Power(RIGHT, 7), Power(4, 7)])
    with pytest.raises(RunError, match=f"d of 12345 was answered 4 the second time, {RIGHT} the"):
        RsaOperation(KEY, "d", "mont-best", again=True).run(C)


def answers(monkeypatch, *found: Answer) -> list:
    asked = []

    def operate(system, n, key, nbits, calls):
        asked.append((n, key.p, nbits, calls))
        return 500, found

    monkeypatch.setattr(rsa_operation, "operate", operate)
    return asked


def test_an_accelerator_that_has_the_primes(monkeypatch) -> None:
    """The key is pushed once; the second answer takes other cycles."""
    design = "array-crt(digit=4)"
    asked = answers(monkeypatch, Answer(0, RIGHT, 90), Answer(0, RIGHT, 80))
    found = RsaOperation(KEY, "private", design, again=True).run(C)
    [(n, p, nbits, calls)] = asked
    assert (n, p, nbits, len(calls)) == (KEY.n, KEY.p, BITS, 2)
    assert found.steps == {PUSH_KEY: 500, BY_ITSELF: 90, AGAIN: 80}
    answers(monkeypatch, Answer(0, RIGHT, 90))
    assert RsaOperation(KEY, "private", design).run(C).steps == {PUSH_KEY: 500, BY_ITSELF: 90}
    for second in (Answer(0, RIGHT + 1, 90), Answer(1, RIGHT, 90)):
        answers(monkeypatch, Answer(0, RIGHT, 90), second)
        with pytest.raises(RunError, match="private of 12345: two answers differ"):
            RsaOperation(KEY, "private", design, again=True).run(C)
    for faulty in ([STATUS_FAULT], [0, STATUS_FAULT]):
        answers(monkeypatch, *(Answer(status, RIGHT, 90) for status in faulty))
        with pytest.raises(RunError, match="the accelerator's check refused it"):
            RsaOperation(KEY, "private", design, again=len(faulty) > 1).run(C)


def test_the_message_is_encrypted_unless_it_is_to_be(monkeypatch) -> None:
    seen = []

    def powers(system, c, exponent, *rest):
        seen.append(c)
        return [Power(pow(c, exponent, KEY.n), 1)]

    monkeypatch.setattr(rsa_operation, "powers", powers)
    encrypted = RsaOperation(KEY, "e").run()
    decrypted = RsaOperation(KEY, "d").run()
    assert decrypted.c == encrypted.result
    assert decrypted.result == encrypted.c
    assert seen == [encrypted.c, decrypted.c]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"operation": "d", "check": "software"}, "--check: is of operation crt; leave it out"),
        ({"operation": "e", "blind_base": True}, "--blind-base: is of operation crt"),
        ({"operation": "d", "mask_bits": 1}, "--blind-exponent: is of operation crt"),
        ({"operation": "d", "design": "mont-best", "flip": "p"}, "--flip: is of operation crt"),
        ({"flip": "p"}, "--flip: is of an accelerator's hardware"),
        ({"flip": "p", "design": "mont-best", "level": "fl"}, "--flip: is of an accelerator's"),
        ({"again": True, "design": "mont-best"}, "--again: is of operations d, e and private"),
        ({"operation": "d", "again": True}, "--again: is the accelerator's; give a design"),
        ({"operation": "private"}, "--operation: private is of designs that have the primes, soft"),
        ({"operation": "private", "design": "mont-best"}, "have the primes, mont-best has not"),
        ({"check": "primes"}, "--check: primes is the accelerator's"),
        ({"check": "infective"}, "--check: infective is the accelerator's"),
        ({"check": "primes", "design": "mont-best"}, "--check: e has 17 bits, the accelerator 16"),
        ({"check": "infective", "design": "mont-best"}, "e has 17 bits, the accelerator 16"),
        ({"level": "cl2"}, "--level: no level 'cl2'"),
    ],
)
def test_options_that_are_of_no_use_are_refused(options: dict, says: str) -> None:
    with pytest.raises(UserError) as caught:
        RsaOperation(KEY, **options)
    assert says in str(caught.value)


def test_what_is_as_long_as_it_may_be_is_taken() -> None:
    """A mask makes the accelerator wide enough for e; and so does a longer prime."""
    assert KEY.e.bit_length() == 17
    assert RsaOperation(KEY, design="mont-best", check="primes", mask_bits=1).nbits == 17
    assert RsaOperation(even_key(34, 1), design="mont-best", check="primes").nbits == 17
