"""What stands in for pytest where steps check their conditions says the same in less time."""

import os
import subprocess
import sys

import pytest

from flow import step
from flow.process import environment, error_lines

SCRIPT = """
import pytest
import sys

from mflowgen.assertions import File, Tool


def test_0_():
    assert File("there.txt")

def test_1_():
    assert Tool("no-such-tool"), "it is not installed: apt-get install it"

def test_2_():
    assert not File("there.txt")

def test_3_():
    import json
    json.loads("{")

def main():
    sys.exit(1 if pytest.main(["-q", "-rA", "--tb=short", "--noconftest", __file__]) else 0)

if __name__ == '__main__':
  main()
"""


def checked(folder, text, env):
    """The exit code of a script of conditions, and the lines that say what is wrong."""
    (folder / "there.txt").write_text("")
    (folder / "conditions.py").write_text(text)
    log = folder / "log"
    with log.open("w") as stream:
        done = subprocess.run(
            [sys.executable, "conditions.py"], cwd=folder, env=env, stdout=stream, check=False
        )
    return done.returncode, error_lines(log)


def test_conditions_fail_as_under_pytest(tmp_path):
    code, said = checked(tmp_path, SCRIPT, environment())
    by_pytest, same = checked(tmp_path, SCRIPT, os.environ | {"PYTEST_ADDOPTS": ""})
    assert code == by_pytest == 1
    for lines in (said, same):
        text = "\n".join(lines)
        assert "it is not installed: apt-get install it" in text
        assert 'File("there.txt")' in text or "File('there.txt')" in text
        assert "JSONDecodeError: Expecting property name" in text


@pytest.mark.quick
def test_no_step_starts_pytest_or_looks_for_cycles(tmp_path, monkeypatch):
    """Both took longer than what the conditions ask, at every step of every run."""
    text = 'import pytest, sys\nassert "_pytest" not in sys.modules\n'
    assert subprocess.run([sys.executable, "-c", text], env=environment()).returncode == 0
    collects = []
    monkeypatch.setattr("gc.disable", lambda: collects.append(False))
    step.run(lambda: collects.append("done"))
    assert collects == [False, "done"]


@pytest.mark.quick
def test_conditions_that_hold_are_passed_but_not_none(tmp_path):
    text = SCRIPT[: SCRIPT.index("def test_1_")] + SCRIPT[SCRIPT.index("def main") :]
    assert checked(tmp_path, text, environment())[0] == 0
    none = SCRIPT[: SCRIPT.index("def test_0_")] + SCRIPT[SCRIPT.index("def main") :]
    assert checked(tmp_path, none, environment())[0] == 1
