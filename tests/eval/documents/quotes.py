"""What the findings on a document quote: the templates are filled with what a test gives."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from types import ModuleType
from typing import Any

import click

from eval.cli import cli
from eval.documents.item import Item
from eval.quoting.source import Source


@dataclass
class Quotes:
    """What findings quote: commands with paths, and figures of a document."""

    ours: list[tuple[str, str]] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)


class Given(Source):
    """Answers with what a test gives, and notes what is asked for."""

    def __init__(self, given: Callable[[str, str], Any], quotes: Quotes) -> None:
        super().__init__({})
        self.given, self.quotes = given, quotes

    def value(self, command: str, path: str) -> Any:
        self.quotes.ours.append((command, path))
        return self.given(command, path)

    def number(self, found: Any, spec: str = "", per: float = 1) -> str:
        """Write a value; one that stands for a text is no text in tests."""
        return str(found) if spec == "s" else super().number(found, spec, per)

    def marker(self, kind: str) -> Callable[..., str]:
        mark = super().marker(kind)

        def note(text: Any, spec: str = "") -> str:
            self.quotes.printed += [mark(text, spec)] * (kind == "printed")
            return mark(text, spec)

        return note


def render(
    item: Item, value: Callable[[str, str], Any] = lambda command, path: 1, quotes=None
) -> str:
    """Fill an item's finding with value(command, path), and note in quotes what it asks for."""
    source = Given(value, Quotes() if quotes is None else quotes)
    return item.told(source.render)


def quotes_of(item: Item) -> Quotes:
    """Note all that a finding quotes."""
    quotes = Quotes()
    render(item, quotes=quotes)
    return quotes


def check_command(line: list[str]) -> None:
    """Parse a command line as `modexplorer` does; click's errors say what is wrong."""
    name, *words = line
    command = cli.get_command(click.Context(cli), name)
    assert command, f"no command {name}"
    command.make_context(name, words, parent=click.Context(cli))


def numbers(module: ModuleType) -> Iterator[float]:
    """Go through all numbers of a document's data."""

    def inside(values: Any) -> Iterator[float]:
        for value in values:
            if isinstance(value, (int, float)):
                yield value
            elif isinstance(value, dict):
                yield from inside(value.values())
            elif isinstance(value, (tuple, list)):
                yield from inside(value)
            elif is_dataclass(value) and not isinstance(value, type):
                yield from inside(getattr(value, part.name) for part in fields(value))

    return inside(value for name, value in vars(module).items() if not name.startswith("_"))
