"""What the findings on a document quote: the templates are filled with what a test gives."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import click
from jinja2 import Environment, StrictUndefined

from eval.cli import cli
from eval.printed.items.item import Item


@dataclass
class Quotes:
    """What findings quote: commands with paths, and figures of a document."""

    ours: list[tuple[str, str]] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)


def render(
    item: Item, value: Callable[[str, str], Any] = lambda command, path: 1, quotes=None
) -> str:
    """Fill an item's finding with value(command, path), and note in quotes what it asks for."""
    quotes = Quotes() if quotes is None else quotes

    def ours(command: str, path: str) -> Any:
        quotes.ours.append((command, path))
        return value(command, path)

    def printed(text: str) -> str:
        quotes.printed.append(text)
        return text

    environment = Environment(undefined=StrictUndefined)
    environment.globals = {
        "value": ours,
        "figure": lambda command, path, form: written(ours(command, path), form),
        "ratio": lambda a, b, form: format(a / b, form),
        "printed": printed,
        "follows": str,
    }
    return environment.from_string(item.found).render()


def written(value: Any, form: str) -> str:
    """Write a value in a format; one that stands for a text is no text in tests."""
    return str(value) if form == "s" else format(value, form)


def check_command(line: list[str]) -> None:
    """Parse a command line as `modexplorer` does; click's errors say what is wrong."""
    name, *words = line
    command = cli.get_command(click.Context(cli), name)
    assert command, f"no command {name}"
    command.make_context(name, words, parent=click.Context(cli))


def at(found: Any, path: str) -> Any:
    """Follow a dotted path into JSON, indices in lists."""
    for step in path.split("."):
        found = found[int(step)] if isinstance(found, list) else found[step]
    return found


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
            elif type(value).__module__ == module.__name__:
                yield from inside(vars(value).values())

    return inside(value for name, value in vars(module).items() if not name.startswith("_"))
