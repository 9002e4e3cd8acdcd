"""What families say of loops: how many units go with an order of the products."""

from eval.catalog.family import Constraint, Value
from fl.schedule import SCHEDULES


def one_by_one(loop: str, units: int, **_: Value) -> bool:
    """Return whether a loop whose products wait for each other has one unit."""
    return units == 1 or not SCHEDULES[loop].in_turn


ONE_BY_ONE = Constraint(
    "a left-to-right loop has one unit: its products wait for each other", one_by_one
)
