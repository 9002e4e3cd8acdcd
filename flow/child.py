"""Run a script of ours in a process of its own: an error inside yosys ends the interpreter."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

YOSYS_ERROR = r"(\S+:\d+: )?ERROR\b"  # which may begin with its place in a text


def command(script: Path, *arguments: object) -> list[str]:
    """Make the command line of a script, which imports nothing by its place beside it."""
    return [sys.executable, "-P", str(script), *map(str, arguments)]


def run_script(
    script: Path, arguments: Sequence[object], log: Path, seconds: float | None = None
) -> str | None:
    """Run a script; what it says if it fails, else None. TimeoutExpired if it takes longer than it
    may."""
    with log.open("w") as stream:
        done = subprocess.run(
            command(script, *arguments), stdout=stream, stderr=subprocess.STDOUT, timeout=seconds
        )
    return failure(log, done.returncode) if done.returncode else None


def failure(log: Path, code: int) -> str:
    """Say why a program that ended with a code has failed, by its log."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    errors = [line for line in lines if re.match(YOSYS_ERROR, line)]
    return " ".join(errors or lines[-1:]) or f"exit code {code}"
