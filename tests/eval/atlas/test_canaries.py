"""Canaries: small measurements of every stage have their stored values."""

from dataclasses import replace

import pytest

from eval.atlas import canaries
from eval.atlas.canaries import Moved, check, passed, stored, uncovered
from eval.tasks.kinds import KINDS
from sim.closure import Code
from sim.stages import Stages
from tests.command_line import assert_refused, run, run_json

NAMES = list(canaries.canaries())
QUICK = "mul-rem-8 workload d"
# Kinds whose searches repeat what canaries of other kinds measure.
REPEATED = {"placements", "private", "supply", "clocks", "noise"}


@pytest.mark.parametrize("name", NAMES)
def test_a_canary_has_its_stored_values(name):
    check(name)  # of stored results, where neither code nor Verilog changed
    assert passed(name)


@pytest.mark.quick
def test_canaries_are_of_every_stage_and_kind():
    assert not uncovered()
    assert {task.kind for task in canaries.canaries().values()} >= set(KINDS) - REPEATED
    assert {entry.key.asked for entry in stored().values()} == {
        task.asked for task in canaries.canaries().values()
    }


@pytest.mark.quick
def test_canaries_are_of_what_only_large_designs_exercise():
    """Sampled energies, netlists composed of modules, several words at the port."""
    values = [entry.values for entry in stored().values()]
    windows = [w for one in values if one.get("energy") for w in one["energy"]["windows"].values()]
    assert any(window.get("pieces") for window in windows)
    assert any(len(one.get("points", ())) > 1 for one in values)
    assert any(entry.key.nbits > 32 for entry in stored().values())


@pytest.fixture
def moved(monkeypatch, tmp_path):
    """Give the stored values of a canary, changed; nothing passed yet."""
    monkeypatch.setattr(canaries, "build_dir", lambda *parts: tmp_path)
    entry = stored()[canaries.canaries()[QUICK].asked]

    def change(**values: object) -> None:
        metrics = entry.values["metrics"] | values
        other = replace(entry, values=entry.values | {"metrics": metrics})
        monkeypatch.setattr(canaries, "stored", lambda: {entry.key.asked: other})

    return change


def test_a_value_that_moved_is_named_with_the_stages_and_the_remedy(moved):
    moved(cycles_d=1)
    with pytest.raises(Moved) as failure:
        check(QUICK)
    for text in (QUICK, "metrics.cycles_d: 1 -> ", "simulate", "dev canary --record"):
        assert text in str(failure.value)
    assert not passed(QUICK)
    result = run(f"dev canary --only '{QUICK}'")
    assert result.exit_code == 1
    assert "metrics.cycles_d: 1 -> " in result.stderr


def test_what_passed_is_noted_until_code_of_a_stage_changes(moved, monkeypatch):
    moved()
    check(QUICK)
    assert passed(QUICK)
    monkeypatch.setattr(canaries, "check", lambda name: pytest.fail("measured again"))
    assert run_json(f"dev canary --only '{QUICK}'") == {"canaries": [QUICK], "moved": []}
    edited = Stages(Code())
    monkeypatch.setattr(edited, "own_digest", lambda name: "edited" if name == "measure" else "")
    monkeypatch.setattr(canaries, "stages", lambda: edited)
    assert not passed(QUICK)


@pytest.mark.quick
def test_bad_arguments():
    assert_refused("dev canary --record mapp", "choose from")
    assert_refused("dev canary map", "--record")
    assert_refused("dev canary --only 'nothing of that name'", "no canary")
