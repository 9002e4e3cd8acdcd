"""Many commands are measured side by side, each once, those that are timed alone."""

import threading

import pytest

from eval.quoting import campaign
from eval.quoting.campaign import measure_all
from eval.quoting.environment import Source
from eval.quoting.kept import Answers, Kept
from sim.errors import RunError

pytestmark = pytest.mark.quick


@pytest.fixture
def source():
    """Texts that quote the time of one command."""
    found = Source(Kept({}), missing=True)
    found.seconds("flow slow")
    return found


@pytest.fixture
def measuring(monkeypatch):
    """Measuring waits until as many run as can: (most at once, what ran, cores of each)."""
    now, most, ran = [], [], {}
    both = threading.Barrier(2)

    def measure(command, source, cores=None):
        now.append(command)
        most.append(len(now))
        ran[command] = cores
        if command in ("flow a", "flow b"):
            both.wait(60)
        now.remove(command)
        if command == "flow wrong":
            raise RunError("flow wrong: does not run")
        return Answers(command)

    monkeypatch.setattr(campaign, "measure", measure)
    monkeypatch.setattr(campaign.os, "cpu_count", lambda: 4)
    return most, ran


def test_two_run_side_by_side_and_what_is_timed_alone(source, measuring):
    most, ran = measuring
    commands = ["simulate x --level formula", "flow slow", "flow a", "flow b", "flow wrong"]
    begun = []
    found = dict(measure_all(commands, source, 2, lambda name: True, begun.append))
    assert sorted(begun) == sorted(found) == sorted(commands)
    assert max(most) == 2
    assert ran == {
        **dict.fromkeys(["simulate x --level formula", "flow slow"]),
        **dict.fromkeys(["flow a", "flow b", "flow wrong"], 2),
    }
    assert str(found.pop("flow wrong")) == "flow wrong: does not run"
    assert all(answers.commit == command for command, answers in found.items())


def test_what_does_not_fit_is_not_begun(source, measuring):
    _, ran = measuring
    found = dict(measure_all(["flow c", "flow slow"], source, 2, lambda n: False, lambda n: None))
    assert found == ran == {}


def test_alone_each_has_all_cores_and_comes_in_turn(source, measuring):
    most, ran = measuring
    commands = ["flow c", "flow d"]
    found = [name for name, _ in measure_all(commands, source, 1, lambda n: True, lambda n: None)]
    assert found == commands
    assert (max(most), set(ran.values())) == (1, {None})
