"""The command line, run in the tests' own process."""

import json
import os
import re
import shlex
from typing import Any

from click.testing import CliRunner, Result

from eval.cli import cli


def run(line: str) -> Result:
    """What `modexplorer` does with the line; a --build in it is over afterwards."""
    env = {"MODEXPLORER_BUILD": os.environ["MODEXPLORER_BUILD"]}
    return CliRunner(env=env).invoke(cli, shlex.split(line), prog_name="modexplorer")


def run_json(line: str) -> Any:
    """What a command that succeeds prints with --json."""
    result = run(f"{line} --json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def said(stderr: str) -> list[str]:
    """The lines of stderr but for progress, which stands there where something takes long."""
    return [line for line in stderr.splitlines() if not re.search(r"\[(\d+/\d+, )?\d+ s\]", line)]


def assert_refused(line: str, says: str) -> None:
    """Bad input: exit code 2, nothing on stdout, and one line that says what to do."""
    result = run(line)
    assert result.exit_code == 2
    assert result.stdout == ""
    [error] = said(result.stderr)
    assert error.startswith("modexplorer: error: ")
    assert says in error
