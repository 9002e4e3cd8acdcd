"""A campaign: trials drawn from numbers, faults that they find, failures reduced to one request."""

import json
import shlex
import time
from dataclasses import replace
from pathlib import Path

import pytest

import rtl.exp.ssmm_shared
from eval.catalog import find
from eval.contract import campaign
from eval.contract.campaign import Trial, smallest
from eval.contract.design import EXPONENTIATOR, PARTS
from eval.contract.exponentiator import ExpCase
from sim.paths import build_dir
from tests.command_line import run, run_json
from tests.faults import faults, plant

NBITS = 8


@pytest.mark.quick
def test_a_number_draws_the_same_trial_and_others_draw_others():
    trials = [Trial(number) for number in range(40)]
    again = [Trial(number) for number in range(40)]
    assert [str(t) for t in trials] == [str(t) for t in again]
    assert trials[3].cases == again[3].cases
    assert trials[3].stalls == again[3].stalls
    designs, widths, parts = (set(one) for one in zip(*(t.chosen for t in trials), strict=True))
    assert len({design.name for design in designs}) > 20
    assert len(widths) > 10
    assert parts == set(PARTS)
    assert any("(" in design.name for design in designs)


def chosen(monkeypatch: pytest.MonkeyPatch, design, part: str) -> Trial:
    """A trial of this design and part."""
    monkeypatch.setattr(Trial, "chosen", (design, NBITS, part))
    return Trial(5)


@pytest.mark.parametrize("part", PARTS)
def test_a_sound_design_passes(monkeypatch: pytest.MonkeyPatch, part: str):
    trial = chosen(monkeypatch, find("ssmm-small"), part)
    requests, failure = trial.run()
    assert failure is None
    assert requests > 300


@faults({"a wrong result": ("s.multiplicand <<= s.recv.msg.base", "s.multiplicand <<= 1")})
def test_a_fault_is_found_and_reduced_to_the_least_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sound: str, faulty: str
):
    broken, right = plant(tmp_path, rtl.exp.ssmm_shared, sound, faulty), find("ssmm-small")
    takes = right.at(NBITS).takes
    design = replace(right, make=lambda nbits: broken.SsmmShared(nbits, takes, 1))
    requests, failure = chosen(monkeypatch, design, EXPONENTIATOR).run()
    assert requests > 0
    assert "expected" in failure.said
    words = shlex.split(failure.command)
    assert words[:3] == ["modexplorer", "simulate", "ssmm-small"]
    operands = {name: int(words[words.index(f"--{name}") + 1]) for name in ("base", "exp", "mod")}
    assert operands["exp"] <= 2
    assert operands["base"] <= 3


@pytest.mark.quick
def test_a_case_is_reduced_to_what_still_fails():
    case = ExpCase("any", NBITS, base=0xB7, exp=0xD9, mod=0xFB)
    least = smallest(case, lambda one: one.exp & 8 and one.base > 4 and one.mod > one.base)
    assert (least.exp, least.base) == (8, 5)
    assert 6 <= least.mod <= 7


def test_what_goes_wrong_otherwise_is_told_with_the_trial(monkeypatch: pytest.MonkeyPatch):
    def breaks(*_: object) -> None:
        raise OSError("no compiler")

    monkeypatch.setattr(campaign.Trial, "_run", breaks)
    requests, failure = Trial(7).run()
    assert (requests, failure.command) == (0, "modexplorer campaign --trial 7")
    assert failure.said.endswith("OSError: no compiler")


def test_a_campaign_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    done: list[int] = []

    def note(trial: Trial) -> tuple[int, None]:
        done.append(trial.number)
        (built := build_dir("batch") / "built.so").write_text("")
        time.sleep(0.1)
        assert built.is_relative_to(tmp_path / "campaign")
        return 7, None

    monkeypatch.setattr(Trial, "run", note)
    line = f"--build {tmp_path} campaign --hours 0.001 --first 11"
    first, second = run_json(line), run_json(line)
    assert second["trials"] > first["trials"] > 0
    assert done == [*range(11, 11 + second["trials"])]
    assert second["requests"] == 7 * second["trials"]
    state = json.loads((tmp_path / "campaign/from-11/state.json").read_text())
    assert state["next"] == done[-1] + 1
    assert not list(tmp_path.rglob("*.so"))


def test_a_failure_makes_the_command_fail(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(campaign.Trial, "_run", lambda self: 1 / 0)
    found = run("campaign --trial 3")
    assert found.exit_code == 1
    assert "modexplorer campaign --trial 3" in found.stderr
