"""Reads the items of the documents, and refuses what is no item.

A text is a template: says and command are filled when they are read, from the document's figures,
its `[commands]` and its `[macros]`; `found` when it is shown, by figure(command, path, format) of
ours, printed(figure, format) of the document and follows(figure, format), what follows from such.
"""

from functools import cache
from typing import Any

from eval.documents.document import FILE, numbers, part, written
from eval.documents.item import AGAINST, OPEN, SAYS_NOTHING, VERDICTS, Basis, Derived, Item, Terms
from eval.quoting.source import Source

MODULES = ("figures", "derived")  # whose names the templates may use
SOURCE = Source({})  # of what is filled without figures of ours
FIELDS = {"name", "says", "verdict", "found", "command", "basis"}


@cache
def items_of(number: str) -> tuple[Item, ...]:
    """Read the items of a document in their order; ValueError says which is none."""
    terms, known = terms_of(number), written(number)
    bases = {name: Basis(*parts) for name, parts in known.get("bases", {}).items()}
    if wrong := {name for name, basis in bases.items() if basis.against not in AGAINST}:
        raise ValueError(f"d{number}/{FILE}: bases {', '.join(sorted(wrong))} compare with nothing")
    found: dict[str, Item] = {}
    for entry in known["items"]:
        name = entry.get("name")
        if not name or name in found:
            raise ValueError(f"d{number}/{FILE}: item {name!r} has no name, or another's")
        found[name] = _item(f"d{number}/{FILE}: {name}", entry, bases, terms)
    return tuple(found.values())


def _item(where: str, entry: dict[str, Any], bases: dict[str, Basis], terms: Terms) -> Item:
    if unknown := entry.keys() - FIELDS:
        raise ValueError(f"{where}: no item has {', '.join(sorted(unknown))}")
    texts = {name: " ".join(entry.get(name, "").split()) for name in ("says", "found", "command")}
    if not texts["says"] or not texts["found"] or entry.get("verdict") not in VERDICTS:
        raise ValueError(f"{where}: says, found or verdict is missing, or is no verdict")
    basis: Any = entry.get("basis")
    if basis and basis not in bases:
        raise ValueError(f"{where}: no basis {basis!r} in [bases]")
    if not _is_supported(entry["verdict"], bases.get(basis)):
        raise ValueError(f"{where}: basis {basis!r} does not support verdict {entry['verdict']!r}")
    says, command = (_filled(texts[name], terms) for name in ("says", "command"))
    return Item(
        *(entry["name"], says, entry["verdict"], texts["found"], command, bases.get(basis), terms)
    )


def _is_supported(verdict: str, basis: Basis | None) -> bool:
    """Tell whether there is a basis where a verdict needs one, and it can give that."""
    if basis is None:
        return verdict in (OPEN, SAYS_NOTHING)
    return verdict != SAYS_NOTHING and basis.supports(verdict)


@cache
def terms_of(number: str) -> Terms:
    """Collect what a document's templates use: macros, figures, and commands by their names."""
    known = written(number)
    macros = "".join(
        f"{{% macro {head} %}}{' '.join(body.split())}{{% endmacro %}}"
        for head, body in known.get("macros", {}).items()
    )
    names: dict[str, Any] = {}
    for module in filter(None, (part(number, name) for name in MODULES)):
        names |= {name: value for name, value in vars(module).items() if name[0] != "_"}
    for name, command in known.get("commands", {}).items():
        names[name] = _filled(command, Terms(macros, names))
    return Terms(macros, names)


def _filled(text: str, terms: Terms) -> str:
    if "{" not in text:
        return text
    return SOURCE.render(text, terms.macros, **terms.names)


def derived_of(number: str) -> list[Derived]:
    """List what follows from a document's own figures, `[[derived]]` of its file."""
    terms = terms_of(number)
    return [
        Derived(one["name"], one.get("says", ""), _filled(one["gives"], terms))
        for one in written(number).get("derived", ())
    ]


def with_derived() -> tuple[str, ...]:
    """List the documents from whose own figures something follows."""
    return tuple(number for number in numbers() if "derived" in written(number))
