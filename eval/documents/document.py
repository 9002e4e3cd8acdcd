"""The documents and the parts that their folders have; nothing else names a document.

A folder dNNN has document.toml, what the document is and its items, and of these modules what it
needs: figures (what it prints), derived, beside and views (what reports show of it). Its kinds of
measurement, studies and tables are in kinds.toml, studies.toml and tables.toml.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from tomllib import loads
from types import ModuleType
from typing import Any

FOLDER = Path(__file__).parent
FILE = "document.toml"  # what makes a folder one of a document


@dataclass(frozen=True)
class Document:
    """Introduces a document by its first page. The year is that of the newest work that it cites
    where it prints none."""

    number: str
    authors: str
    year: int
    title: str
    form: str
    has: str  # what of it is here
    year_printed: bool = True

    @property
    def short(self) -> str:
        """Return the first author, whether there are others, and the year."""
        first, *others = self.authors.split(", ")
        return f"{first}{' and others' if others else ''}, {self.when}"

    @property
    def when(self) -> str:
        """Return the year, or the earliest that it can be."""
        return str(self.year) if self.year_printed else f"{self.year} or later"


@cache
def numbers() -> tuple[str, ...]:
    """List the documents by their folders."""
    return tuple(sorted(file.parent.name[1:] for file in FOLDER.glob(f"d*/{FILE}")))


@cache
def written(number: str, name: str = "document") -> dict[str, Any]:
    """Read what a file of a document's folder says; nothing if it has none of that name."""
    file = FOLDER / f"d{number}" / f"{name}.toml"
    return loads(file.read_text()) if file.exists() else {}


@cache
def documents() -> tuple[Document, ...]:
    """List the documents in their order."""
    return tuple(Document(number, **written(number)["document"]) for number in numbers())


@cache
def part(number: str, name: str) -> ModuleType | None:
    """Load a module of a document's folder, if it has that."""
    if not (FOLDER / f"d{number}" / f"{name}.py").exists():
        return None
    return import_module(f"{__package__}.d{number}.{name}")


def stated(name: str, what: str) -> Iterator[Any]:
    """Yield what each document states in a module of its folder under some name."""
    for number in numbers():
        if hasattr(module := part(number, name), what):
            yield getattr(module, what)
