"""Every table, figure and algorithm of the five documents, in their order."""

from eval.printed.items import (
    document_000,
    document_001,
    document_002,
    document_003,
    document_004,
)
from eval.printed.items.item import Item

ITEMS: dict[str, tuple[Item, ...]] = {
    module.__name__[-3:]: module.ITEMS
    for module in (document_000, document_001, document_002, document_003, document_004)
}
