"""What is measured next, of made-up candidates: by probability and gain, with an answer early."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, log
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.catalog import find
from eval.find import search
from eval.find.answer import Answer
from eval.find.candidates import Estimates
from eval.find.formula import cycles_of
from eval.find.model import Model, Places, Spot
from eval.find.need import read_need
from eval.find.search import OutOfTime, Search
from eval.tasks.composed import Composed
from eval.tasks.task import Row, Task
from tests.eval.find.exhaustive import ROWS
from tests.eval.made_up import flow_row, row

pytestmark = pytest.mark.quick
NBITS = 1024
Z = np.linspace(-6, 6, 4001)  # of a standard normal number, and how likely each is
WEIGHT = np.exp(-Z * Z / 2) / np.exp(-Z * Z / 2).sum()
CYCLES = {design: cycles_of(design, NBITS, "d") for design in ROWS}


@dataclass
class World:
    """Made-up designs: of each its area and period, and what is believed of their logarithms, a
    mean and a doubt. After so many batches of tasks the time is over, of the last one after its
    first task."""

    area: dict[str, float]
    period: dict[str, float]
    believed: dict[str, dict[str, tuple[float, float]]]
    limit_us: float
    batches: int | None = None
    asked: list[Sequence[Task]] = field(default_factory=list)
    made: dict[Task, Row] = field(default_factory=dict)

    def estimate(self, figure: str, places: Places) -> tuple[np.ndarray, np.ndarray]:
        """What is believed, whatever was measured."""
        found = np.zeros((2, places.count))
        for group in places.families.values():
            for number, spot in zip(group.numbers, group.spots, strict=True):
                found[:, number] = self.believed[figure][spot.design]
        return found[0] - log(NBITS) * (figure == "area"), found[1]

    def fits(self, design: str) -> bool:
        return CYCLES[design] * self.period[design] / 1000 <= self.limit_us

    def __call__(self, tasks: Sequence[Task]) -> list[Row]:
        self.asked.append(tasks)
        is_last = len(self.asked) == self.batches
        self.made |= {task: self.row(task) for task in (tasks[:1] if is_last else tasks)}
        if is_last:
            raise OutOfTime
        return [self.made[task] for task in tasks]

    def row(self, task: Any) -> Row:
        design = task.point.design
        figures = {"area_um2": self.area[design], "period_ns": self.period[design]}
        if isinstance(task, Composed):
            points = [{"clock_ns": task.clock_ns, "recipes": {}} | figures]
            return row(task, points=points, modules=1, mappings=1, timings=1)
        return flow_row(task, figures | {"setup_slack_ns": task.clock_ns - figures["period_ns"]})

    def searched(self, jobs: int) -> Search:
        """A search for the least area that is over."""
        limit = [f"time={self.limit_us:.3f}us"]
        need = read_need(NBITS, "sign", ["area"], at_most=limit, designs=[*self.area])
        with (
            patch.multiple(search, stored=list, quoted=list, curves=dict),
            patch.multiple(search, has_row=self.made.__contains__, measure=self.made.__getitem__),
            patch.object(Search, "_learned", lambda *_: self),
        ):
            done = Search(need, self, jobs)
            done.go()
        return done


@st.composite
def worlds(draw: Any) -> World:
    """Designs whose areas and periods are within two standard deviations of what is believed; one
    at least keeps to the limit."""
    designs = draw(st.lists(st.sampled_from(ROWS), min_size=3, max_size=8, unique=True))
    believed, truth = {}, {}
    for name, least, most, doubts in (
        ("area", 3e4, 3e5, (0.05, 1.0)),
        ("period", 0.9, 2.0, (0.02, 0.3)),
    ):
        mean = {d: draw(st.floats(log(least), log(most))) for d in designs}
        doubt = {d: draw(st.floats(*doubts)) for d in designs}
        off = {d: draw(st.floats(-1.9, 1.9)) for d in designs}
        believed[name] = {d: (mean[d], doubt[d]) for d in designs}
        truth[name] = {d: round(exp(mean[d] + off[d] * doubt[d]), 3) for d in designs}
    fastest = draw(st.sampled_from(designs))
    limit_us = CYCLES[fastest] * truth["period"][fastest] / 1000 * draw(st.floats(1.01, 2))
    return World(truth["area"], truth["period"], believed, round(limit_us, 3))


@pytest.mark.seconds
@settings(max_examples=20, deadline=None)
@given(worlds(), st.integers(1, 3))
def test_there_is_an_answer_as_soon_as_a_composed_netlist_keeps_to_the_limits(
    world: World, jobs: int
) -> None:
    """The flow confirms it next, whatever else is promising. In the end the best is found."""
    done = world.searched(jobs)
    least = min(area for design, area in world.area.items() if world.fits(design))
    assert least <= done.value(done.front()[0], "area") <= least / 0.98
    assert Answer(done).complete
    whole: set[str] = set()  # designs that fit, with a curve to the clock that keeps to the limit
    answered = False
    for tasks in world.asked:
        first = tasks[0]
        if whole and not answered:
            assert not isinstance(first, Composed)
            assert first.point.design in whole
        for task in tasks:
            design = task.point.design
            if isinstance(task, Composed):
                last = done.candidates.clocks_of(design)[0]
                is_whole = world.period[design] <= last or task.shortest_ns <= last
                whole |= {design} if world.fits(design) and is_whole else set()
            else:
                answered |= world.fits(design)


@pytest.mark.seconds
@settings(max_examples=20, deadline=None)
@given(worlds(), st.integers(1, 3), st.integers(1, 12))
def test_without_time_nothing_is_the_best_while_another_may_be(
    world: World, jobs: int, batches: int
) -> None:
    """What was finished by then counts, of the last tasks, too."""
    world.batches = batches
    done = world.searched(jobs)
    answer = Answer(done)
    least = min(area for design, area in world.area.items() if world.fits(design))
    made = {task.point.design for task in world.made if not isinstance(task, Composed)}
    assert {spot.design for spot in done.measured()} == made
    if answer.best:
        found = done.value(done.front()[0], "area")
        assert found == min(world.area[design] for design in made if world.fits(design))
        assert found <= least / 0.98 or not answer.complete
    else:
        assert not answer.complete
        assert not any(map(world.fits, made))


def made_up(
    area: Sequence[float],
    time: Sequence[float],
    doubts: tuple[Sequence[float], Sequence[float]],
    waits: Sequence[bool],
    limit: float,
) -> Search:
    """A search with such estimates of area and time, and their doubts."""
    found: Any = Search.__new__(Search)
    spots = [Spot(f"design{number}", NBITS, 3.0) for number in range(len(area))]
    found.need = SimpleNamespace(least=("area",))
    found.candidates = SimpleNamespace(
        spots=spots,
        limits={"time": log(limit)},
        waits_for_curve=lambda spot: waits[spots.index(spot)],
    )
    mean = {"area": np.log(area), "time": np.log(time)}
    found.estimates = Estimates(mean, dict(zip(mean, map(np.array, doubts), strict=True)), {})
    return found


values = st.lists(st.floats(1e4, 1e6), min_size=5, max_size=5)
doubts = st.lists(st.floats(0.05, 1.0), min_size=5, max_size=5)
either = st.lists(st.booleans(), min_size=5, max_size=5)


@settings(max_examples=40, deadline=None)
@given(values, values, doubts, doubts, either, st.floats(3e4, 5e5), st.floats(3e4, 5e5))
def test_the_promise_is_the_expected_gain_for_the_time(
    area: list[float],
    time: list[float],
    of_area: list[float],
    of_time: list[float],
    waits: list[bool],
    limit: float,
    best: float,
) -> None:
    """By adding up the gains of many areas, and the times that keep to the limit."""
    found = made_up(area, time, (of_area, of_time), waits, limit)
    promise = np.exp(found._promise([{"area": log(best)}]))
    for i in range(len(area)):
        gain = np.maximum(log(best) - (log(area[i]) + of_area[i] * Z), 0) @ WEIGHT
        chance = (log(time[i]) + of_time[i] * Z <= log(limit)) @ WEIGHT
        if min(gain, chance) > 1e-2:
            cost = area[i] * (np.exp(of_area[i] * Z) @ WEIGHT) * (2 if waits[i] else 1)
            assert promise[i] == pytest.approx(gain * chance / cost, rel=0.02)


@given(values, values, st.floats(0.05, 1.0), st.floats(0.05, 1.0), st.floats(1e4, 1e6))
def test_without_a_best_no_other_is_likelier_and_smaller_than_the_first(
    area: list[float], time: list[float], of_area: float, of_time: float, limit: float
) -> None:
    doubts = [of_area] * 5, [of_time] * 5
    first = int(np.argmax(made_up(area, time, doubts, [True] * 5, limit)._promise([])))
    assert not any(a < area[first] and t < time[first] for a, t in zip(area, time, strict=True))


@pytest.mark.parametrize("digit", [2, 3, 4])
@pytest.mark.parametrize(("loop", "other"), [(6, 5), (5, 4), (4, 3)])
def test_of_designs_that_are_alike_one_is_composed_at_once(
    digit: int, loop: int, other: int
) -> None:
    """Nothing is known of either family, and the same is believed of all three: the second task is
    one of the other family."""
    alike = [f"scaled-low(digit={digit},units=1,loop=windows-{n})" for n in (loop, other)]
    third = f"mont-digit(digit={digit},units=1,loop=windows-{loop})"
    need = read_need(512, "sign", ["area"], at_most=["time=2ms"], designs=[*alike, third])
    with patch.multiple(search, stored=list, quoted=list, curves=dict):
        one = Search(need, lambda tasks: [], 2)
    estimates = one.estimates = one.candidates.estimates(Model([]))
    chosen = {spot.design for spot in one._next()}
    assert find(third).name in chosen
    assert len(chosen) == 2
    assert one.estimates is estimates
