"""Tables of documents: tables.toml of a folder says for each its title, its columns and its note.

A column has a heading, how its cells are got from a row, and for numbers the digits after the
point. What is got is a path, the ratio of two, or what a module names.
"""

from collections.abc import Callable, Mapping
from typing import Any

from eval.documents.document import written
from eval.table import Column, Table, ratio
from eval.table.column import Get

OVER = " / "  # between the paths of a ratio
Terms = Mapping[str, Any] | Callable[[Any], Mapping[str, Any]]


def table(
    number: str,
    name: str,
    terms: Terms | None = None,
    got: Mapping[str, Get] | None = None,
    **how: Any,
) -> Table:
    """Make a table of a document. `terms` are put into its note in place of their names, and may
    follow from what the table is asked for; `got` names what is got otherwise than by a path; rows
    and commands are as those of Table."""
    said = written(number, "tables")[name]
    text = " ".join(said.get("note", "").split())

    def note(source: Any) -> str:
        known = terms(source) if callable(terms) else terms
        return text.format(**known or {}).strip()

    columns = tuple(
        Column(heading, digits[0] if digits else None, _get(cell, got or {}))
        for heading, cell, *digits in said["columns"]
    )
    return Table(said["title"], columns, note if terms else text, **how)


def _get(cell: str, got: Mapping[str, Get]) -> Get:
    above, over, below = cell.partition(OVER)
    return ratio(above, below) if over else got.get(cell, cell)
