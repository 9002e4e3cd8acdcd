"""What a command line requests, found without measuring it."""

import shlex
from typing import Any

import click

from eval.atlas.audits import tasks_of
from eval.cli import cli


def parsed(command: str) -> Any:
    """Parse a command as the command line does; UserError or click's error if it is none."""
    words = shlex.split(command)
    with click.Context(cli, info_name="modexplorer") as context:
        name, found, rest = cli.resolve_command(context, words)
        assert found, words
        return found.make_context(name, list(rest), parent=context).params


__all__ = ["parsed", "tasks_of"]
