"""The package where it is installed without a checkout: nothing of it but `modexplorer` is at the
top, so files beside a script may have the names of its packages."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from sim.closure import files_in
from tests.places import ROOT

LEVELS = ("fl", "cl", "rtl", "sim", "proc", "flow", "eval")

SCRIPT = """
import sim, flow, eval, cl
import modexplorer
assert (sim.mine, flow.mine, eval.mine, cl.mine) == (1, 1, 1, 1)
assert "mont-best" in modexplorer.designs()["design"].tolist()
try:
    modexplorer.explore("nothing")
except modexplorer.UserError as error:
    print(error)
"""
COMMAND = "import sys; from modexplorer.start import main; main()"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of packages, as setup.py lays it out."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", folder]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A folder of somebody who likes our names."""
    for name in LEVELS:
        (tmp_path / f"{name}.py").write_text("mine = 1\n")
    return tmp_path


def run(installed: Path, folder: Path, program: str, *arguments: str) -> str:
    """What a program prints there: -S leaves out the checkout's packages, which pip has linked."""
    path = os.pathsep.join([str(installed), sysconfig.get_path("purelib")])
    done = subprocess.run(
        [sys.executable, "-S", "-c", program, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_all_files_are_below_one_package(installed: Path) -> None:
    assert [path.name for path in installed.iterdir()] == ["modexplorer"]
    there = installed / "modexplorer" / "levels"
    for level in LEVELS:
        ours = {path.relative_to(ROOT) for path in files_in(ROOT / level)}
        assert ours == {path.relative_to(there) for path in files_in(there / level)}


def test_files_of_such_names_are_the_callers_own(installed: Path, beside: Path) -> None:
    said = run(installed, beside, SCRIPT)
    assert said.startswith("study: no study named 'nothing'")


def test_a_command_takes_none_of_them(installed: Path, beside: Path) -> None:
    words = ["simulate", "ssmm-small", "--nbits", "8", "--workload", "e", "--level", "cl"]
    assert "status  ok" in run(
        installed, beside, f"import sys; sys.path.insert(0, ''); {COMMAND}", *words
    )
