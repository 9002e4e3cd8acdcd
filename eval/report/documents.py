"""The documents, item by item: what each table, figure and algorithm says, and what we find."""

from collections import Counter
from dataclasses import asdict
from functools import partial
from typing import Any

from eval.documents.document import Document
from eval.documents.item import VERDICTS, Item
from eval.documents.items import derived_of, items_of
from eval.quoting.source import rendered
from eval.table import Table, numbers, words

MEANING = (
    "Built: it stands here as it is printed, and the command runs it. Reproduced: what is printed "
    "comes out here, too, by the design or the steps that are named. Bettered: ours is better than "
    "what is printed. Refuted: what is printed contradicts arithmetic, the document's own figures, "
    "or its own design as built here; never for another design's or another tool's sake. "
    "Otherwise: ours is something near it, by another design, tool or width, which neither bears "
    "out nor refutes what is printed. Open: not measured yet. -: nothing that could be measured."
)
COMPARED = (
    "Compared with: what the verdict rests on; then whether algorithm and technology (process or "
    "device) are the document's, where the comparison has any. ?: a figure whose row was not "
    "measured for this release."
)


def _count(verdict: str, document: Document) -> int:
    return sum(item.verdict == verdict for item in items_of(document.number))


# What we find of a document, a line for each of its items.
ITEMS = Table(
    lambda number: f"Document {number}: {summary(number)}",
    words({"item": "name", "what it says": "says"})
    + words(
        {
            "verdict,\ncompared with": lambda item: (
                f"{item.verdict}:\n{item.basis}" if item.basis else item.verdict
            )
        }
    )
    + words({"what we find": lambda item: told(item)}),
    f"{MEANING} {COMPARED}",
    rows=items_of,
    commands=lambda item: item.command and f"modexplorer {item.command}",
)
# What follows from a document's own figures, beside what its text draws from them.
DERIVED = Table(
    lambda number: f"Document {number}: what follows from its own figures",
    words({"of": "name", "its text": lambda one: one.says or "-", "the cells give": "gives"}),
    "T: table. M: the modulus, PM: the pseudo-modulus. Ratios and shares are of cells of the "
    "same key.",
    rows=derived_of,
)
# The items of each document, counted by verdict.
VERDICTS_OF_ALL = Table(
    "The documents, item by item",
    words({"document": "number", "by": "short"})
    + numbers(0, {"items": lambda document: len(items_of(document.number))})
    + numbers(0, {verdict: partial(_count, verdict) for verdict in VERDICTS[:-1]}),
    MEANING,
    commands=lambda document: f"modexplorer documents {document.number}",
)


def told(item: Item) -> str:
    """Say what we find, with the numbers that are stored."""
    return item.told(rendered) if "{" in item.found else item.found


def basis(item: Item) -> str:
    """Say what an item's verdict compares; - for one that has none."""
    return str(item.basis) if item.basis else "-"


def as_dict(item: Item) -> dict[str, Any]:
    """Put an item into JSON, what it is compared with and what we find as text."""
    shown = {name: getattr(item, name) for name in ("name", "says", "verdict", "command")}
    compared = {"basis": item.basis and asdict(item.basis), "compared_with": basis(item)}
    return shown | {"found": told(item)} | compared


def summary(number: str) -> str:
    """Count a document's items by verdict."""
    counts = Counter(item.verdict for item in items_of(number))
    said = (f"{counts[verdict]} {verdict}" for verdict in VERDICTS[:-1] if counts[verdict])
    return f"{sum(counts.values())} items: {', '.join(said)}"
