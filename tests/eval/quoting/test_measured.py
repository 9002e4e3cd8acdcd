"""Stored numbers are what commands print: what is cheap is measured here."""

import re
from subprocess import CompletedProcess

import pytest

from eval.quoting import measuring
from eval.quoting.excerpt import excerpt, label
from eval.quoting.formulas import computed
from eval.quoting.measuring import measure
from eval.quoting.pages import quoted
from eval.quoting.paths import value_at
from eval.quoting.source import Source
from eval.quoting.stored import Answers, load
from eval.tasks.provenance import commit
from sim.errors import RunError
from sim.paths import build_dir
from tests.asked import tasks_of
from tests.command_line import run, run_json
from tests.places import ROOT

STORED = load()
SOURCE = quoted(STORED)
COMMANDS = sorted(SOURCE.values | SOURCE.excerpts)
# Others that take a moment, or what other tests have built.
SHORT = (
    *("simulate mul-rem", "simulate 'mont(", "simulate ssmm-best", "verilog", "run proc/app"),
    *("dots", "pseudo", "keygen", "documents", "list"),
)


def bits(command: str) -> int:
    """The width that a command names."""
    found = re.search(r"--nbits (\d+)", command)
    return int(found[1]) if found else 0


CHEAP = [c for c in COMMANDS if c.startswith(SHORT) and bits(c) <= 32]


def check(command: str, printed: str, asked: dict) -> None:
    """Whether what a command prints now is what is stored."""
    stored = STORED[command]
    for path in SOURCE.values.get(command, ()):
        assert value_at(asked, path) == stored.values[path], f"{path}: pages --measure"
    for one in SOURCE.excerpts.get(command, ()):
        assert excerpt(printed, *one) == stored.printed[label(*one)], "pages --measure"


@pytest.mark.quick
def test_cycles_by_formula_are_computed() -> None:
    source = Source({})
    assert source.cycles("mul-rem", "e", 32, "--xcel") == 550
    assert source.values == {}


@pytest.mark.parametrize("command", CHEAP)
def test_a_cheap_command_prints_what_is_stored(command, monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build").mkdir()
    (tmp_path / "proc").symlink_to(ROOT / "proc")
    printed = run(command).stdout if command in SOURCE.excerpts else ""
    asked = run_json(command) if command in SOURCE.values else {}
    check(command, printed, asked)


ROWS = [c for c in COMMANDS if c.split()[0] in ("flow", "clocks", "fpga", "noise", "explore")]


def test_commands_of_results_are_not_refused() -> None:
    """Each comes to ask for its results: a design may refuse options that are well formed."""
    assert len(ROWS) > 100
    assert [command for command in ROWS if not tasks_of(command)] == []


def test_a_command_is_measured() -> None:
    """One run of the flow, which other tests do, too."""
    command = "flow mul-rem --nbits 8"
    found = measure(command, SOURCE)
    assert found.values["metrics.area_um2"] > 0
    assert found.values.keys() == STORED[command].values.keys()
    assert found.commit == commit()


def test_a_command_that_fails_is_named() -> None:
    with pytest.raises(RunError, match="no design named 'nothing'"):
        computed("simulate nothing --nbits 8 --workload e --level formula")
    source = Source(STORED, missing=True)
    source.value("list", "nowhere.at.all")
    with pytest.raises(RunError, match="list"):
        measure("list", source)


@pytest.mark.quick
def test_a_wrong_number_fails(monkeypatch) -> None:
    command = CHEAP[0]
    path, value = "cycles", 7
    monkeypatch.setitem(SOURCE.values, command, {path})
    monkeypatch.setitem(STORED, command, Answers({path: value + 1}))
    with pytest.raises(AssertionError, match="pages --measure"):
        check(command, "", {path: value})


@pytest.mark.quick
def test_what_answers_by_the_whole_store_begins_with_an_empty_one(monkeypatch, tmp_path) -> None:
    """Or what a text says would depend on what was measured before it."""
    places = []

    def runs(words, env, **given) -> CompletedProcess[str]:
        places.append(env["MODEXPLORER_BUILD"])
        return CompletedProcess(words, 0, "", "")

    monkeypatch.setattr(measuring.subprocess, "run", runs)
    for command in ("find --nbits 32 --least area", "flow array-4 --nbits 32"):
        measuring.printed_by(command, tmp_path)
    assert places == [str(tmp_path / "build"), str(build_dir())]


@pytest.mark.quick
def test_a_command_that_judges_is_quoted_if_it_printed_what_it_found(monkeypatch, tmp_path) -> None:
    """Its exit code 1 is then a verdict, not a failure."""
    printed = "a table"

    def runs(words, env, **given) -> CompletedProcess[str]:
        return CompletedProcess(words, 1, printed, "modexplorer: error: not clean")

    monkeypatch.setattr(measuring.subprocess, "run", runs)
    judging, other = "signoff ssmm-small --nbits 8", "flow ssmm-small --nbits 8"
    assert measuring.printed_by(judging, tmp_path) == "a table"
    with pytest.raises(RunError, match="not clean"):
        measuring.printed_by(other, tmp_path)
    printed = ""
    with pytest.raises(RunError, match="not clean"):
        measuring.printed_by(judging, tmp_path)
