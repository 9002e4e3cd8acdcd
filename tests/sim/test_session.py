"""The test session itself: no test is skipped unseen, and none changes the process for others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

TESTS = {
    "no_reason": "import pytest\ndef test_it(): pytest.skip('not today')\n",
    "module": "import pytest\npytest.skip('no module today', allow_module_level=True)\n",
    "mark": "import pytest\n@pytest.mark.skipif(True, reason='marked')\ndef test_it(): pass\n",
    "tool": "import pytest\ndef test_it(): pytest.skip('tool missing: klayout')\n",
    "passes": "def test_it(): pass\n",
    "xfails": "import pytest\n@pytest.mark.xfail\ndef test_it(): assert False\n",
}


def run_pytest(folder: Path, body: str, ci: str, *options: str) -> tuple[int, str]:
    """The exit code and output of a session of one file, under our conftest and pytest.ini."""
    (folder / "test_one.py").write_text(body)
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pytest.ini", "-p", "tests.conftest"]
    result = subprocess.run(
        [*map(str, command), f"--rootdir={folder}", *options, str(folder / "test_one.py")],
        env=os.environ | {"PYTHONPATH": str(ROOT), "CI": ci},
        cwd=folder,
        capture_output=True,
        text=True,
    )
    return result.returncode, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("body", "ci", "passes"),
    [
        ("no_reason", "", False),
        ("module", "", False),
        ("mark", "", False),
        ("tool", "", True),
        ("tool", "true", False),
        ("passes", "true", True),
        ("xfails", "true", True),
    ],
)
def test_skips(tmp_path: Path, body: str, ci: str, passes: bool) -> None:
    code, output = run_pytest(tmp_path, TESTS[body], ci)
    assert (code == 0) is passes, output
    assert ("unexpected skip" in output) is not passes


def test_skips_under_xdist(tmp_path: Path) -> None:
    code, output = run_pytest(tmp_path, TESTS["no_reason"], "", "-n", "2")
    assert code == 1, output
    assert "unexpected skip: not today" in output


def test_a_test_that_switches_the_search_for_garbage_off_fails_alone(tmp_path: Path) -> None:
    body = "import gc\ndef test_off(): gc.disable()\ndef test_after(): assert gc.isenabled()\n"
    code, output = run_pytest(tmp_path, body, "")
    assert code == 1, output
    assert "leaves the search for garbage switched off" in output
    assert "2 passed, 1 error" in output


def test_pymtl3_plugin_is_off(pytestconfig: pytest.Config) -> None:
    """Its options skip every test that does not take its fixture."""
    assert not pytestconfig.pluginmanager.hasplugin("pytest-pymtl3")
    assert pytestconfig.getoption("max_cycles", None) is None


def test_current_folder_is_scratch() -> None:
    assert Path(os.environ["MODEXPLORER_BUILD"]) in Path.cwd().parents
