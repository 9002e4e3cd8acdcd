"""Units whose numbers are others in thought, worked out by hand."""

import pytest

from cl.around import Varied
from cl.assumed_unit import AssumedUnit

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("later", "inside"), [(-9, 1), (-3, 2), (-2, 2), (-1, 3), (0, 3), (2, 3), (3, 4), (7, 5)]
)
def test_a_pipeline_has_as_many_inside_as_come_before_the_first_answer(
    later: int, inside: int
) -> None:
    """10 cycles and an interval of 4: requests in cycles 0, 4 and 8. In 12 cycles as many, a fourth
    one in 13."""
    unit = Varied(8, AssumedUnit(8, cycles=10, pause=4), latency_by=later)
    assert (unit.latency(1, 2, 3), unit.interval(1, 2, 3)) == (10 + later, 4)
    assert unit.capacity == inside


def test_a_unit_of_one_product_takes_the_next_one_as_it_answers() -> None:
    unit = Varied(8, AssumedUnit(8, cycles=6, pause=6), latency_by=3, interval_by=1)
    assert (unit.latency(1, 2, 3), unit.interval(1, 2, 3), unit.capacity) == (9, 10, 1)


@pytest.mark.parametrize(("capacity_by", "capacity"), [(-5, 1), (-2, 1), (-1, 2), (1, 4)])
def test_nothing_is_less_than_one(capacity_by: int, capacity: int) -> None:
    unit = AssumedUnit(8, cycles=10, pause=4)
    assert Varied(8, unit, capacity_by=capacity_by).capacity == capacity
    least = Varied(8, unit, latency_by=-10, interval_by=-4)
    assert (least.latency(1, 2, 3), least.interval(1, 2, 3)) == (1, 1)
