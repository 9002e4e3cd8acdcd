"""Time around a design of constant time: through its port, on its bus, in a C program."""

from eval.catalog.point import Point
from eval.tasks.timing import BUS, PORT, PROGRAM, around_it, timing_grid
from tests.eval.report.test_countermeasures import CONSTANT, timed


def test_constant_time_stays_so_around_the_design() -> None:
    found = around_it(Point("mont-ct", 32), 100, lambda step: None)
    assert [*found] == [PORT, BUS, PROGRAM]
    assert all(least == most for least, most in found.values())
    bare = around_it(Point("mont-best", 32), 100, lambda step: None)
    assert all(least < most for least, most in bare.values())


def test_marks_tell_what_is_not_declared() -> None:
    refuted = timed(CONSTANT, "base")
    [line] = timing_grid({refuted.task: refuted.result}).lines
    assert line.cells[3:8] == ("yes?", "-", "-", "-", "-")
