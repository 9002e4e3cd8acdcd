"""The command line, run in the tests' own process."""

import json
import re
import shlex
from typing import Any

from click.testing import CliRunner, Result

from eval.cli import cli


def run(line: str) -> Result:
    """What `modexplorer` does with the line."""
    return CliRunner().invoke(cli, shlex.split(line), prog_name="modexplorer")


def run_json(line: str) -> Any:
    """What a command that succeeds prints with --json."""
    result = run(f"{line} --json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def assert_refused(line: str, says: str) -> None:
    """Bad input: exit code 2, nothing on stdout, and one line that says what to do.

    Before it stands only progress, where what comes before it takes long.
    """
    result = run(line)
    assert result.exit_code == 2
    assert result.stdout == ""
    *progress, error = result.stderr.splitlines()
    assert error.startswith("modexplorer: error: ")
    assert says in error
    assert all(re.search(r"\[\d+ s\]", said) for said in progress)
