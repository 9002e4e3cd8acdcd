"""Organisations: which choices go together, and what each makes of the loop's result."""

import re
from dataclasses import replace

import pytest

from cl.assumed_unit import AssumedUnit
from cl.organisation import ENTRIES, USUAL, Organisation
from fl.masked_ladder import MASKED_LADDER
from fl.schedule import (
    LADDER,
    LEFT_TO_RIGHT,
    LEFT_TO_RIGHT_ALWAYS,
    RIGHT_TO_LEFT_ALWAYS,
    windows,
)
from rtl.exp.organised import organised

pytestmark = pytest.mark.quick

CONVERT = "only two units have the choice to convert both operands and the result"
IN_TURN = "a left-to-right loop has one unit: its products wait for each other"
AFTER_A_PRODUCT = "a base taken as it is may be a result only after a product"
AMONG_DOUBLINGS = "a result that begins as R mod m finds it among the doublings"
WRONG = [
    ({"units": 1, "converts": True}, CONVERT),
    ({"units": 5, "converts": True}, CONVERT),
    ({"units": 3}, "units must be one of (1, 2, 5), not 3"),
    ({"units": 0}, "units must be one of (1, 2, 5), not 0"),
    ({"entry": "late"}, "entry must be one of"),
    ({"schedule": LEFT_TO_RIGHT}, IN_TURN),
    ({"schedule": windows(2), "units": 5}, IN_TURN),
    ({"entry": "at-once", "units": 5}, AFTER_A_PRODUCT),
    ({"entry": "as-it-is", "converts": True}, AFTER_A_PRODUCT),
    ({"entry": "as-it-is", "schedule": LEFT_TO_RIGHT, "units": 1}, AFTER_A_PRODUCT),
    ({"entry": "reduced", "schedule": LEFT_TO_RIGHT_ALWAYS, "units": 1}, AMONG_DOUBLINGS),
    ({"entry": "product", "schedule": LADDER}, AMONG_DOUBLINGS),
]


@pytest.mark.parametrize(("choices", "message"), WRONG)
def test_choices_that_do_not_go_together(choices, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        replace(USUAL, **choices)


def test_choices_that_do():
    for entry in ENTRIES:
        assert not replace(USUAL, entry=entry).stays_in_domain
    for entry in ("reduced", "remainder", "doubling", "product"):
        for choices in ({"units": 5}, {"converts": True}, {"schedule": LEFT_TO_RIGHT, "units": 1}):
            assert replace(USUAL, entry=entry, **choices).stays_in_domain
    assert replace(USUAL, schedule=LADDER).stays_in_domain
    assert replace(USUAL, schedule=windows(3), units=1).stays_in_domain


@pytest.mark.parametrize(
    ("units", "schedule", "text"),
    [
        (1, USUAL.schedule, "right-to-left, square and multiply interleaved"),
        (2, USUAL.schedule, "right-to-left, square and multiply in parallel"),
        (1, LEFT_TO_RIGHT, "left-to-right, one unit"),
        (1, LADDER, "Montgomery ladder, interleaved"),
    ],
)
def test_schedules_in_words(units, schedule, text):
    assert Organisation(schedule, units).text == text


@pytest.mark.parametrize(
    ("schedule", "forward", "power", "message"),
    [
        (MASKED_LADDER, True, 10, "a ladder by shares keeps an answer before it is an operand"),
        (LADDER, False, 0, "a result that begins as R mod m asks for a Montgomery multiplier"),
    ],
)
def test_units_that_do_not_fit(schedule, forward, power, message):
    unit = AssumedUnit(8, cycles=4, pause=4, power=power)
    with pytest.raises(ValueError, match=message):
        organised(unit, Organisation(schedule, forward=forward))


def test_a_constant_loop_asks_for_a_unit_of_constant_time(monkeypatch):
    unit = AssumedUnit(8, cycles=4, pause=4, power=10)
    organised(unit, Organisation(RIGHT_TO_LEFT_ALWAYS))
    monkeypatch.setattr(AssumedUnit, "constant_time", False)
    organised(unit, USUAL)
    with pytest.raises(ValueError, match="asks for a multiplier of constant time"):
        organised(unit, Organisation(RIGHT_TO_LEFT_ALWAYS))
