"""The numbers and outputs that texts quote, as the package has them: eval/atlas/quoted.jsonl.

A line is a command, with the values at paths of its JSON, excerpts of what it printed by their
labels, and the commit that measured them. Lines are sorted, and so are the names within them.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "atlas" / "quoted.jsonl"


@dataclass
class Answers:
    """What is stored of a command."""

    values: dict[str, Any] = field(default_factory=dict)
    printed: dict[str, str] = field(default_factory=dict)
    commit: str = ""


Stored = dict[str, Answers]


def load(file: Path = FILE) -> Stored:
    """Read the file; nothing where there is none."""
    lines = file.read_text().splitlines() if file.exists() else []
    return {line.pop("command"): Answers(**line) for line in map(json.loads, lines)}


@cache
def stored() -> Stored:
    """Read the package's file, once."""
    return load()


def save(answers: Mapping[str, Answers], file: Path = FILE) -> None:
    """Write the file, whole or not at all; equal contents give an equal file."""
    lines = (
        json.dumps({"command": command, **vars(found)}, sort_keys=True, ensure_ascii=False)
        for command, found in sorted(answers.items())
    )
    other = file.with_suffix(f".{os.getpid()}")
    other.write_text("".join(f"{line}\n" for line in lines))
    other.replace(file)
