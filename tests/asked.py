"""What a command line requests, found without measuring it."""

import contextlib
import io
import shlex
from typing import Any

import click

from eval.cli import cli
from eval.tasks.answering import Asked, only_asked
from eval.tasks.task import Task


def tasks_of(command: str) -> list[Task]:
    """Find the results that a command would measure; none of one that measures none, which must
    not be asked, as it would run."""
    silent = io.StringIO()
    try:
        with only_asked(), contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
            cli.main([*shlex.split(command), "--json"], prog_name="modexplorer")
    except Asked as asked:
        return asked.tasks
    except SystemExit:
        pass
    return []


def parsed(command: str) -> Any:
    """Parse a command as the command line does; UserError or click's error if it is none."""
    words = shlex.split(command)
    with click.Context(cli, info_name="modexplorer") as context:
        name, found, rest = cli.resolve_command(context, words)
        assert found, words
        return found.make_context(name, list(rest), parent=context).params
