"""Audits: results that are measured again, and what a run stores in the atlas."""

from dataclasses import replace

import pytest

from eval.atlas import audits, canaries, updates
from eval.atlas.audits import DIFFERS, EQUAL, OLDER, OTHER_DESIGN, audit, confirm, drawn, state
from eval.atlas.rows import Entry, file_of, read, studies, write
from eval.atlas.updates import logged
from eval.tasks.answering import LOG
from eval.tasks.provenance import commit
from eval.tasks.store import as_text
from eval.tasks.task import measure
from sim.errors import RunError
from tests.command_line import assert_refused, run, run_json

NAME = "mul-rem-8 workload d"
SECONDS = 20  # of a result that is measured again in a test


@pytest.fixture
def entry() -> Entry:
    """A result that takes seconds."""
    return canaries.stored()[canaries.canaries()[NAME].asked]


def test_a_result_is_measured_again_and_every_value_compared(entry):
    [equal] = audit([("some", entry)])
    assert (equal.verdict, equal.moved) == (EQUAL, [])
    wrong = entry.values | {"metrics": entry.values["metrics"] | {"cycles_d": 7}}
    [differs] = audit([("some", replace(entry, values=wrong))])
    assert differs.verdict == DIFFERS
    assert [one.path for one in differs.moved] == ["metrics.cycles_d"]


def test_what_is_not_of_this_checkout_is_not_compared(entry):
    older = replace(entry, key=replace(entry.key, stages=as_text({"measure": 0})))
    other = replace(entry, key=replace(entry.key, verilog="other"))
    assert [one.verdict for one in audit([("some", older), ("some", other)])] == [
        OLDER,
        OTHER_DESIGN,
    ]
    assert [state(one) for one in (entry, older, other)] == [None, OLDER, OTHER_DESIGN]
    lost = replace(entry, request=entry.request | {"workload": "e"})
    assert state(lost) == "not measured any more"
    assert [one.verdict for one in audit([("some", lost)])] == ["not measured any more"]
    with pytest.raises(RunError, match="not measured any more"):
        audits.task_of(lost)


def test_a_budget_ends_an_audit(entry):
    assert list(audit([("some", entry)] * 3, budget=-1)) == []


def test_results_are_drawn_by_a_seed_and_a_budget(monkeypatch, entry):
    found = [replace(entry, made={"seconds": float(n)}) for n in range(20)]
    monkeypatch.setattr(audits, "studies", lambda: ["some"])
    monkeypatch.setattr(audits, "read", lambda study: found)
    seconds = lambda rows: [one.made["seconds"] for _, one in rows]  # noqa: E731
    assert seconds(drawn(5, 1)) == seconds(drawn(5, 1)) != seconds(drawn(5, 2))
    assert max(seconds(drawn(20, 1, 9.5))) == 9
    assert len(drawn(30, 1)) == 20


def test_it_is_noted_by_which_commit_a_result_was_confirmed(monkeypatch, tmp_path, entry):
    other = replace(entry, key=replace(entry.key, nbits=9))
    write("some", [entry, other], tmp_path)
    monkeypatch.setattr(audits, "read", lambda study: read(study, tmp_path))
    monkeypatch.setattr(audits, "write", lambda study, rows: write(study, rows, tmp_path))
    found = [
        audits.Audited("some", entry, EQUAL, [], 1.0),
        audits.Audited("some", other, DIFFERS, [], 1.0),
    ]
    confirm(found)
    noted = {one.key.nbits: one.made.get("confirmed") for one in read("some", tmp_path)}
    assert noted[8]["commit"] == commit()
    assert noted[9] is None


def test_a_run_logs_what_the_atlas_stores(monkeypatch, tmp_path, entry):
    log = tmp_path / "rows"
    monkeypatch.setenv(LOG, str(log))
    task = canaries.canaries()[NAME]
    for _ in range(2):
        measure(task)
    [made] = logged(log)
    assert (made.key, made.command) == (task.key.identity, task.command)
    assert made.values == entry.values
    assert {"commit", "date", "seconds"} <= made.made.keys()


def test_an_update_runs_a_study_and_keeps_what_is_there(monkeypatch, tmp_path):
    before = read("quick")
    monkeypatch.setattr(updates, "read", lambda study: read(study, tmp_path))
    monkeypatch.setattr(updates, "write", lambda study, rows: write(study, rows, tmp_path))
    assert updates.update("quick") == (len(before), len(before))
    found = {one.key.asked: one for one in read("quick", tmp_path)}
    for one in before:
        assert not one.moved(found[one.key.asked].values)
    assert updates.update("quick") == (0, len(before))


def test_a_sample_of_the_atlas_is_measured_again(monkeypatch):
    """Of cheap results, drawn anew by each commit."""
    found = list(audit(drawn(2, int.from_bytes(commit().encode()[:8]), SECONDS)))
    assert not [f"{one.entry.name}: {one.moved}" for one in found if one.verdict == DIFFERS]


def test_commands(monkeypatch, tmp_path, entry):
    changed = replace(entry, values=entry.values | {"result": 5})
    for name, one in (("a", entry), ("b", changed)):
        (tmp_path / name).mkdir()
        write("some", [one], tmp_path / name)
    [moved] = run_json(f"atlas diff {tmp_path / 'a'} {tmp_path / 'b'}")
    assert "result:" in moved["what"]
    assert run_json("atlas list") == run_json("atlas list")
    assert {row["study"] for row in run_json("atlas list")} == set(studies())
    monkeypatch.setattr(audits, "drawn", lambda *asked: [("some", changed)])
    monkeypatch.setattr(audits, "confirm", lambda found: None)
    result = run("atlas audit --rows 1")
    assert result.exit_code == 1
    assert "result: 5 -> " in result.stdout
    assert_refused("atlas diff nowhere .", "OLD")
    result = run("atlas update nothing")
    assert result.exit_code == 2
    assert "choose from" in result.stderr


def test_what_ships_is_small():
    sizes = [file_of(study).stat().st_size for study in studies()]
    assert sum(sizes) < 50e6
    assert file_of("quoted").exists()
