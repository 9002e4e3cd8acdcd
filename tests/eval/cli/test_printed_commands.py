"""Commands that are printed run as they are printed: of one's own designs and studies, too."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from eval.catalog import bring
from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.catalog.user_designs import VARIABLE
from eval.study.studies import find_studies
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.simulation import Simulation
from eval.tasks.unit import ACCELERATOR
from tests.command_line import run
from tests.eval.user_designs import forget

pytestmark = pytest.mark.quick


def as_printed(command: str) -> list[str]:
    """A command's words, with nothing left of what an earlier one has loaded."""
    forget()
    os.environ.pop(VARIABLE, None)
    program, *words = shlex.split(command)
    assert program == "modexplorer"
    return words


def test_a_row_of_a_design_of_ones_own(mine: Path, monkeypatch):
    bring("--with", "mine/entry.py")
    task = Simulation(Point("mine", 8), "e")
    flow = FlowRun(Processor("mine"), ACCELERATOR, 3.0).command
    for command in (task.command, task.port_command, flow):
        assert f" --with {mine}" in command
    words = as_printed(task.command)
    assert words[-2:] == ["--with", str(mine)]
    assert run(shlex.join(words).replace("--level batch", "--level fl")).exit_code == 0
    assert "--with" not in Simulation(Point("mul-rem", 8), "e").command


def test_a_row_of_a_folder_with_a_space(mine: Path, tmp_path: Path):
    place = tmp_path / "my designs"
    mine.parent.rename(place)
    bring("--with", place / "entry.py")
    words = as_printed(Simulation(Point("mine", 8), "e").command)
    assert words[-1] == str(place / "entry.py")
    assert run(shlex.join(words).replace("--level batch", "--level fl")).exit_code == 0


def test_a_study_in_a_file(mine: Path, tmp_path: Path):
    bring("--with", "mine/entry.py")
    folder = tmp_path / "my studies"
    folder.mkdir()
    file = folder / "live.toml"
    file.write_text('designs = ["mine", "mul-rem"]\nnbits = 8\nto = "none"\n')
    [study] = find_studies(str(file))
    words = as_printed(study.command)
    assert words == ["report", str(file), "--with", str(mine)]
    [quick] = find_studies("quick")
    assert quick.command == "modexplorer report quick"


def test_what_new_prints(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my designs").mkdir()
    lines = [line.strip() for line in run("new 'my designs/own'").stdout.splitlines()]
    check, export, _ = lines[-3:]
    assert shlex.split(check)[-1] == "my designs/own/entry.py"
    said = subprocess.run(
        ["/bin/sh", "-c", f'{export}; printf %s "${VARIABLE}"'], capture_output=True, text=True
    )
    assert said.stdout == str(tmp_path / "my designs/own/entry.py")
    assert said.stderr == ""
