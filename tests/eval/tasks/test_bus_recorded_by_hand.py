"""The order in which a peripheral is recorded, its windows, and answers that are wrong."""

from types import SimpleNamespace

import pytest

from eval.catalog.point import Point
from eval.catalog.workloads import WORKLOADS
from eval.tasks.flow_run import bus_recording
from eval.tasks.flow_run.bus_recording import record
from eval.tasks.flow_run.ports import BETWEEN, DUMMY, IDLE, IDLE_CYCLES, PATIENCE
from flow.recording import RecordedPort
from sim.errors import RunError, UserError
from sim.transfers import RESET_CYCLES

pytestmark = pytest.mark.quick
POINT = Point("mont-ct", 16)
TAKES = {"load": 40, DUMMY: 9, "e": 100, "d": 300}  # cycles of what is performed
RIGHT = {name: workload.request(16, None).result for name, workload in WORKLOADS.items()}


class Pins:
    """Nothing but a port of as many cycles as the master passed."""

    def __init__(self, point: Point) -> None:
        self.closed = 0
        Pins.last = self

    def recorded(self) -> tuple[RecordedPort, ...]:
        return (RecordedPort("bus_awvalid", False, 1, [0] * (RESET_CYCLES + Master.last.cycle)),)

    def close(self) -> None:
        self.closed += 1


class Master:
    """Passes cycles, and notes what they are for."""

    answers = RIGHT
    error = False

    def __init__(self, pins: Pins, name: str) -> None:
        self.cycle, self.did = 0, []
        Master.last = self

    def idle(self, cycles: int) -> None:
        self.did.append(("idle", cycles))
        self.cycle += cycles

    def perform(self, procedure: str, limit: int = 0):
        self.did.append((procedure, limit))
        self.cycle += TAKES[procedure]
        result = self.answers.get(procedure, 0)
        return SimpleNamespace(error=self.error, output=result.to_bytes(4))


@pytest.fixture(autouse=True)
def _made_up(monkeypatch) -> None:
    monkeypatch.setattr(bus_recording, "_Pins", Pins)
    monkeypatch.setattr(bus_recording, "BusMaster", Master)
    monkeypatch.setattr(bus_recording, "_loading", lambda point, requests: "load")
    monkeypatch.setattr(bus_recording, "_asked", lambda nbits, name, request: name)
    monkeypatch.setattr(bus_recording, "_without_start", lambda procedure: DUMMY)
    monkeypatch.setattr(Master, "answers", RIGHT)
    monkeypatch.setattr(Master, "error", False)


def test_it_idles_between_what_is_recorded() -> None:
    found = record(POINT)
    assert Master.last.did == [
        ("load", 0),
        *(("idle", BETWEEN), ("idle", IDLE_CYCLES)),
        *(("idle", BETWEEN), (DUMMY, PATIENCE)),
        *(("idle", BETWEEN), ("e", PATIENCE)),
        *(("idle", BETWEEN), ("d", PATIENCE)),
        ("idle", 1),
    ]
    begin, windows = RESET_CYCLES + 40, {}
    for name, cycles in ((IDLE, IDLE_CYCLES), (DUMMY, 9), ("e", 100), ("d", 300)):
        begin += BETWEEN
        windows[name] = begin, begin + cycles
        begin += cycles
    assert found.windows == windows
    assert found.cycles == begin + 1
    assert found.unchecked == ((0, RESET_CYCLES),)
    assert found.operations == {"e": DUMMY, "d": DUMMY}
    assert Pins.last.closed == 1


@pytest.mark.parametrize("name", ["e", "d"])
def test_a_wrong_answer_is_no_recording(monkeypatch, name: str) -> None:
    monkeypatch.setattr(Master, "answers", RIGHT | {name: RIGHT[name] ^ 1})
    with pytest.raises(RunError, match=f"workload {name}, recorded: .* was answered"):
        record(POINT)
    assert Pins.last.closed == 1


def test_an_error_is_no_answer(monkeypatch) -> None:
    monkeypatch.setattr(Master, "error", True)
    with pytest.raises(RunError, match="workload e, recorded"):
        record(POINT)


def test_what_is_too_long_is_not_recorded_whole(monkeypatch) -> None:
    """Before anything is made."""
    Pins.last = None
    monkeypatch.setattr(bus_recording, "busy_cycles", lambda nbits, cycles: bus_recording.LONG)
    record(POINT)
    Pins.last = None
    monkeypatch.setattr(bus_recording, "busy_cycles", lambda nbits, cycles: 50_001)
    with pytest.raises(UserError, match="--to: an operation of mont-ct-16 takes 50001 cycles"):
        record(POINT)
    assert Pins.last is None
