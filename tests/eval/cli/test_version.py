"""`--version` names the version and the commit, or says that there is none."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import eval.tasks.provenance
from eval.cli.version import version_line
from eval.tasks.provenance import NO_COMMIT, WRITTEN, commit
from tests.command_line import run
from tests.places import ROOT

pytestmark = pytest.mark.quick
VERSION = f"modexplorer, version {version('modexplorer')}"
ENVIRONMENT = {"HOME": "/", "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}


def git(folder: Path, *words: str) -> str:
    """What git prints, whatever its user has configured."""
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    asked = ["git", *who, *words]
    done = subprocess.run(
        asked, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path, monkeypatch) -> Path:
    """A checkout of one file and one commit, which the package is said to run from."""
    (tmp_path / "file").write_text("before")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    stand_in(tmp_path, monkeypatch)
    return tmp_path


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the package run from that folder."""
    monkeypatch.setattr(eval.tasks.provenance, "ROOT", folder)
    monkeypatch.setattr(eval.tasks.provenance, "commit", commit.__wrapped__)


def test_it_names_the_commit(checkout) -> None:
    assert (
        version_line() == f"{VERSION} (commit {git(checkout, 'rev-parse', '--short=12', 'HEAD')})"
    )


def test_it_says_that_files_have_changed(checkout) -> None:
    before = version_line()
    (checkout / "file").write_text("after")
    assert version_line() == before.replace(")", ", with changes)")


@pytest.mark.parametrize("written", [file.replace("*", "docs/page") for file in WRITTEN])
def test_figures_that_are_measured_are_no_change(checkout, written) -> None:
    """Nor are the pages that are written from them."""
    file = checkout / written
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    git(checkout, "add", written)
    git(checkout, "commit", "--quiet", "--message", "Keep figures")
    before = version_line()
    file.write_text('{"list": {}}')
    assert version_line() == before
    (checkout / "file").write_text("after")
    assert version_line() == before.replace(")", ", with changes)")


def test_it_names_no_commit_of_a_checkout_around_it(checkout, monkeypatch) -> None:
    (checkout / "packages").mkdir()
    stand_in(checkout / "packages", monkeypatch)
    assert version_line() == f"{VERSION} ({NO_COMMIT})"


def test_it_names_no_commit_where_git_fails(checkout, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(checkout))
    assert version_line() == f"{VERSION} ({NO_COMMIT})"


def test_the_command_prints_it() -> None:
    done = run("--version")
    assert (done.exit_code, done.stdout, done.stderr) == (0, f"{version_line()}\n", "")


def test_the_command_works_outside_a_checkout(tmp_path) -> None:
    for name in ("eval", "flow", "sim"):
        (tmp_path / name).symlink_to(ROOT / name)
    done = subprocess.run(
        [sys.executable, "-c", "from eval.start import main; main()", "--version"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    said = f"{VERSION} ({NO_COMMIT})\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
