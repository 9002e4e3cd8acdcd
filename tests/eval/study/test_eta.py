"""What is left of a sweep, by what its rows took before."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

import eval.study.eta
from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.cli.progress import Reporter, about
from eval.study.eta import Eta, usual
from eval.study.sweep import in_order
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.kinds import KINDS
from eval.tasks.simulation import Simulation
from tests.clock import Clock

pytestmark = pytest.mark.quick
TASKS = [Simulation(Point("mul-rem", nbits), w) for nbits in range(8, 12) for w in "ed"]
ORDER = in_order(TASKS)  # as they are taken


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> type[Clock]:
    """The clock of the estimates."""
    Clock.now = 100.0
    monkeypatch.setattr(eval.study.eta, "time", Clock)
    return Clock


def known(*seconds: float) -> dict[str, float]:
    """What tasks took before, in the order in which they are taken."""
    return {task.asked: took for task, took in zip(ORDER, seconds, strict=False)}


def test_what_took_long_before_is_waited_for(clock: type[Clock]) -> None:
    left = Eta(TASKS, known(30.0, *[10.0] * 7))
    assert left.seconds(ORDER[:2]) is None
    clock.now += 15.0
    assert left.seconds(ORDER[1:3]) == pytest.approx(15.0 * 70 / 30)
    assert left.seconds([ORDER[0], ORDER[2]]) == pytest.approx(15.0 * 90 / 10)
    clock.now += 15.0
    assert left.seconds(ORDER[7:]) == pytest.approx(30.0 * 10 / 90)
    assert left.seconds([]) == 0.0


def test_rows_that_were_there_at_first_do_not_count_as_quick(clock: type[Clock]) -> None:
    left = Eta(TASKS, known(*[10.0] * 8))
    assert left.seconds(ORDER[4:6]) is None
    clock.now += 15.0
    assert left.seconds(ORDER[5:7]) == pytest.approx(15.0 * 30 / 10)


def test_nothing_is_told_of_the_first_seconds(clock: type[Clock]) -> None:
    """A study of rows that are there begins with imports, and is over."""
    left = Eta(TASKS, known(1.0, *[100.0] * 7))
    assert left.seconds(ORDER[:1]) is None
    clock.now += 4.0
    assert left.seconds(ORDER[1:2]) is None  # not 4 x 700 s
    assert left.seconds([]) == 0.0
    clock.now += 8.0
    assert left.seconds(ORDER[1:2]) == pytest.approx(12.0 * 700 / 1)


def test_what_never_ran_is_as_its_kind_took_beside_the_usual(clock: type[Clock]) -> None:
    """One of 11 bits took 10 s, one of 10 took 20: one of 8 takes the mean by roots of the bits."""
    left = Eta(TASKS, known(10.0, 20.0) | {"other": 1000.0})
    assert left.weights[ORDER[-1]] == pytest.approx((10 * sqrt(8 / 11) + 20 * sqrt(8 / 10)) / 2)
    unknown = Eta(TASKS, {})
    assert unknown.seconds(ORDER[:2]) is None
    clock.now += 12.0
    took, rest = (sum(map(usual, tasks)) for tasks in (ORDER[:2], ORDER[2:]))
    assert unknown.seconds(ORDER[2:4]) == pytest.approx(12.0 * rest / took)


def test_what_is_unknown_weighs_by_its_kind_and_size() -> None:
    short, long = (usual(FlowRun(Point("array-4", n), "accelerator", 3.0)) for n in (32, 1024))
    assert long > 4 * short > 4 * usual(Simulation(Point("array-4", 32), "e"))
    assert usual(FlowRun(Processor(), "system", 3.0)) > 2 * short


def test_usual_seconds_by_hand() -> None:
    """A kind's seconds are those at 32 bits; they grow with the root of the bits, and a processor
    takes four times as many."""
    for kind, (task, times) in {
        "flow": (lambda n: FlowRun(Point("array-4", n), "accelerator", 3.0), 1),
        "simulate": (lambda n: Simulation(Point("array-4", n), "e"), 1),
    }.items():
        seconds = KINDS[kind].seconds
        for nbits, factor in ((32, 1.0), (128, 2.0), (8, 0.5), (2048, 8.0)):
            assert usual(task(nbits)) == pytest.approx(seconds * factor * times), (kind, nbits)
    system = FlowRun(Processor(), "system", 3.0)
    bits = system.subject()[1]
    assert usual(system) == pytest.approx(4 * KINDS["flow"].seconds * (bits / 32) ** 0.5)


def test_a_kind_of_ones_own_takes_a_second() -> None:
    task = Simulation(Point("array-4", 128), "e")
    object.__setattr__(task, "kind", "none of ours")
    assert usual(task) == 1.0


def test_a_row_that_took_no_time_weighs_nothing_and_tells_nothing_of_others() -> None:
    """It was made of results that were there: those of its kind that never ran take theirs."""
    left = Eta(TASKS, known(0.0, 10.0))
    assert left.weights[ORDER[0]] == 0.0
    assert left.weights[ORDER[-1]] == pytest.approx(10.0 * sqrt(8 / 10))
    nothing_told = Eta(TASKS, known(0.0, 0.0))
    assert nothing_told.weights[ORDER[-1]] == usual(ORDER[-1])


@given(st.lists(st.floats(0, 1e4), min_size=8, max_size=8), st.integers(1, 4))
def test_less_is_left_the_more_is_done(took: list[float], jobs: int) -> None:
    left = Eta(TASKS, known(*took))
    assert left.seconds(ORDER[:jobs]) is None
    Clock.now += 17.0
    found = [left.seconds(ORDER[done : done + jobs]) for done in range(1, len(ORDER) + 1)]
    told = [seconds for seconds in found if seconds is not None]
    assert told == sorted(told, reverse=True)
    assert found[-1] in (0.0, None)


def test_progress_says_what_is_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr("eval.cli.progress.QUIET_SECONDS", 0.0)
    with Reporter("study", 9) as progress:
        progress.now("synthesis", 3, 4000.0)
        progress.now("timing", 4, None)
        progress.now("power", 5, -1.0)  # it takes longer than was estimated
    lines = capsys.readouterr().err.splitlines()
    assert any(line.endswith("about 67 min left: synthesis") for line in lines)
    assert any(line.endswith("s] timing") for line in lines)
    assert any(line.endswith("s] power") for line in lines)
    assert [about(s) for s in (7.4, 600, 9000)] == ["about 7 s", "about 10 min", "about 2.5 h"]
