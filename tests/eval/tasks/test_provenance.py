"""How rows were made: whose time a step is, what is stored of it, and what is told of it."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

import eval.tasks.provenance
from eval.catalog.point import Point
from eval.report.making import MAKERS, STEPS
from eval.tasks.provenance import STARTING, commit, machine
from eval.tasks.store import MADE, Key, Store, Values
from eval.tasks.task import MetricsResult, OnStep, Row, Task, measure
from tests.clock import Clock
from tests.eval.made_up import found_of
from tests.faults import faults, plant

pytestmark = pytest.mark.quick


@dataclass(frozen=True)
class Chore(Task[MetricsResult]):
    """A task of steps that take so many seconds of a made-up clock, and that needs others."""

    point: Point
    steps: tuple[tuple[str, float], ...]
    needs: tuple["Chore", ...] = ()
    kind = "chore"
    Result = MetricsResult
    text = "chore {0.point}"

    def verilog(self) -> str:
        """None."""
        return ""

    def tools(self) -> dict[str, str]:
        """None."""
        return {}

    def parameters(self) -> dict:
        """Nothing but the steps."""
        return {"steps": self.steps}

    def compute(self, on_step: OnStep) -> MetricsResult:
        """Tell each step, and let its time pass; needs come after the first."""
        for number, (step, seconds) in enumerate(self.steps):
            on_step(step)
            Clock.now += seconds
            for needed in self.needs if number == 0 else ():
                measure(needed, on_step)
        return MetricsResult(tools={}, metrics={})


@pytest.fixture(autouse=True)
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of the test's own, and the clock."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    monkeypatch.setattr(eval.tasks.provenance, "time", Clock)
    return tmp_path


INNER = Chore(Point("mul-rem", 9), (("3 ns, synthesis started", 4.0), ("timing started", 1.0)))
OUTER = Chore(
    Point("mul-rem", 8),
    (("synthesis started", 2.0), ("3 ns, synthesis finished in 2.0 s", 0.5), ("power", 8.0)),
    (INNER,),
)


def test_a_step_is_counted_once_whoever_asked_for_it() -> None:
    told: list[str] = []
    row = measure(OUTER, told.append)
    assert row.made.steps == {STARTING: 0.0, "synthesis": 2.5, "power": 8.0}
    assert row.made.seconds == 10.5
    assert told[:2] == ["synthesis started", "3 ns, synthesis started"]
    inner = measure(INNER)
    assert inner.reused
    assert inner.made.steps == {STARTING: 0.0, "synthesis": 4.0, "timing": 1.0}
    assert (row.made.commit, row.made.machine) == (commit(), machine())


def test_a_row_that_is_there_keeps_how_it_was_made() -> None:
    made = measure(OUTER).made
    again = measure(OUTER)
    assert again.reused
    assert again.made == made
    with Store() as store:
        assert store.seconds() == {OUTER.asked: 10.5, INNER.asked: 5.0}


def test_a_store_that_says_nothing_of_it_is_read(build: Path) -> None:
    measure(INNER)
    with sqlite3.connect(build / "results.sqlite") as connection:
        connection.execute(f"DROP TABLE {MADE}")
    with Store() as store:
        store.connection.execute(f"DROP TABLE {MADE}")
        assert store.seconds() == {}
        assert store.made(INNER.key) is None
    assert measure(INNER).made is None


def test_the_report_says_how_it_was_made() -> None:
    rows = [measure(OUTER), measure(INNER), Row(INNER, measure(INNER).result, True)]
    for some in (rows, rows[::-1]):
        assert [line.cells for line in STEPS.of(found_of(*some)).lines] == [
            ("chore", "power", "1", "8.0", "8.0", "chore mul-rem-8"),
            ("chore", "synthesis", "2", "6.5", "4.0", "chore mul-rem-9"),
            ("chore", "timing", "1", "1.0", "1.0", "chore mul-rem-9"),
        ]
    page, known = MAKERS.of(found_of(*rows)).lines
    assert page.cells[1] == known.cells[1] == commit()
    assert known.cells[0] == "2 rows"
    assert "Of 1 of 3 rows it is not known" in MAKERS.of(found_of(*rows)).note
    assert STEPS.of(found_of(rows[2])) is None


def attributed(module: ModuleType) -> tuple[float | None, ...]:
    """Whose the seconds are of a watch in which another one runs."""
    outer = module.Watch(lambda step: None)
    inner = module.Watch(outer.say)

    def within() -> None:
        inner.say("b started")
        Clock.now += 2.0

    def work() -> None:
        outer.say("a started")
        Clock.now += 1.0
        inner.run(within)
        Clock.now += 4.0

    outer.run(work)
    return outer.steps.get("a"), outer.steps.get("b"), inner.steps.get("b")


def test_time_within_is_that_of_what_is_within() -> None:
    assert attributed(eval.tasks.provenance) == (5.0, None, 2.0)


@faults(
    {
        "time within goes to both": (
            "if self._running[-1] is self:",
            "if True:",
        ),
        "time before what is within is lost": ("self._running[-1]._take()", "pass"),
        "time within goes to the outer, too": (
            "self._running[-1]._since = time.monotonic()",
            "pass",
        ),
        "the last step is lost": (
            "            self._take()\n            self._running.pop()",
            "            self._running.pop()",
        ),
    }
)
def test_a_wrong_watch_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sound: str, faulty: str
) -> None:
    wrong = plant(tmp_path, eval.tasks.provenance, sound, faulty)
    monkeypatch.setattr(wrong, "time", Clock)
    assert attributed(wrong) != (5.0, None, 2.0)


def test_it_is_known_of_every_row_that_can_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    put = Store.put

    def watched(store: Store, key: Key, result: Values) -> None:
        seen.append(store.made(key) is not None)
        put(store, key, result)

    monkeypatch.setattr(Store, "put", watched)
    measure(INNER)
    assert seen == [True]
