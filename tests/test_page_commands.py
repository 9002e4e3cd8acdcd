"""Commands of pages: each parses, the short ones run as they are typed, the others are marked long.

A page's commands are run in their order, in a folder where the checkout's proc and docs are, too.
"""

import re
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from eval import catalog
from eval.catalog.user_designs import VARIABLE
from eval.cli import cli
from eval.quoting.pages import EXAMPLES
from tests.command_line import run
from tests.eval.user_designs import forget
from tests.pages_commands import PAGES, Command, commands_of
from tests.places import ROOT

ALL = [command for page in PAGES for command in commands_of(page)]
OURS = [command for command in ALL if command.words[:1] == ["modexplorer"]]
# What `make test` runs: what compiles and maps nothing. The mark long has all others, but for
# those of hours, and those that need a network.
SHORT = re.compile(
    r"(list|new|pseudo|keygen --|redc|schedule|documents|disasm|dots|verilog|lab (list|start))\b"
    r"|simulate .*--level (formula|fl|cl)\b|run .*--xcel .*--level cl\b"
)
HOURS = re.compile(
    r"report (?!quick|mine)|find --nbits (1024|2048)|--to layout|campaign|serve|full|--scheduler"
    r"|--fetch|explore --designs (all|mont-best --nbits)"
    r"|(flow|clocks|composed|noise|crosscheck|signoff) .*--nbits (64|128|256|512|1024|2048)"
)
TRIED = re.compile(r"modexplorer|cat|echo|python3 lab")  # first words of lines that are run
# What checks gaps that nobody has filled in may find that.
UNFILLED = re.compile(r"modexplorer (lab check|(check|simulate|flow) (lab|project))")


def is_short(command: Command) -> bool:
    """Tell whether a command is run by default."""
    return bool(SHORT.match(" ".join(command.words[1:])))


def made_by(page: Path) -> set[str]:
    """Name the designs that a page's commands make before they use them."""
    words = [command.words for command in OURS if command.page == page]
    made = {Path(w[2]).name for w in words if w[1] == "new"}
    made |= {f"lab{w[3]}" if w[3].isdigit() else w[3] for w in words if w[1:3] == ["lab", "start"]}
    return made | {"mine", "theirs"}


@pytest.mark.quick
@pytest.mark.parametrize("command", OURS, ids=str)
def test_a_command_parses(command) -> None:
    """Its name, its options and their values are such as the command takes; so is its design."""
    group, words = cli, list(command.words)
    if "--with" in words:  # the file is not there yet
        at = words.index("--with")
        assert Path(words[at + 1]).parent.name in made_by(command.page)
        del words[at : at + 2]
    while isinstance(group, click.Group):
        name, *words = words[1:] if group is cli else words
        group = group.get_command(click.Context(group), name)
        assert group, f"no command {name}"
    context = group.make_context(name, words, resilient_parsing=False)
    own = {f"{made}{end}" for made in made_by(command.page) for end in ("", "-small")}
    for argument in ("design", "before", "after"):
        found = context.params.get(argument)
        if found and found not in own and not found.startswith(("processor", "build")):
            catalog.find(found)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder as that in which somebody reads a page; what is brought there is forgotten."""
    for name in ("proc", "docs", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    for file in (ROOT / EXAMPLES).glob("*.[cS]"):
        shutil.copyfile(file, tmp_path / file.name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "")
    before = {kind: dict(getattr(catalog, kind)) for kind in catalog.KINDS}
    yield tmp_path
    for kind, entries in before.items():
        getattr(catalog, kind).clear()
        getattr(catalog, kind).update(entries)
    forget()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_short_commands_of_a_page_run(page, place) -> None:
    for command in OURS:
        if command.page == page and is_short(command):
            forget()
            done = run(shlex.join(command.words[1:]))
            assert done.exit_code == 0, f"{command}\n{done.output}"


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_all_commands_of_a_page_run(page, place, monkeypatch) -> None:
    """In a shell, in their order."""
    monkeypatch.setenv("PATH", sysconfig.get_path("scripts"), prepend=":")
    for command in ALL:
        if command.page != page or HOURS.search(command.line) or not TRIED.match(command.line):
            continue
        done = subprocess.run(["bash", "-c", command.line], capture_output=True, text=True)
        may_fail = UNFILLED.match(command.line)
        assert done.returncode == 0 or may_fail, f"{command}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
