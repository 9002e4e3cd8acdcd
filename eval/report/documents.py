"""The documents, item by item: what each table, figure and algorithm says, and what we find."""

from collections import Counter
from dataclasses import asdict
from typing import Any

from eval.documents.document import documents
from eval.documents.item import VERDICTS, Item
from eval.documents.items import derived_of, items_of
from eval.figures.environment import rendered
from eval.tasks.grid import Grid, grid, line, numbers, words

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


def document_grid(number: str) -> Grid | None:
    """Show what we find of a document, a line for each of its items."""
    return grid(
        f"Document {number}: {summary(number)}",
        words("item", "what it says", "verdict,\ncompared with", "what we find"),
        (
            line(
                *(item.name, item.says, _verdict(item), told(item)),
                commands=(f"modexplorer {item.command}",) if item.command else (),
            )
            for item in items_of(number)
        ),
        f"{MEANING} {COMPARED}",
    )


def told(item: Item) -> str:
    """Say what we find, with the figures that are kept."""
    return item.told(rendered) if "{" in item.found else item.found


def basis(item: Item) -> str:
    """Say what an item's verdict compares; - for one that has none."""
    return str(item.basis) if item.basis else "-"


def _verdict(item: Item) -> str:
    return f"{item.verdict}:\n{item.basis}" if item.basis else item.verdict


def as_dict(item: Item) -> dict[str, Any]:
    """Put an item into JSON, what it is compared with and what we find as text."""
    shown = {name: getattr(item, name) for name in ("name", "says", "verdict", "command")}
    compared = {"basis": item.basis and asdict(item.basis), "compared_with": basis(item)}
    return shown | {"found": told(item)} | compared


def derived_grid(number: str) -> Grid | None:
    """Show what follows from a document's own figures, beside what its text draws from them."""
    return grid(
        f"Document {number}: what follows from its own figures",
        words("of") + words("its text", "the cells give"),
        (line(one.name, one.says or "-", one.gives) for one in derived_of(number)),
        "T: table. M: the modulus, PM: the pseudo-modulus. Ratios and shares are of cells of the "
        "same key.",
    )


def verdicts_grid() -> Grid | None:
    """Count the items of each document by verdict."""
    return grid(
        "The documents, item by item",
        words("document", "by") + numbers(0, "items", *VERDICTS[:-1]),
        (
            line(
                *(document.number, document.short, len(verdicts)),
                *(verdicts.count(verdict) for verdict in VERDICTS[:-1]),
                commands=(f"modexplorer documents {document.number}",),
            )
            for document in documents()
            for verdicts in [[item.verdict for item in items_of(document.number)]]
        ),
        MEANING,
    )


def summary(number: str) -> str:
    """Count a document's items by verdict."""
    counts = Counter(item.verdict for item in items_of(number))
    said = (f"{counts[verdict]} {verdict}" for verdict in VERDICTS[:-1] if counts[verdict])
    return f"{sum(counts.values())} items: {', '.join(said)}"
