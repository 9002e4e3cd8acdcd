"""Time around a design of constant time: through its port, on its bus, in a C program."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from eval.catalog import find
from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.contract.timing import Experiment, tell
from eval.tasks import timing
from eval.tasks.exponentiation import Answer, simulate, simulate_xcel
from eval.tasks.timing import BUS, PORT, PROGRAM, TimeTells, Told, around_it
from eval.tasks.timing_section import TELLS
from sim.errors import RunError
from sim.stream import StreamRunner
from tests.eval.report.test_countermeasures import CONSTANT, timed


def test_constant_time_stays_so_around_the_design() -> None:
    found = around_it(Point("mont-ct", 32), 100, lambda step: None)
    assert [*found] == [PORT, BUS, PROGRAM]
    assert all(least == most for least, most in found.values())
    assert around_it(Point("mont-best", 32), 100, lambda step: None) == {}


def test_marks_tell_what_is_not_declared() -> None:
    refuted = timed(CONSTANT, "base")
    [line] = TELLS.of({refuted.task: refuted.result}).lines
    assert line.cells[3:8] == ("yes?", "-", "-", "-", "-")


@pytest.mark.quick
@pytest.mark.parametrize(
    ("cycles", "moved"),
    [([10, 11], True), ([10, 10], False), ([0, 1], True), ([10, 9000], True)],
)
def test_a_cycle_more_around_a_design_is_told(cycles: list[int], moved: bool) -> None:
    told = Told({}, 100, [], {}, {PORT: [7, 7], BUS: cycles})
    assert told.moved == [BUS] * moved
    assert told.broken == "its cycles differ through the peripheral" * moved


@pytest.mark.quick
def test_all_that_is_not_as_declared_is_said() -> None:
    pair = [(1, 2, 3, 10), (1, 5, 3, 11)]
    told = Told({}, 9, ["length"], {"length": pair, "base": pair}, {PORT: [1, 2], PROGRAM: [3, 4]})
    assert told.undeclared == ["base"]
    assert told.broken == (
        "its cycles tell the base, undeclared; its cycles differ through the port; "
        "its cycles differ through the C program"
    )


@pytest.mark.quick
@pytest.mark.parametrize("more", [1, -1, 0])
def test_a_pair_tells_by_a_cycle(more: int) -> None:
    drawn = Experiment([(1, 2, 3)] * 6, {"base": [(0, 1), (2, 3)], "length": [(4, 5)]})
    cycles = [10, 10, 20, 20 + more, 5, 5]
    assert drawn.told(cycles) == {"base": (2, 3) if more else None, "length": None}


NARROW, REQUEST = Point("mont-ct", 8), Request(3, 5, 7)


@pytest.mark.parametrize(
    "ask", [lambda: tell(find("mont-ct"), 8, 40), lambda: simulate(NARROW, [REQUEST])]
)
@pytest.mark.parametrize("flipped", [1, 2], ids=["status", "result"])
def test_a_wrong_status_is_a_wrong_answer(
    monkeypatch: pytest.MonkeyPatch, ask: Callable[[], object], flipped: int
) -> None:
    run = StreamRunner.run

    def wrong(*args: object, **how: object) -> list:
        *others, last = run(*args, **how)
        return [*others, replace(last, response=last.response ^ flipped)]

    monkeypatch.setattr(StreamRunner, "run", wrong)
    with pytest.raises(RunError, match="was answered"):
        ask()


def test_a_wrong_status_at_the_port_is_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    run = StreamRunner.run

    def wrong(*args: object, **how: object) -> list:
        *others, last = run(*args, **how)
        return [*others, replace(last, response=last.response ^ 2)]

    [right] = simulate_xcel(NARROW, [REQUEST])
    assert (right.result, right.status) == (pow(3, 5, 7), 0)
    monkeypatch.setattr(StreamRunner, "run", wrong)
    with pytest.raises(RunError, match="was answered"):
        simulate_xcel(NARROW, [REQUEST])


@pytest.mark.quick
def test_cycles_around_a_design_are_the_least_and_the_most_of_all_requests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a tenth of the requests, 50 through the bus and 20 by a program at most."""
    asked: dict[str, int] = {}

    def cycles(place: str, requests: list[Request]) -> list[int]:
        asked[place] = len(requests)
        return [9, 7, *[8] * (len(requests) - 4), 11, 10]

    def answers(place: str) -> Callable[..., list[Answer]]:
        return lambda point, some, level: [Answer(0, 0, one) for one in cycles(place, some)]

    monkeypatch.setattr(timing, "simulate_xcel", answers(PORT))
    monkeypatch.setattr("eval.tasks.peripheral.simulate_peripheral", answers(BUS))
    monkeypatch.setattr(timing, "by_program", lambda point, some: cycles(PROGRAM, some))
    found = around_it(Point("mont-ct", 32), 1000, lambda step: None)
    assert found == {PORT: [7, 11], BUS: [7, 11], PROGRAM: [7, 11]}
    assert asked == {PORT: 100, BUS: 50, PROGRAM: 20}
    assert around_it(Point("mont-best", 32), 1000, lambda step: None) == {}


@pytest.mark.quick
def test_cycles_around_a_design_are_one_figure_or_the_least_and_the_most() -> None:
    told = Told({}, 100, [], {}, {PORT: [107, 107], PROGRAM: [198, 1030]})
    [line] = TELLS.of({TimeTells(NARROW, 100): told}).lines
    assert line.cells[-3:] == ("107", "-", "198-1030")
