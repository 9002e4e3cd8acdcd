"""What is replayed to know the energy of a private operation by CRT, and what is said of it."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from eval.catalog.point import Point
from eval.tasks import private_energy
from eval.tasks.flow_run import private_recording
from eval.tasks.flow_run.private_recording import record_private
from eval.tasks.private import PRIVATE, private_key
from eval.tasks.private_energy import OfClocks, PrivateEnergy, PrivateResult
from eval.tasks.private_energy_section import PRIVATE_ENERGIES
from flow.run import run_flow
from sim.errors import RunError, UserError
from tests.command_line import assert_refused

POINT = Point("array-crt(digit=4)", 16)


def test_the_windows_differ_by_the_operation():
    """The requests of the dummy are those of the operation but go and pops: key and message."""
    recording = record_private(POINT)
    assert list(recording.windows) == ["idle", "dummy", "private"]
    assert recording.operations == {"private": "dummy"}
    [messages] = [port for port in recording.ports if port.name == "xcel__req__msg"]
    sent = {
        name: [message for message in messages.values[begin:end] if message]
        for name, (begin, end) in recording.windows.items()
    }
    pushes = 2 + len(["p", "q", "dp", "dq", "q_inverse", "e"])
    assert sent["idle"] == []
    assert sent["dummy"][:pushes] == sent["private"][:pushes]
    begin, end = recording.windows["private"]
    latency = POINT.entry.at(16).private_latency(private_key(16).e, private_key(16).n)
    assert end - begin == pushes + 1 + latency + 1 + 1 + 1  # go, the pop, the status


def test_a_wrong_answer_is_not_recorded(monkeypatch):
    key = private_key(16)
    monkeypatch.setattr(private_recording, "private_key", lambda nbits: replace(key, e=key.e + 2))
    with pytest.raises(RunError, match="workload private, recorded: answered 0, status 8"):
        record_private(POINT)


@pytest.mark.quick
def test_designs_without_the_operation_are_refused():
    with pytest.raises(UserError, match="array-16 makes no private operation"):
        record_private(Point("array-16", 16))


class Told(Exception):
    """Whether a recording is to be of pieces."""


@pytest.mark.quick
@pytest.mark.parametrize(("nbits", "parts"), [(16, 6), (64, 6), (72, 11)])
def test_what_takes_longer_is_replayed_in_pieces(monkeypatch, nbits: int, parts: int):
    """Each word of n, of the message and of a part is pushed, then the go; the result stands a
    cycle after the answer, and its words are popped. The parts but e are of half the bits."""

    def engine(*given):
        raise Told(given[-1])

    monkeypatch.setattr(private_recording, "BatchEngine", engine)
    monkeypatch.setattr(private_recording, "simulated", lambda point: None)
    point, key = replace(POINT, nbits=nbits), private_key(nbits)
    words = -(-nbits // 32)
    latency = point.entry.at(nbits).private_latency(key.e, key.n)
    cycles = 2 * words + parts + 1 + latency + 1 + words - 1
    for whole, in_pieces in ((cycles, False), (cycles - 1, True)):
        with pytest.raises(Told) as told:
            record_private(point, whole)
        assert told.value.args == (in_pieces,)


@pytest.mark.parametrize("error_nj", [None, 3.0])
def test_a_result_is_of_both_netlists_in_uj(monkeypatch, error_nj: float | None):
    """Of flows that answer at once: what they are asked for, and what is made of it."""
    asked: list[dict] = []

    def flow(*given, **named):
        asked.append(named)
        return len(asked)

    def results(number: int) -> SimpleNamespace:
        energy = SimpleNamespace(
            energy_nj=100.0 * number,
            energy_with_glitches_nj=150.0 * number,
            energy_error_nj=error_nj,
        )
        metrics = {"area_um2": 10 * number, "setup_slack_ns": 0.5, "period_ns": 2.5}
        steps = SimpleNamespace(power=SimpleNamespace(operations={PRIVATE: energy}))
        return SimpleNamespace(metrics=metrics, tools={"a tool": "1"}, steps=steps)

    monkeypatch.setattr(private_energy, "record_private", lambda point: "recorded")
    monkeypatch.setattr(private_energy, "run_flow", flow)
    monkeypatch.setattr(private_energy, "read_results", results)
    key = private_key(16)
    cycles = POINT.entry.at(16).private_latency(key.e, key.n) + 1
    error_uj = None if error_nj is None else 0.003
    plain = OfClocks(10, 0.5, 2.5, 0.1, 0.15, error_uj)
    gated = OfClocks(20, 0.5, 2.5, 0.2, 0.3, error_uj)
    found = PrivateEnergy(POINT, 3.0).compute(lambda step: None)
    assert found == PrivateResult({"a tool": "1"}, cycles, {"plain": plain, "gated": gated})
    assert [one["gated"] for one in asked] == [False, True]
    assert {(one["clock_period"], one["to"], one["recording"]) for one in asked} == {
        (3.0, "power", "recorded")
    }


@pytest.mark.long
def test_energies_are_those_of_the_flow_less_those_of_the_pushes(monkeypatch):
    """The windows of the flow's own results, by hand; and what gated clocks change."""
    asked: list[tuple[dict, dict]] = []

    def flow(*given, **named):
        asked.append((named, run_flow(*given, **named)))
        return asked[-1][1]

    monkeypatch.setattr(private_energy, "run_flow", flow)
    point = replace(POINT, design="array-crt(digit=2)")
    task = PrivateEnergy(point, 3.0)
    found, key = task.compute(lambda step: None), private_key(16)
    assert found.cycles == point.entry.at(16).private_latency(key.e, key.n) + 1
    assert list(found.netlists) == ["plain", "gated"]
    assert [named["gated"] for named, _ in asked] == [False, True]
    assert {(named["clock_period"], named["to"]) for named, _ in asked} == {(3.0, "power")}
    for one, (_, made) in zip(found.netlists.values(), asked, strict=True):
        windows = made["steps"]["power"]["windows"]
        operation, dummy = (windows[name]["energy_with_glitches_nj"] for name in (PRIVATE, "dummy"))
        assert one.energy_with_glitches_uj == pytest.approx((operation - dummy) / 1000)
        operation, dummy = (windows[name]["energy_nj"] for name in (PRIVATE, "dummy"))
        assert one.energy_uj == pytest.approx((operation - dummy) / 1000)
        assert one.energy_error_uj is None
    plain, gated = found.netlists.values()
    assert plain.area_um2 != gated.area_um2
    assert 0 < gated.energy_uj < 0.9 * plain.energy_uj
    lines = PRIVATE_ENERGIES.of({task: found}).lines
    assert [line.values[1] for line in lines] == ["plain", "gated"]
    assert {line.values[5] for line in lines} == {found.cycles * 3.0 / 1000}


@pytest.mark.quick
@pytest.mark.parametrize(("slack_ns", "design"), [(0.0, str(POINT)), (-0.001, f"{POINT}!")])
def test_a_missed_clock_is_marked(slack_ns: float, design: str):
    one = OfClocks(1000.0, slack_ns, 0.6, 0.02, 0.03, None)
    result = PrivateResult({}, 1000, {"gated": one})
    [line] = PRIVATE_ENERGIES.of({PrivateEnergy(POINT, 0.5): result}).lines
    assert line.values == (design, "gated", 1000.0, 0.6, 1000, 0.5, 0.02, 0.03, None)


@pytest.mark.quick
def test_designs_without_the_operation_are_refused_by_the_command():
    assert_refused("private array-16 --nbits 16", "design: array-16 makes no private operation")
