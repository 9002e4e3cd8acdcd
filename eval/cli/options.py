"""What several commands take: numbers, a design point, --json."""

import json
from collections.abc import Callable
from typing import Any

import click


class Number(click.ParamType):
    """A whole number from 0 on, decimal or 0x."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The int; UserError names the option."""
        from eval.catalog.point import parse_number

        if isinstance(value, int):
            return value
        return parse_number(param.opts[0] if param else "number", value)


NUMBER = Number()

nbits_option = click.option(
    "--nbits", type=NUMBER, required=True, metavar="N", help="Width of the design in bits."
)
clock_option = click.option(
    "--clock",
    "clock_ns",
    type=float,
    default=3.0,
    show_default=True,
    metavar="NS",
    help="Clock period in ns.",
)
jobs_option = click.option(
    "--jobs", type=NUMBER, metavar="J", help="Processes at once; as many as there are cores."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object instead of text."
)


def example(text: str) -> Callable[[click.Command], click.Command]:
    """Add an example to a command's help."""

    def add(command: click.Command) -> click.Command:
        lines = "\n".join(f"  {line}" for line in text.strip().splitlines())
        command.epilog = f"\b\nExample:\n{lines}"
        return command

    return add


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    click.echo(json.dumps(value, indent=2))
