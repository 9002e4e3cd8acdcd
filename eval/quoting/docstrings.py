"""The Python interface as Markdown: signatures and docstrings, read from the source by griffe."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

from griffe import Alias, Attribute, Class, Module, Object, visit

from sim.paths import ROOT

# A line of a docstring that says what an argument or a field is: "jobs: processes at once".
_ARGUMENT = re.compile(r"\w+(, \w+)*: ")
_SPECIAL = re.compile(r"([*<]|(?<!\w)_|_(?!\w))")  # what Markdown would not show as it is


def described(module: str, *names: str, root: Path = ROOT) -> str:
    """Describe these names of a module, or else all that it offers, in the order of the source."""
    found = [found_in(module, name, root) for name in names] or offered(module, root)
    return "\n".join(line for one in found for line in _entry(one, one.name)).rstrip("\n")


def offered(module: str, root: Path = ROOT) -> list[Object]:
    """List what a module offers: what `__all__` names, or else what it defines itself."""
    tree = read(module, root)
    if tree.exports is None:
        return list(_public(tree))
    found = [found_in(module, str(name), root) for name in tree.exports]
    return sorted(found, key=lambda one: (one.module.path, one.lineno))


def found_in(module: str, name: str, root: Path = ROOT) -> Object:
    """Find a name where it is defined, whichever modules hand it on."""
    member = read(module, root).members[name]
    if isinstance(member, Alias):
        module, name = member.target_path.rsplit(".", 1)
        return found_in(module, name, root)
    return member


def without_docstring(one: Object) -> Iterator[str]:
    """Name what has no docstring, of an object and its public methods."""
    if one.docstring is None:
        yield one.path
    for method in _methods(one):
        yield from without_docstring(method)


@cache
def read(module: str, root: Path) -> Module:
    """Read a module's source, without importing it."""
    path = root.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return visit(module, filepath=file, code=file.read_text())


def _public(parent: Module | Class) -> Iterator[Object]:
    for name, member in parent.members.items():
        if not name.startswith("_") and not isinstance(member, Alias):
            yield member


def _methods(one: Object) -> Iterator[Object]:
    """List a class's public methods and properties."""
    if isinstance(one, Class):
        yield from (member for member in _public(one) if not _is_field(member))


def _is_field(member: Object) -> bool:
    """Tell whether it is a value: griffe counts properties among the attributes."""
    return isinstance(member, Attribute) and "property" not in member.labels


def _entry(one: Object, title: str, level: int = 3) -> Iterator[str]:
    """Write a heading, the signature, the docstring, and the methods of a class likewise."""
    yield f"{'#' * level} `{title}`\n"
    yield "\n".join(["```python", *_signature(one), "```\n"])
    if one.docstring is not None:
        yield markdown(one.docstring.value) + "\n"
    for method in _methods(one):
        yield from _entry(method, f"{title}.{method.name}", level + 1)


def _signature(one: Any) -> list[str]:
    """Return the source up to the docstring, and of a class the fields below."""
    lines = one.filepath.read_text().splitlines()
    last = one.lineno if one.docstring is None else one.docstring.lineno - 1
    taken = [*range(one.lineno - 1, one.endlineno if _is_field(one) else last)]
    for field in _public(one) if isinstance(one, Class) else ():
        if _is_field(field):
            taken += _with_comments(lines, field)
    text = dedent("\n".join(lines[number] for number in taken)).splitlines()
    return ["@property", *text] if "property" in one.labels else text


def _with_comments(lines: list[str], field: Any) -> range:
    """Number the lines of a field, and those of the comment above it."""
    first = field.lineno - 1
    while lines[first - 1].lstrip().startswith("#"):
        first -= 1
    return range(first, field.endlineno)


def markdown(docstring: str) -> str:
    """Write a docstring as Markdown: signs of formulas as they are, a list where it says what
    arguments or fields are."""
    pieces = docstring.split("`")
    pieces[::2] = [_SPECIAL.sub(r"\\\1", piece) for piece in pieces[::2]]
    paragraphs = re.split(r"\n{2,}", "`".join(pieces))
    return "\n\n".join(map(_paragraph, paragraphs))


def _paragraph(text: str) -> str:
    lines = text.splitlines()
    if not all(_ARGUMENT.match(line) or line.startswith("    ") for line in lines):
        return text
    return "\n".join(f"- {line}" if _ARGUMENT.match(line) else line[2:] for line in lines)
