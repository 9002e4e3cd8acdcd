"""How many requests the cycle-level server takes while nobody takes its answers."""

from dataclasses import dataclass

import pytest

from cl.exp.clock import Clock
from cl.exp.shared_unit import TimedUnit
from cl.server import ServerCL
from cl.unit import Unit
from fl.messages import mk_mul_msgs
from sim.python import half_cycles
from sim.stream import STALLS, StreamRunner

pytestmark = pytest.mark.quick


@dataclass(frozen=True)
class Slow(Unit):
    """Answers seven cycles later, and takes a request every two."""

    capacity: int = 1
    refills: bool = False

    def value(self, a: int, b: int, m: int) -> int:
        return a * b % m

    def latency(self, a: int, b: int, m: int) -> int:
        return 7

    def interval(self, a: int, b: int, m: int) -> int:
        return 2


@pytest.mark.parametrize("refills", [False, True])
@pytest.mark.parametrize("capacity", [1, 2, 4])
def test_no_more_than_it_holds(capacity: int, refills: bool):
    """Then, as one answer is taken in a cycle, one more: in that cycle if it refills, or after."""
    Request, _ = mk_mul_msgs(8)
    server = ServerCL(Slow(8, capacity, refills))
    settle, edge = half_cycles(server)
    server.reset @= 1
    settle(), edge(), settle(), edge()
    server.reset @= 0
    server.recv.val @= 1
    server.send.rdy @= 0
    taken: list[int] = []
    for cycle in range(40):
        server.recv.msg @= Request(len(taken), 1, 251)
        server.send.rdy @= cycle == 30
        settle()
        if cycle == 30:
            assert server.send.val
        if server.recv.rdy:
            taken.append(cycle)
        edge()
    first = taken[0]
    assert taken[:capacity] == [first + 2 * i for i in range(capacity)]
    assert taken[capacity:] == [30 if refills else 31]


@pytest.mark.parametrize("refills", [False, True])
@pytest.mark.parametrize("capacity", [1, 2, 4])
def test_cycles_that_are_left_out_change_nothing(capacity: int, refills: bool):
    """A run with a trace leaves none out."""
    Request, _ = mk_mul_msgs(8)
    requests, lines = [Request(7 * i, 1, 251) for i in range(6)], []
    with StreamRunner(ServerCL(Slow(8, capacity, refills)), "cl") as runner:
        for stalls in STALLS.values():
            every = runner.run(requests, stalls, trace=lines.append)
            assert runner.run(requests, stalls) == every
            assert {transfer.cycles for transfer in runner.run(requests)} == {7}


@pytest.mark.parametrize("refills", [False, True])
@pytest.mark.parametrize("capacity", [1, 2, 4])
def test_a_shared_unit_holds_no_more_either(capacity: int, refills: bool):
    unit, taken = TimedUnit(Slow(8, capacity, refills), 1, Clock()), []
    unit.elaborate()
    for unit.clock.now in range(40):
        if unit.clock.now == 30:
            assert unit.answer[0].rdy()
            assert unit.answer[0]() == 0
        if unit.ask[0].rdy():
            unit.ask[0](len(taken), 1, 251)
            taken.append(unit.clock.now)
    assert taken[:capacity] == [2 * i for i in range(capacity)]
    assert taken[capacity:] == [30 if refills else 31]
