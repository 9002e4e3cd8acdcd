"""`modexplorer open`, with a program in the place of KLayout."""

from pathlib import Path

import pytest

from eval.tasks.layout.task import GDS, LaidOut
from eval.tasks.store import Store
from tests.command_line import assert_refused, run, run_json
from tests.eval.tasks.test_layout import RESULT, TASK

pytestmark = pytest.mark.quick
LINE = "open mul-rem --nbits 8 --clock 2.5"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The GDS file of a layout that is in the store."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    file = tmp_path / GDS
    file.write_text("shapes")
    with Store() as store:
        store.once(TASK.key, lambda: RESULT | {"files": {GDS: str(file), "page": __file__}})
    return file


def program(folder: Path, exits: int) -> None:
    """Write a program `klayout` that keeps what it is asked for."""
    file = folder / "klayout"
    file.write_text(f'#!/bin/sh\necho no display\necho "$@" >{folder}/asked\nexit {exits}\n')
    file.chmod(0o755)


@pytest.mark.seconds
def test_the_layout_is_opened(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(kept.parent, 0)
    monkeypatch.setenv("PATH", f"{kept.parent}:/bin:/usr/bin")
    done = run(LINE)
    assert done.exit_code == 0, done.output
    assert (kept.parent / "asked").read_text().split() == [str(kept)]


def test_what_the_program_says_is_told(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(kept.parent, 3)
    monkeypatch.setenv("PATH", f"{kept.parent}:/bin:/usr/bin")
    done = run(LINE)
    assert done.exit_code == 1
    assert "klayout failed with exit code 3" in done.stderr
    assert "no display" in done.stderr


def test_without_the_program_the_file_is_named(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(kept.parent / "empty"))
    done = run(LINE)
    assert done.exit_code == 1
    assert "sudo apt-get install klayout" in done.stderr
    assert str(kept) in done.stderr.replace("\n", "")


def test_the_files_are_printed(kept: Path) -> None:
    assert run_json(LINE)["files"] == {GDS: str(kept), "page": __file__}


def test_files_that_are_gone_are_made_again(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.unlink()
    step = kept.parent / "layout"
    (step / "outputs").mkdir(parents=True)
    (step / "outputs" / GDS).write_text("shapes")
    ran = type("Results", (), {"run": [type("StepRun", (), {"folder": str(step)})]})
    monkeypatch.setattr(LaidOut, "finished", lambda self, on_step: ran)
    assert run_json(LINE)["files"] == {GDS: str(step / "outputs" / GDS)}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f"{LINE} --fill 90", "--fill 90: must be from"),
        ("open mul-rem --nbits 8 --tech bare", "bare has no layout"),
        ("open nothing --nbits 8", "no design"),
    ],
)
def test_what_cannot_be_is_refused(bare: str, line: str, says: str) -> None:
    assert_refused(line, says)
