"""Cycles by formula: computed as a text is written, and not stored."""

import contextlib
import io
import json
import re
import shlex
from functools import cache
from typing import Any

from sim.errors import RunError

COMMAND = re.compile(r"simulate .*--level formula")


@cache
def computed(command: str) -> Any:
    """Return the JSON of a command that only computes; RunError if it fails."""
    from eval.cli import cli  # which offers `pages` and with it this module

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            cli.main([*shlex.split(command), "--json"], prog_name="modexplorer")
        except SystemExit as end:
            if end.code:
                last = err.getvalue().strip().splitlines()[-1:]
                raise RunError(f"{command}: {last[0] if last else end.code}") from None
    return json.loads(out.getvalue())
