"""The documents, item by item: what each table, figure and algorithm says, and what we find."""

from collections import Counter

from eval.figures.environment import rendered
from eval.printed.documents import DOCUMENTS
from eval.printed.items import ITEMS
from eval.printed.items.item import VERDICTS
from eval.tasks.grid import Grid, grid, line, numbers, words

MEANING = (
    "Built: here as it is printed. Reproduced: what is printed comes out here, too. Bettered: ours "
    "is better. Refuted: what is said is not so. Otherwise: ours is another way, or measures "
    "something near it. Open: not measured yet. -: nothing that could be measured."
)


def document_grid(number: str) -> Grid | None:
    """Show what we find of a document, a line for each of its items."""
    return grid(
        f"Document {number}: {summary(number)}",
        words("item", "what it says", "verdict", "what we find"),
        (
            line(
                *(item.name, item.says, item.verdict, rendered(item.found)),
                commands=(f"modexplorer {item.command}",) if item.command else (),
            )
            for item in ITEMS[number]
        ),
        MEANING,
    )


def verdicts_grid() -> Grid | None:
    """Count the items of each document by verdict."""
    return grid(
        "The documents, item by item",
        words("document", "by") + numbers(0, "items", *VERDICTS[:-1]),
        (
            line(
                *(document.number, document.short, len(ITEMS[document.number])),
                *(
                    sum(item.verdict == verdict for item in ITEMS[document.number])
                    for verdict in VERDICTS[:-1]
                ),
                commands=(f"modexplorer documents {document.number}",),
            )
            for document in DOCUMENTS
        ),
        MEANING,
    )


def summary(number: str) -> str:
    """Count a document's items by verdict."""
    counts = Counter(item.verdict for item in ITEMS[number])
    said = (f"{counts[verdict]} {verdict}" for verdict in VERDICTS[:-1] if counts[verdict])
    return f"{sum(counts.values())} items: {', '.join(said)}"
