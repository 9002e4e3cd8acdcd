"""The catalog: every design, described once. Tests, studies and reports take their work from here.

To add a design, write its integers (fl), its cycles (cl) and its hardware (rtl), and an entry in a
family's file beside this one; a new family is a line of FAMILIES. Nothing else needs editing.
"""

import difflib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from eval.catalog.design import Design
from eval.catalog.inputs import shorten
from sim.errors import ArgumentError

# Files of this folder, each with MULTIPLIERS, DESIGNS and perhaps VARIANTS: designs with
# another parameter, for studies of them, which are named, not contract-tested.
FAMILIES = (
    "naive",
    "shift_sub",
    "montgomery",
    "by_digits",
    "systolic",
    "array",
    "digit_serial",
    "fixed_modulus",
)


def families() -> Iterator[ModuleType]:
    """Yield the families, each loaded when it is asked for."""
    for name in FAMILIES:
        yield import_module(f"eval.catalog.{name}")


@cache
def _entries(kind: str) -> dict[str, Any]:
    """Return all entries of a kind by name."""
    return {entry.name: entry for family in families() for entry in getattr(family, kind, ())}


def __getattr__(name: str) -> dict[str, Any]:
    """Return DESIGNS, VARIANTS or MULTIPLIERS: all of them by name, loaded at first use."""
    if name in ("DESIGNS", "VARIANTS", "MULTIPLIERS"):
        return _entries(name)
    raise AttributeError(name)


@cache
def find(name: str) -> Design:
    """Return the design or variant of that name; ArgumentError with the nearest names if none."""
    for family in families():
        for design in (*family.DESIGNS, *getattr(family, "VARIANTS", ())):
            if design.name == name:
                return design
    designs, variants = _entries("DESIGNS"), _entries("VARIANTS")
    near = difflib.get_close_matches(name, designs | variants, n=3) or sorted(designs)
    raise ArgumentError(
        f"design: no design named {shorten(name)!r}; did you mean {' or '.join(near)}? "
        "`modexplorer list` shows them all"
    )
