"""Figures that reports compute for their sentences and tables, worked out by hand."""

from types import SimpleNamespace

import pytest

from eval.report.changes import EXACT, Bands, changes
from eval.report.scaling import marking
from eval.tasks import noise_section

pytestmark = pytest.mark.quick


def point(**metrics: float) -> SimpleNamespace:
    return SimpleNamespace(get=metrics.get, point=None, metrics=metrics)


def test_the_marks_of_several_are_those_of_the_first_that_misses() -> None:
    met, missed, worse = (point(setup_slack_ns=slack) for slack in (0.0, -0.1, -0.5))
    unknown = point()
    assert marking([met, missed, worse]) is missed
    assert marking([met, unknown]) is met
    assert marking([unknown, met]) is unknown


@pytest.mark.parametrize(
    ("before", "after", "exact"),
    [(0.1, 0.0, True), (-0.1, 0.1, False), (0.1, -0.1, False), (None, 0.1, False)],
)
def test_a_time_is_counted_where_the_clock_is_met_before_and_after(
    before: float | None, after: float | None, exact: bool
) -> None:
    """Else noise moves it as it moves the period."""

    def record(slack: float | None) -> SimpleNamespace:
        values = {"time": 3.0, "slack": slack}
        entry = SimpleNamespace(assumed=False)
        point = SimpleNamespace(point=SimpleNamespace(entry=entry))
        return SimpleNamespace(value=values.get, workload="d", commands=("one", "two"), point=point)

    bands = Bands(noise_section.NetlistBands(area=0.01, period=0.05, energy=None))
    found = [c for c in changes(record(before), record(after), bands) if c.before == 3.0]
    assert len(found) == 1
    assert (found[0].band == EXACT) == exact
