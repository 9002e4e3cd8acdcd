"""How a design answers through its port and on its bus, beside what reckons the same otherwise."""

import pytest

from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.conform.powers import Failed, way
from eval.tasks.exponentiation import Answer, simulate_xcel
from eval.tasks.peripheral import simulate_peripheral
from fl.exponentiator import BAD_MODULUS, OK

pytestmark = pytest.mark.quick
POINT = Point("mont-small", 32)
REQUESTS = [Request(5, 65537, 2**32 - 5), Request(2**32 - 1, 2**31 + 1, 2**31 + 11)]
SIMULATED = {"port": simulate_xcel, "peripheral": simulate_peripheral}


@pytest.mark.parametrize("through", SIMULATED)
@pytest.mark.parametrize("level", ["fl", "cl"])
def test_answers_and_cycles_are_those_of_a_simulation(through: str, level: str) -> None:
    asked = way(POINT, through, level)
    try:
        found = [asked.power(request) for request in REQUESTS]
    finally:
        asked.close()
    assert [one.result for one in found] == [pow(*vars(one).values()) for one in REQUESTS]
    assert found == SIMULATED[through](POINT, REQUESTS, level)
    assert all((one.cycles is None) == (level == "fl") for one in found)


@pytest.mark.parametrize("through", SIMULATED)
def test_a_modulus_that_is_refused_is_told_by_the_status(through: str) -> None:
    """And the next power is made."""
    asked = way(POINT, through, "fl")
    try:
        assert asked.power(Request(5, 3, 2**32 - 6)) == Answer(0, BAD_MODULUS, None)
        assert asked.power(Request(5, 3, 2**32 - 5)) == Answer(125, OK, None)
    finally:
        asked.close()


@pytest.mark.parametrize("through", SIMULATED)
def test_no_answer_is_a_failure(through: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that comes after more than twice the cycles that the formula says, and a thousand."""
    asked = way(POINT, through, "cl")
    request, made = REQUESTS[1], POINT.entry
    monkeypatch.setattr(type(made), "cycles", lambda self, *given, **operands: 1)
    try:
        with pytest.raises(Failed):
            asked.power(request)
    finally:
        asked.close()
