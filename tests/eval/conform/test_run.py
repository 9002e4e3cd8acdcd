"""What is said of a vector by a design's answer: right, wrong or refused."""

import pytest

from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.conform import run
from eval.conform.run import try_all
from eval.conform.vector import VERIFY15, Vector
from eval.tasks.exponentiation import Answer

pytestmark = pytest.mark.quick
REQUEST = Request(5, 13, 77)
RIGHT = pow(5, 13, 77)


def said(monkeypatch: pytest.MonkeyPatch, vector: Vector, *answer: int) -> str | None:
    """What is wrong with the only vector, of which a design answers this."""

    class Asked:
        def power(self, request: Request) -> Answer:
            assert request == REQUEST
            return Answer(*answer, 7)

        def close(self) -> None:
            pass

    monkeypatch.setattr(run, "way", lambda *asked: Asked())
    [tried] = try_all(Point("mul-rem", 8), [vector], "port", "cl")
    return tried.wrong


def vector(request: Request | None, right: bool | None) -> Vector:
    """A signature that is valid if its power is right."""
    return Vector(VERIFY15, "made up", 77, request, lambda power: power == RIGHT, right)


@pytest.mark.parametrize(("right", "wrong"), [(True, "is refused"), (False, None), (None, None)])
def test_a_signature_without_a_power_is_refused(
    monkeypatch: pytest.MonkeyPatch, right: bool | None, wrong: str | None
) -> None:
    """Its number is not below the modulus: it may be no valid one."""
    assert said(monkeypatch, vector(None, right)) == wrong


def test_a_modulus_that_is_refused_is_wrong_whatever_the_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert said(monkeypatch, vector(REQUEST, True), RIGHT, 0) is None
    assert said(monkeypatch, vector(REQUEST, True), RIGHT, 1) == "the modulus is refused"
    assert said(monkeypatch, vector(REQUEST, False), 0, 1) == "the modulus is refused"


def test_a_wrong_power_fails_what_must_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    one = vector(REQUEST, False)
    assert said(monkeypatch, one, RIGHT ^ 1, 0) == (
        f"5^13 mod 77 was answered {RIGHT ^ 1}, right is {RIGHT}"
    )
    assert said(monkeypatch, one, RIGHT, 0) == "the vector says refused, found was valid"
