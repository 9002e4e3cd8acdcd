"""Every table, figure and algorithm of the five documents, in their order."""

from collections.abc import Callable, Iterable

from eval.printed.derived import Derived
from eval.printed.derived_000 import derived as derived_000
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
DERIVED: dict[str, Callable[[], Iterable[Derived]]] = {"000": derived_000}
