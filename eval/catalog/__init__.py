"""The catalog: every design, described once. Tests, studies and reports take their work from here.

To add a design, write its integers (fl), its cycles (cl) and its hardware (rtl), and an entry in a
file beside this one; a new file is a line of files.py. Nothing else needs editing. Designs of one's
own come from files elsewhere, by `bring`.
"""

import difflib
import os
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from eval.catalog import user_designs
from eval.catalog.design import Design
from eval.catalog.family import Family, parts_of
from eval.catalog.files import FILES
from eval.catalog.inputs import shorten
from sim.errors import ArgumentError, UserError

KINDS = ("DESIGNS", "VARIANTS", "MULTIPLIERS", "FAMILIES")


def modules() -> Iterator[ModuleType]:
    """Yield what holds entries, each loaded when it is asked for: ours, then people's own."""
    yield from _ours()
    yield from _brought()


def _ours() -> Iterator[ModuleType]:
    for name in FILES:
        yield import_module(f"eval.catalog.{name}")


def holder(name: str) -> ModuleType:
    """Return the module that has the design of a name, or its family."""
    family = name.partition("(")[0]
    return next(
        module
        for module in modules()
        if family in {entry.name for _, entry in user_designs.entries(module)}
    )


def _brought() -> list[ModuleType]:
    seen: dict[str, ModuleType] = {}
    found = list(user_designs.modules())
    for module in found:
        check_names(module, seen)
    return found


def check_names(module: ModuleType, seen: dict[str, ModuleType]) -> None:
    """Raise UserError if what somebody brings has a name of the catalog, or of what is seen."""
    for _, entry in user_designs.entries(module):
        other = seen.get(entry.name)
        if entry.name in _our_names() or other not in (None, module):
            whose = f"{other.__file__} has" if other else "the catalog has"
            raise UserError(
                f"designs: {module.__file__}: {whose} a {entry.name!r}, too; "
                "give yours another name"
            )
        seen[entry.name] = module


@cache
def _our_names() -> frozenset[str]:
    return frozenset(entry.name for module in _ours() for _, entry in user_designs.entries(module))


@cache
def _entries(kind: str) -> dict[str, Any]:
    """Return all entries of a kind by name."""
    return {entry.name: entry for module in modules() for entry in getattr(module, kind, ())}


def __getattr__(name: str) -> dict[str, Any]:
    """Return the entries of a kind by name, loaded at first use."""
    if name in KINDS:
        return _entries(name)
    raise AttributeError(name)


def bring(argument: str, file: str | os.PathLike[str]) -> None:
    """Add the entries of a file to the catalog, here and in all that is started from here.

    A UserError names the argument, and what is wrong with the file.
    """
    path = user_designs.checked(argument, file)
    module = user_designs.load(argument, path)
    seen: dict[str, ModuleType] = {}
    for each in (*_brought(), module):
        check_names(each, seen)
    user_designs.remember(path)
    for kind in KINDS:
        _entries(kind).update({entry.name: entry for entry in getattr(module, kind, ())})


@cache
def find(name: str) -> Design:
    """Return the design or variant of that name, or the point of a family that is spelled so;
    ArgumentError with the nearest names if there is none."""
    for module in modules():
        for design in (*module.DESIGNS, *getattr(module, "VARIANTS", ())):
            if design.name == name:
                return design
    if "(" in name:
        return _point(name)
    designs, variants, families = map(_entries, ("DESIGNS", "VARIANTS", "FAMILIES"))
    if name in families:
        raise ArgumentError(
            f"design: {name} is a family of designs; choose one, such as '{example_of(name)}', by "
            f"the parameters that `modexplorer list {name}` shows"
        )
    near = difflib.get_close_matches(name, designs | variants, n=3)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise ArgumentError(
        f"design: no design named {shorten(name)!r}; {hint}`modexplorer list` shows them all"
    )


def example_of(name: str) -> str:
    """Write a point of a family, by the last choice of its first parameter."""
    family: Family = _entries("FAMILIES")[name]
    first = family.parameters[0]
    return family.spell({first.name: [*first.choices][-1]})


def swept(text: str) -> list[Design]:
    """Return the points of a family that a sweep names, such as mont(steps=1..8); of those whose
    values do not go together the others, ArgumentError if there is none."""
    name, inside = parts_of(text)
    family = _family(name)
    found, errors = [], []
    for values in family.sweep(inside):
        try:
            found.append(find(family.spell(values)))
        except ArgumentError as error:
            errors.append(error)
    if not found:
        raise errors[0]
    return found


def _family(name: str) -> Family:
    families = _entries("FAMILIES")
    if name not in families:
        raise ArgumentError(
            f"design: no family named {shorten(name)!r}; choose from {', '.join(families)}"
        )
    return families[name]


def _point(text: str) -> Design:
    """Return the entry that is the point of a family, if there is one, or else make it."""
    name, inside = parts_of(text)
    family = _family(name)
    values = family.read(inside)
    spelling = family.spell(values)
    for design in (*_entries("DESIGNS").values(), *_entries("VARIANTS").values()):
        if design.spelled == spelling:
            return design
    return family.point(**values) if spelling == text else find(spelling)
