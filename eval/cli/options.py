"""What several commands take: numbers, a design point, --json."""

import json
from collections.abc import Callable
from typing import Any

import click


class Number(click.ParamType):
    """A whole number from 0 on, decimal or 0x."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number; UserError names the option."""
        from eval.catalog.point import parse_number

        if isinstance(value, int):
            return value
        return parse_number(param.opts[0] if param else "number", value)


NUMBER = Number()


def option(
    usage: str,
    help: str,
    type: Any = None,
    name: str | None = None,
    default: Any = None,
    show_default: bool = True,
    **more: Any,
) -> Callable[[Any], Any]:
    """Declare an option as people read it: `--nbits N`."""
    flag_name, _, metavar = usage.partition(" ")
    if default is not None:
        more |= {"default": default, "show_default": show_default}
    names = (flag_name, name) if name else (flag_name,)
    return click.option(*names, type=type, metavar=metavar or None, help=help, **more)


def flag(usage: str, help: str, **more: Any) -> Callable[[Any], Any]:
    """Declare an option without a value."""
    return option(usage, help, is_flag=True, **more)


nbits_option = option("--nbits N", "Width of the design in bits.", NUMBER, required=True)
clock_option = option("--clock NS", "Clock period in ns.", float, name="clock_ns", default=3.0)
jobs_option = option("--jobs J", "Processes at once; as many as there are cores.", NUMBER)
json_option = flag("--json", "Print one JSON object instead of text.", name="as_json")


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
