"""ModExplorer from Python: what `modexplorer explore` and its kin measure, as pandas frames.

These functions are the stable interface: while the version begins with 0, their names and columns
change with its second number only, and CHANGELOG.md says what changed.

Each call runs in a process of its own. So nothing of ours but this package is imported where you
call it: files of yours may be called `sim.py`, `flow.py` or `eval.py`.
"""

from typing import Any

from modexplorer.errors import RunError, UserError
from modexplorer.frames import add_designs, compare, designs, explore, families, find, tables

__all__ = [
    "RunError",
    "UNITS",
    "UserError",
    "add_designs",
    "compare",
    "designs",
    "explore",
    "families",
    "find",
    "tables",
]

UNITS: dict[str, str]
"""Gives the unit of a column by its name: of those columns that have one."""


def __getattr__(name: str) -> Any:
    if name == "UNITS":
        from modexplorer.calls import call

        return globals().setdefault(name, call("units"))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
