"""A kept row is of today's code, or of a named commit since which that code has changed."""

import json
import re
import subprocess
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from eval.catalog.point import Point
from eval.cli.figures import _is_to_do
from eval.quoting import keys, measuring
from eval.quoting.computing import COMPUTING, key_of
from eval.quoting.environment import Source
from eval.quoting.kept import UNKNOWN, Answers, Kept, RowKey, load
from eval.quoting.keys import (
    PRINTING,
    changed_since,
    digests_in_its_folder,
    digests_of,
    is_current,
    of_this_code,
    printed_by_this_code,
    tasks_of,
)
from eval.quoting.measuring import MANY, _rows, shortened
from eval.study.plan import Plan
from eval.study.studies import STUDIES
from eval.study.study import Study
from eval.tasks import closure
from eval.tasks.answering import LOG, Asked, answering, ask, only_asked
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.leakage.levels import GATES, GLITCHES, LAYOUT, LEVELS
from eval.tasks.provenance import CHANGED, NO_COMMIT
from eval.tasks.store import Key
from sim.closure import Code
from tests.places import ROOT

KEPT = load()
WITH_ROWS = [command for command in KEPT if KEPT[command].rows]
# Whose Verilog is there in a moment; `modexplorer figures --check` does all.
SAMPLE = [c for c in WITH_ROWS if re.search(r"flow (mul-rem|ssmm-small) --nbits (8|16|32)$", c)]


def allowed(command: str, answers: Answers) -> bool:
    """Whether a kept row may stand: it has today's keys, or is of a commit since which files that
    decide rows have changed, as far as any history tells."""
    if is_current(command, answers):
        return True
    return answers.commit != UNKNOWN and changed_since(answers.commit) is not False


@pytest.mark.parametrize("command", SAMPLE)
def test_rows_are_of_this_code_or_of_a_commit_before_it_changed(command) -> None:
    assert allowed(command, KEPT[command]), "modexplorer figures --check, make figures"


@pytest.mark.quick
def test_rows_that_are_kept_say_of_which_commit_they_are() -> None:
    assert SAMPLE
    assert all(KEPT[command].commit != UNKNOWN for command in WITH_ROWS)
    assert all(row.digest and row.kind for c in WITH_ROWS for row in KEPT[c].rows)


@pytest.mark.quick
def test_a_row_of_another_key_is_refused(monkeypatch) -> None:
    command = "flow mul-rem --nbits 8"
    rows = [RowKey("0" * 24, "flow", "mul-rem", 8, "{}")]
    monkeypatch.setattr(keys, "changed_since", lambda commit: False)
    monkeypatch.setitem(globals(), "changed_since", lambda commit: False)
    assert not allowed(command, Answers("abc", rows))
    monkeypatch.setitem(globals(), "changed_since", lambda commit: True)
    assert allowed(command, Answers("abc", rows))
    assert not allowed(command, Answers(UNKNOWN, rows))
    monkeypatch.setitem(globals(), "changed_since", lambda commit: None)  # no history
    assert allowed(command, Answers(NO_COMMIT, rows))


@pytest.mark.quick
def test_a_command_is_asked_for_its_rows_and_measures_none() -> None:
    [task] = tasks_of("flow mul-rem --nbits 8 --clock 2.75")
    assert isinstance(task, FlowRun)
    assert digests_of("flow mul-rem --nbits 8 --clock 2.75") == [task.key.digest]
    assert digests_of("flow mul-rem --nbits 8 --clock 2.7") != [task.key.digest]
    assert len(tasks_of("report quick")) > 1
    assert tasks_of("list") == []


@pytest.mark.quick
def test_asking_raises_only_where_it_is_to() -> None:
    ask([])
    with only_asked(), pytest.raises(Asked):
        ask([])
    ask([])


@pytest.mark.quick
def test_many_rows_have_one_digest() -> None:
    rows = [RowKey(f"{n:024x}", "flow", "mul-rem", n, "{}") for n in range(MANY + 1)]
    assert shortened(rows[:MANY]) == rows[:MANY]
    [one] = shortened(rows)
    assert one.kind == f"{MANY + 1} rows: flow"
    assert shortened([*reversed(rows)]) == [one]
    assert shortened([RowKey("1" * 24, "flow", "x", 8, "{}"), *rows[1:]]) != [one]


@pytest.mark.quick
def test_what_has_not_moved_is_not_measured_again(monkeypatch) -> None:
    flow, quick = "flow mul-rem --nbits 8", "simulate mul-rem --nbits 8 --level formula"
    [digest] = digests_of(flow)
    rows = [RowKey(digest, "flow", "mul-rem", 8, "{}")]
    changed = []
    monkeypatch.setattr(keys, "changed_since", lambda commit, files: changed[-1])
    changed.append(True)
    assert of_this_code(flow, Answers("abc", rows))
    assert not of_this_code(flow, Answers("abc", [RowKey("0" * 24, "flow", "mul-rem", 8, "{}")]))
    assert not of_this_code(quick, Answers("abc"))
    assert of_this_code(quick, Answers(keys.commit()))
    changed.append(None)  # no history tells
    assert not of_this_code(quick, Answers("abc"))
    changed.append(False)
    assert of_this_code(quick, Answers("abc"))


@pytest.mark.quick
def test_figures_of_rows_of_this_code_may_be_printed_by_other_code(monkeypatch) -> None:
    command = "flow mul-rem --nbits 8"
    [digest] = digests_of(command)
    rows = [RowKey(digest, "flow", "mul-rem", 8, "{}")]
    before, now = (Answers("abc", rows, printed_at=at) for at in ("abc", keys.commit()))
    source = Source(Kept({}), missing=True)
    for changed in (True, None, False):
        monkeypatch.setattr(keys, "changed_since", lambda at, files, now=changed: now)
        assert printed_by_this_code(before) is (changed is False)
        assert printed_by_this_code(now)
        assert not printed_by_this_code(replace(before, printed_at="abc" + CHANGED))
        assert _is_to_do(command, source, before, again=True) is (changed is not False)
        assert not _is_to_do(command, source, now, again=True)
        assert not _is_to_do(command, source, before, again=False)
    other = [replace(rows[0], digest="0" * 24)]
    assert _is_to_do(command, source, replace(now, rows=other), again=False)
    assert _is_to_do(command, source, replace(now, commit="abc" + CHANGED), again=False)


@pytest.mark.quick
def test_what_says_no_commit_of_its_printing_is_printed_anew() -> None:
    assert not printed_by_this_code(Answers("abc"))


@pytest.mark.quick
def test_rows_that_are_asked_for_one_by_one_are_known_by_the_first() -> None:
    command = "flow mul-rem --nbits 8"  # stands for one that asks for e, then d
    [digest] = digests_of(command)
    own, other = (RowKey(one, "simulate", "x", 8, "{}") for one in (digest, "0" * 24))
    assert is_current(command, Answers("abc", [own]))
    assert is_current(command, Answers("abc", [other, own]))
    assert not is_current(command, Answers("abc", [other]))
    assert not is_current(command, Answers("abc", [other, other]))
    assert not is_current(command, Answers("abc", [replace(other, design="y"), own]))
    assert not is_current(command, Answers("abc", [replace(other, kind="flow"), own]))


@pytest.mark.quick
@pytest.mark.parametrize(
    ("file", "levels"),
    [
        ("eval/assess/runs.py", LEVELS),
        ("eval/tasks/leakage/gates.py", (GATES, GLITCHES, LAYOUT)),
        ("flow/gates/traces.cpp", (GATES, GLITCHES, LAYOUT)),
        ("flow/steps/synthesis/synthesis.py", (GATES, GLITCHES, LAYOUT)),
        ("eval/tasks/leakage/layouts.py", (LAYOUT,)),
        ("flow/layout/straps.py", (LAYOUT,)),
        ("sim/toggle_loop.cpp", LEVELS),
        ("rtl/port/xcel.py", LEVELS),
        ("eval/cli/assess.py", ()),
        ("eval/report/cards.py", ()),
    ],
)
def test_a_command_that_computes_itself_is_known_by_its_code(monkeypatch, file, levels) -> None:
    """Not by the rows that it takes, such as a netlist's."""
    command = "assess mont-ct --nbits 8 --traces 100"
    assert key_of(command)[0].digest == key_of(f"{command} --level rtl")[0].digest
    made = {level: key_of(f"{command} --level {level}") for level in LEVELS}
    for level, [key] in made.items():
        assert is_current(f"{command} --level {level}", Answers("abc", [key]))
        other = replace(key, digest="0" * 24)
        assert not is_current(f"{command} --level {level}", Answers("abc", [other]))
    planted = b"\nint planted;\n" if file.endswith(".cpp") else b"\nPLANTED = 1\n"
    changed = ROOT / file
    code = Code(read=lambda path: path.read_bytes() + (planted if path == changed else b""))
    assert changed.is_file()
    monkeypatch.setattr(closure, "CODE", code)
    current = {
        of for of in LEVELS if is_current(f"{command} --level {of}", Answers("abc", made[of]))
    }
    assert current == set(LEVELS) - set(levels)


@pytest.mark.quick
def test_other_commands_are_known_by_their_rows() -> None:
    assert key_of("flow mont-ct --nbits 8") == key_of("rsa 'array(digit=4)' --nbits 8") == []
    assert all(key_of(command) for command in KEPT if command.split()[0] in COMPUTING)


@pytest.mark.quick
def test_a_search_is_known_by_the_files_that_decide(monkeypatch) -> None:
    command = "find --nbits 8 --operation sign --least area --designs mul-rem"
    rows = [RowKey("0" * 24, "14 rows: flow", "", 0, "")]
    for changed in (True, None, False):
        monkeypatch.setattr(keys, "changed_since", lambda commit, now=changed: now)
        assert is_current(command, Answers("abc", rows)) is (changed is False)


@pytest.fixture
def staged(monkeypatch) -> str:
    """A study that asks for a simulation of two designs, and then for the noise of some."""
    points = [Point("mul-rem", 8), Point("ssmm-small", 8)]
    study = Study(
        "staged",
        "Staged",
        lambda plan: [task for n in (8, 16) for task in plan.simulations(at(points, n))],
        then=lambda plan, found: plan.each("noise", points[:1]),
    )
    monkeypatch.setitem(STUDIES, "staged", study)
    return "report staged"


def at(points: list[Point], nbits: int) -> list[Point]:
    return [replace(point, nbits=nbits) for point in points]


def logged(file: Path, tasks) -> Path:
    """Tell rows to a log as commands do."""
    lines = [
        json.dumps({"digest": task.key.digest, "key": asdict(task.key), "made": None})
        for task in tasks
    ]
    file.write_text("\n".join(lines) + "\n")
    return file


@pytest.mark.parametrize("many", [3, 8, 99])
def test_rows_that_follow_from_others_are_known_one_by_one(
    staged, tmp_path, monkeypatch, many: int
) -> None:
    """Whether all rows are kept by their keys, some, or only those that follow."""
    monkeypatch.setattr(measuring, "MANY", many)
    study = STUDIES["staged"]
    both = study.then(Plan(study.clock_ns), None) + Plan(study.clock_ns).each(
        "noise", [Point("ssmm-small", 8)]
    )
    for followed in (both[:1], both[1:], both, []):
        rows, *_ = _rows(logged(tmp_path / "log", [*study.tasks, *followed]), staged)
        first, later = rows[: len(rows) - len(followed)], rows[len(rows) - len(followed) :]
        assert {row.kind for row in first} == {"8 rows: simulate" if many == 3 else "simulate"}
        assert len(first) == (1 if many == 3 else 8)
        assert {row.digest for row in later} == {task.key.digest for task in followed}
        assert is_current(staged, Answers("abc", rows))
        assert not is_current(staged, Answers("abc", [replace(rows[0], digest="0"), *rows[1:]]))
        for n, row in enumerate(later, len(first)):
            for wrong in (
                {"digest": "0" * 24},
                {"design": "mont-001"},
                {"nbits": 9},
                {"kind": "clocks"},
            ):
                stale = [*rows[:n], replace(row, **wrong), *rows[n + 1 :]]
                assert not is_current(staged, Answers("abc", stale)), wrong


@pytest.mark.parametrize("kind", ["88 rows: flow", "flow"])
def test_a_report_of_a_study_that_is_gone_is_not_current(kind: str) -> None:
    rows = [RowKey("0" * 24, kind, "", 0, "")]
    for study in ("gone", "gone.toml"):
        assert not is_current(f"report {study}", Answers("abc", rows))


def test_a_command_with_files_is_asked_in_a_folder_that_has_them() -> None:
    vectors = "conform mont-best --nbits 512 --acvp acvp-sig-gen.json --out answers.json"
    mine = "compare mul-rem mine --nbits 8 --workloads d"
    for command in (vectors, mine):
        assert digests_of(command) == []
        assert digests_in_its_folder(command)


@pytest.mark.quick
def test_history_tells_what_changed() -> None:
    assert changed_since("no-such-commit") is None


@pytest.mark.quick
def test_rows_that_another_row_needs_are_not_told(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv(LOG, str(tmp_path / "rows"))
    outer, inner = (Key(kind, "a", 8, "{}", "", "", "") for kind in ("noise", "flow"))
    for _ in range(2):
        with answering() as tell:
            with answering() as tell_inner:
                tell_inner(inner, None)
            tell(outer, {"seconds": 1.0})
    told = [json.loads(line) for line in (tmp_path / "rows").read_text().splitlines()]
    assert [row["digest"] for row in told] == 2 * [outer.digest]
    assert told[0]["key"]["kind"] == "noise"
    assert told[0]["made"] == {"seconds": 1.0}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A history of one commit, and that."""
    place = tmp_path_factory.mktemp("checkout")
    for file in (*DECIDES, *PRINTS, *ELSE):
        (place / file).parent.mkdir(parents=True, exist_ok=True)
        (place / file).write_text("before")
    by = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "."), (*by, "commit", "-qm", "all")):
        subprocess.run(["git", *words], cwd=place, check=True)
    asked = ["git", "rev-parse", "HEAD"]
    at = subprocess.run(asked, cwd=place, check=True, capture_output=True, text=True)
    return place, at.stdout.strip()


DECIDES = (
    *(f"{package}/deep/file.py" for package in ("fl", "cl", "rtl", "sim", "proc", "flow")),
    *("eval/catalog/a.py", "eval/tasks/noise.py", "eval/documents/d001/figures.py", "setup.py"),
)
PRINTS = ("eval/report/page.py", "eval/cli/flow.py", "eval/table/units.py")
ELSE = (
    *("docs/a.md", "tests/flow/a.py", "flow/README.md", "eval/quoting/kept.json"),
    "eval/documents/d001/document.toml",
)


@pytest.mark.quick
@pytest.mark.parametrize("file", [*DECIDES, *PRINTS, *ELSE])
def test_which_files_decide_rows_and_which_print_them(
    checkout: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    place, at = checkout
    monkeypatch.setattr(keys, "ROOT", place)
    monkeypatch.setattr(keys, "_changed_since", keys._changed_since.__wrapped__)
    asked = changed_since
    assert (asked(at), asked(at, PRINTING)) == (False, False)
    (place / file).write_text("after")
    try:
        assert asked(at) is (file in DECIDES)
        assert asked(at, PRINTING) is (file in (*DECIDES, *PRINTS))
    finally:
        (place / file).write_text("before")


@pytest.mark.quick
@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({"new": 0}, False),
        ({"new": 1}, True),
        ({"new": 0, "old": 1}, True),
        ({"old": 1, "new": 0}, True),
        ({"new": 0, "old": 0}, False),
        ({"new": 0, "gone": 128}, None),
        ({"gone": 128, "old": 1}, True),
    ],
)
def test_a_change_counts_if_any_of_the_commits_is_older(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, int], found: bool | None
) -> None:
    def run(asked: list[str], **how: Any) -> subprocess.CompletedProcess:
        return subprocess.CompletedProcess(asked, told[asked[3]])

    keys._changed_since.cache_clear()
    monkeypatch.setattr(keys.subprocess, "run", run)
    assert changed_since(", ".join(told)) is found
    keys._changed_since.cache_clear()


@pytest.mark.quick
def test_rows_are_of_all_commits_that_made_them_and_take_the_time_of_all(tmp_path: Path) -> None:
    """Each counts once, however often it was asked for; one that is older says nothing."""
    key = dict.fromkeys(("kind", "design", "parameters", "workload"), "x") | {"nbits": 8}
    made = [("c", {"commit": "f00", "seconds": 1.25}), ("a", {"commit": "abc", "seconds": 2.0})]
    made += [("b", None), ("d", {"commit": "f00", "seconds": 4.01}), ("c", made[0][1])]
    lines = [json.dumps({"digest": digest, "key": key, "made": one}) for digest, one in made]
    (tmp_path / "log").write_text("\n".join(lines))
    rows, commits, seconds = _rows(tmp_path / "log", "flow mul-rem --nbits 8")
    assert [row.digest for row in rows] == ["a", "b", "c", "d"]
    assert (commits, seconds) == ("abc, f00", 7.3)
    assert _rows(tmp_path / "none", "list") == ([], "", 0.0)
