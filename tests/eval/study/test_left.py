"""What is left of a sweep, by what its rows took before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.catalog.point import Point
from eval.cli.progress import Reporter, about
from eval.study.left import Left
from eval.tasks.simulation import Simulation

pytestmark = pytest.mark.quick
TASKS = [Simulation(Point("mul-rem", nbits), w) for nbits in range(8, 12) for w in "ed"]


def test_what_took_long_before_is_waited_for() -> None:
    known = {task.asked: 10.0 for task in TASKS[1:]} | {TASKS[0].asked: 30.0}
    left = Left(TASKS, known)
    assert left.seconds(15.0, TASKS[1:]) == pytest.approx(15.0 * 70 / 30)
    assert left.seconds(5.0, TASKS[:-1]) == pytest.approx(5.0 * 90 / 10)


def test_what_never_ran_is_as_the_mean_of_its_kind() -> None:
    left = Left(TASKS[:3], {TASKS[0].asked: 10.0, TASKS[1].asked: 20.0, "other": 1000.0})
    assert left.weights[TASKS[2]] == 15.0
    assert Left(TASKS, {}).seconds(2.0, TASKS[2:]) == pytest.approx(6.0)


@given(st.floats(0.1, 1e4), st.lists(st.floats(0, 1e4), min_size=8, max_size=8))
def test_less_is_left_the_more_is_done(passed: float, took: list[float]) -> None:
    known = {task.asked: seconds for task, seconds in zip(TASKS, took, strict=True)}
    left = Left(TASKS, known)
    found = [left.seconds(passed, TASKS[done:]) for done in range(len(TASKS) + 1)]
    assert found[0] is None
    told = [seconds for seconds in found if seconds is not None]
    assert told == sorted(told, reverse=True)
    assert left.seconds(passed, []) in (0.0, None)


def test_progress_says_what_is_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr("eval.cli.progress.QUIET_SECONDS", 0.0)
    with Reporter("study", 9) as progress:
        progress.now("synthesis", 3, 4000.0)
        progress.now("timing", 4, None)
    lines = capsys.readouterr().err.splitlines()
    assert any(line.endswith("about 67 min left: synthesis") for line in lines)
    assert any(line.endswith("s] timing") for line in lines)
    assert [about(s) for s in (7.4, 600, 9000)] == ["about 7 s", "about 10 min", "about 2.5 h"]
