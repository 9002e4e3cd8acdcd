"""The documents' exponentiation algorithms: base^exp mod m, product by product, in integers.

The schedules of hardware are those of fl/schedule.py; these follow the algorithms as texts have
them.
"""

from fl.printed_schedules.binary import (
    ALWAYS,
    LEFT_TO_RIGHT,
    REPEATED,
    RIGHT_TO_LEFT,
    always_over,
)
from fl.printed_schedules.schedule import Mul, Schedule
from fl.printed_schedules.windows import (
    k_ary,
    k_ary_always_over,
    left_windows,
    right_windows,
)
from fl.schedule import Counts

SCHEDULES: dict[str, Schedule] = {
    schedule.name: schedule
    for schedule in (
        REPEATED,
        RIGHT_TO_LEFT,
        LEFT_TO_RIGHT,
        ALWAYS,
        k_ary(4),
        left_windows(4),
        right_windows(4),
    )
}

__all__ = [
    "SCHEDULES",
    "Counts",
    "Mul",
    "Schedule",
    "always_over",
    "k_ary",
    "k_ary_always_over",
    "left_windows",
    "right_windows",
]
