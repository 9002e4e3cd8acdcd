"""What is replayed to know the energy of a private operation by CRT."""

from dataclasses import replace

import pytest

from eval.catalog.point import Point
from eval.tasks.flow_run import private_recording
from eval.tasks.flow_run.private_recording import record_private
from eval.tasks.private import private_key
from sim.errors import RunError, UserError

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
