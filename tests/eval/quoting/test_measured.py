"""Kept figures are what commands print: what is cheap is measured here. Of every other command it
is known that it can be typed."""

import re
import shlex
from subprocess import CompletedProcess

import pytest

from eval.cli import HELP
from eval.quoting import measuring
from eval.quoting.environment import Source
from eval.quoting.excerpt import excerpt, label
from eval.quoting.kept import Answers, load
from eval.quoting.keys import parsed, tasks_of
from eval.quoting.measuring import measure, run_here
from eval.quoting.pages import pages, quoted
from eval.quoting.paths import value_at
from eval.tasks.provenance import commit
from sim.errors import RunError
from sim.paths import build_dir
from tests.command_line import run, run_json
from tests.places import ROOT

KEPT = load()
SOURCE = quoted(KEPT)
COMMANDS = sorted(SOURCE.values.keys() | SOURCE.excerpts.keys())
WIDEST = 1024  # bits, of what a formula tells in a moment
# Others that take a moment, or what other tests have built.
SHORT = (
    *("simulate mul-rem", "simulate 'mont(", "simulate ssmm-best", "verilog", "run proc/app"),
    *("dots", "pseudo", "keygen", "documents", "list"),
)


def bits(command: str) -> int:
    """The width that a command names."""
    found = re.search(r"--nbits (\d+)", command)
    return int(found[1]) if found else 0


FORMULA = [c for c in COMMANDS if "--level formula" in c and bits(c) <= WIDEST]
CHEAP = [c for c in COMMANDS if c.startswith(SHORT) and c not in FORMULA and bits(c) <= 32]


def check(command: str, printed: str, asked: dict) -> None:
    """Whether what a command prints now is what is kept."""
    kept = KEPT[command]
    for path in SOURCE.values.get(command, ()):
        assert value_at(asked, path) == kept.values[path], f"{path}: make figures"
    for titles, notes in SOURCE.excerpts.get(command, ()):
        lines = kept.printed[label(titles, notes)]
        assert excerpt(printed, titles, notes).split("\n") == lines, "make figures"


def test_cycles_are_those_of_the_formulas() -> None:
    assert len(FORMULA) > 50
    for command in FORMULA:
        check(command, "", run_json(command))


@pytest.mark.parametrize("command", CHEAP)
def test_a_cheap_command_prints_what_is_kept(command, monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build").mkdir()
    (tmp_path / "proc").symlink_to(ROOT / "proc")
    printed = run(command).stdout if command in SOURCE.excerpts else ""
    asked = run_json(command) if command in SOURCE.values else {}
    check(command, printed, asked)


@pytest.mark.quick
@pytest.mark.parametrize("name", sorted({command.split()[0] for command in COMMANDS}))
def test_commands_can_be_typed(name) -> None:
    assert name in HELP
    for command in (one for one in COMMANDS if one.split()[0] == name):
        assert isinstance(parsed(command), dict), command


ROWS = [c for c in COMMANDS if c.split()[0] in ("flow", "clocks", "fpga", "noise", "explore")]


def test_commands_of_rows_are_not_refused() -> None:
    """Each comes to ask for its rows: a design may refuse options that are well formed."""
    assert len(ROWS) > 100
    refused = [command for command in ROWS if not tasks_of(command)]
    assert not refused


@pytest.mark.quick
def test_all_fenced_commands_can_be_typed() -> None:
    for page in pages():
        for line in re.findall(r"^(?:\$ )?modexplorer ([^\n|]+)$", page.file.read_text(), re.M):
            words = shlex.split(line, comments=True)
            assert words[0] in HELP or words[0] == "--build", line


def test_a_command_is_measured_with_the_keys_of_its_rows() -> None:
    """One row of the flow, which other tests map, too."""
    command = "flow mul-rem --nbits 8"
    found = measure(command, SOURCE)
    assert found.values["metrics.area_um2"] > 0
    [row] = found.rows
    assert (row.kind, row.design, row.nbits) == ("flow", "mul-rem", 8)
    assert found.commit
    assert found.printed_at == commit()
    if KEPT[command].rows == found.rows:  # of this very code: then it says the same
        assert found.values == KEPT[command].values


def test_a_command_that_fails_is_named() -> None:
    with pytest.raises(RunError, match="no design named 'nothing'"):
        run_here("simulate nothing --nbits 8 --workload e --level formula")
    with pytest.raises(RunError, match="list"):
        measure("list", asking("list", "nowhere.at.all"))


def asking(command: str, path: str) -> Source:
    """A text that quotes what stands at a path."""
    source = Source(KEPT, missing=True)
    source.value(command, path)
    return source


@pytest.mark.quick
def test_a_wrong_figure_fails(monkeypatch) -> None:
    command = FORMULA[0]
    path, value = next(iter(KEPT[command].values.items()))
    wrong = Answers(values={path: value + 1})
    monkeypatch.setitem(KEPT.answers, command, wrong)
    with pytest.raises(AssertionError, match="make figures"):
        check(command, "", run_json(command))


@pytest.mark.quick
def test_what_answers_by_the_whole_store_begins_with_an_empty_one(monkeypatch, tmp_path) -> None:
    """Or what a text says would depend on what was measured before it."""
    places = []

    def runs(words, env, **given) -> CompletedProcess[str]:
        places.append(env["MODEXPLORER_BUILD"])
        return CompletedProcess(words, 0, "", "")

    monkeypatch.setattr(measuring.subprocess, "run", runs)
    for command in ("find --nbits 32 --least area", "flow array-4 --nbits 32"):
        measuring._run(command, tmp_path, None)
    assert places == [str(tmp_path / "build"), str(build_dir())]


@pytest.mark.quick
def test_a_command_that_judges_is_quoted_if_it_printed_what_it_found(monkeypatch, tmp_path) -> None:
    """Its exit code 1 is then a verdict, not a failure."""
    printed = "a table"

    def runs(words, env, **given) -> CompletedProcess[str]:
        return CompletedProcess(words, 1, printed, "modexplorer: error: not clean")

    monkeypatch.setattr(measuring.subprocess, "run", runs)
    judging, other = "signoff ssmm-small --nbits 8", "flow ssmm-small --nbits 8"
    assert measuring._run(judging, tmp_path, None) == "a table"
    with pytest.raises(RunError, match="not clean"):
        measuring._run(other, tmp_path, None)
    printed = ""
    with pytest.raises(RunError, match="not clean"):
        measuring._run(judging, tmp_path, None)
