"""What several commands take: numbers, files, a design point, --json."""

import functools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from flow.technologies.asked import DEFAULT, joined
from sim.errors import UserError

if TYPE_CHECKING:
    from eval.catalog.point import Point
    from eval.catalog.workloads import Request


class Typed(click.ParamType):
    """What a person types; `read` makes something of it, or raises UserError with the option."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a text; what is none, a default, is taken as it is."""
        if not isinstance(value, str):
            return value
        assert param, value
        return self.read(param.opts[0], value)

    def read(self, argument: str, text: str) -> Any:
        """Make something of the text."""
        raise NotImplementedError


@dataclass(frozen=True)
class Number(Typed):
    """A whole number in a range, decimal or 0x, of at most 4096 bits."""

    least: int = 0
    most: int | None = None
    name = "number"

    def read(self, argument: str, text: str) -> int:
        """Make it a number."""
        from eval.catalog.inputs import parse_number

        return parse_number(argument, text, self.least, self.most)


@dataclass(frozen=True)
class Decimal(Typed):
    """A decimal fraction of a unit in a range."""

    unit: str
    least: float
    most: float
    name = "decimal"

    def read(self, argument: str, text: str) -> float:
        """Make it a number."""
        from eval.catalog.inputs import parse_decimal

        return parse_decimal(argument, text, self.unit, self.least, self.most)


class Listed(Typed):
    """Texts between commas, but for those in brackets."""

    name = "list"

    def read(self, argument: str, text: str) -> list[str]:
        """Split it."""
        texts = [part.strip() for part in re.split(r",(?![^(]*\))", text)]
        if not all(texts):
            raise UserError(f"{argument}: a place between commas is empty; give {argument} a,b")
        return texts


@dataclass(frozen=True)
class Cycles(Typed):
    """Cycles from one to another, at most so many."""

    most: int
    name = "cycles"

    def read(self, argument: str, text: str) -> tuple[int, int]:
        """Make it the first and the last one."""
        from eval.catalog.inputs import parse_number

        first, dash, last = text.partition("-")
        if not dash:
            raise UserError(f"{argument}: {text[:40]!r} is not FIRST-LAST; give {argument} 0-7")
        begin = parse_number(argument, first, 0, None)
        return begin, parse_number(argument, last, begin, begin + self.most - 1)


@dataclass(frozen=True)
class File(Typed):
    """A file that is written, or one that is read, which keeps the name that was typed."""

    written: bool
    name = "file"

    def read(self, argument: str, text: str) -> Path | str:
        """Check that a file may have the name."""
        from eval.catalog.inputs import check_path

        path = check_path(argument, text)
        return path if self.written else text


class Address(Typed):
    """Where a program listens: tcp://host:port."""

    name = "address"

    def read(self, argument: str, text: str) -> str:
        """Check that it is one."""
        from eval.catalog.inputs import shorten

        if not re.fullmatch(r"(\w+://)?([\w.-]{1,253}|\[[\da-f:]+\]):\d{1,5}", text, re.ASCII):
            raise UserError(f"{argument}: {shorten(text)!r} is no address; give tcp://host:port")
        return text


class Folder(Typed):
    """A folder in which files are written."""

    name = "folder"

    def read(self, argument: str, text: str) -> Path:
        """Check that a folder may have the name."""
        from eval.catalog.inputs import check_path

        return check_path(argument, text)


NUMBER = Number()
OUTPUT, SOURCE = File(written=True), File(written=False)


def option(
    usage: str,
    help: str,
    type: Any = None,
    name: str | None = None,
    default: Any = None,
    usual: Any = None,
    **more: Any,
) -> Callable[[Any], Any]:
    """Declare an option as people read it: `--nbits N`. The help shows a default, and leaves what
    is usual to the text."""
    flag_name, _, metavar = usage.partition(" ")
    if isinstance(type, Listed):
        more |= {"multiple": True, "callback": _added}
    if default is not None:
        more |= {"default": default, "show_default": True}
    if usual is not None:
        more |= {"default": usual}
    names = (flag_name, name) if name else (flag_name,)
    return click.option(*names, type=type, metavar=metavar or None, help=help, **more)


def _added(
    ctx: click.Context, param: click.Parameter, lists: tuple[list[str], ...]
) -> list[str] | None:
    """Join the lists of an option that is given several times."""
    return [text for texts in lists for text in texts] or None


class Command(click.Command):
    """Refuses an option of one value that is given twice: the first would be lost."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; UserError names an option that is repeated."""
        if not ctx.resilient_parsing:
            _, _, order = self.make_parser(ctx).parse_args(args=list(args))
            for param, count in Counter(order).items():
                single = isinstance(param, click.Option) and not (param.multiple or param.is_flag)
                if single and count > 1:
                    raise UserError(f"{param.opts[0]}: given {count} times; give it once")
        return super().parse_args(ctx, args)


def flag(usage: str, help: str, **more: Any) -> Callable[[Any], Any]:
    """Declare an option without a value."""
    return option(usage, help, is_flag=True, **more)


CLOCK = Decimal("ns", 0.1, 1000)
nbits_option = option("--nbits N", "Width of the design in bits.", NUMBER, required=True)
power_level = option(
    "--level LEVEL",
    "rtl (register bits that change), gates (nets of the mapped netlist, weighted by their "
    "capacitance), glitches (these with the gates' delays: nets may toggle several times) or "
    "layout (glitches after layout, with its wires and the capacitance between them).",
    click.Choice(["rtl", "gates", "glitches", "layout"]),
    default="rtl",
)
clock_in_tech = option(
    "--clock NS",
    "Clock period in ns; the usual one of the technology, 3 of nangate45, if not given.",
    CLOCK,
    name="clock_ns",
)


def tech_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the clock, the technology and a corner of it; the command gets these two as `tech`."""

    @clock_in_tech
    @option("--tech NAME", "The technology, of `modexplorer tech`.", default=DEFAULT)
    @option("--corner NAME", "Its one corner, instead of those that it is signed off in.")
    @functools.wraps(command)
    def run(
        *args: Any, clock_ns: float | None, tech: str, corner: str | None, **named: Any
    ) -> None:
        from flow.technologies.technology import technology

        asked = joined(tech, corner)
        usual = technology(asked).clock_ns  # UserError if there is no such
        clock_ns = usual if clock_ns is None else clock_ns
        command(*args, clock_ns=clock_ns, tech=asked, **named)

    return run


jobs_option = option("--jobs J", "Processes at once; as many as there are cores.", Number(1, 256))
workers_option = option(
    "--workers N", "Measure by a Dask cluster of N workers, started here.", Number(1, 256)
)
scheduler_option = option(
    "--scheduler ADDRESS",
    "Measure on the Dask cluster of the scheduler there: tcp://host:8786.",
    Address(),
)


def json_option() -> click.Option:
    """Make the option of every command, which is the last."""
    text = "Print one JSON object instead of text."
    return click.Option(["--json", "as_json"], is_flag=True, help=text)


def runs_on(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Add those of the options jobs, workers and scheduler; the command gets them as `engine`."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(
            *args: Any,
            jobs: int | None = None,
            workers: int | None = None,
            scheduler: str | None = None,
            **named: Any,
        ) -> None:
            from eval.study.engine import Engine

            command(*args, engine=Engine(jobs, workers, scheduler), **named)

        for one in reversed(options):
            run = one(run)
        return run

    return add


engine_options = runs_on(jobs_option, workers_option, scheduler_option)


@dataclass(frozen=True)
class Operation:
    """The operation that is asked for: a workload, or three operands."""

    workload: str | None
    base: int | None
    exp: int | None
    mod: int | None

    def request(self, point: "Point") -> "Request":
        """Return its operands on a point; UserError if it is none."""
        from eval.catalog.workloads import request_for

        key = point.entry.moduli.key
        return request_for(point.nbits, self.workload, self.base, self.exp, self.mod, key)

    @property
    def text(self) -> str:
        """Say which it is."""
        return f"workload {self.workload}" if self.workload else "the operation given"


base_option = option("--base", "Base, of at most N bits.", NUMBER)
exp_option = option("--exp", "Exponent, of at most N bits.", NUMBER)
mod_option = option("--mod", "Modulus, of at most N bits.", NUMBER)


def operation_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of an operation; the command gets it as `operation`."""

    @option(
        "--workload NAME",
        "The operation: e or d (if not given), unless --base, --exp and --mod are.",
    )
    @base_option
    @exp_option
    @mod_option
    @functools.wraps(command)
    def run(
        *args: Any,
        workload: str | None,
        base: int | None,
        exp: int | None,
        mod: int | None,
        **named: Any,
    ) -> None:
        if workload is None and base is exp is mod is None:
            workload = "d"
        command(*args, operation=Operation(workload, base, exp, mod), **named)

    return run


def _bring(ctx: click.Context, param: click.Parameter, files: tuple[str, ...]) -> None:
    """Add what is in the files to the catalog."""
    for file in files:
        from eval.catalog import bring

        try:
            bring("--with", file)
        except SystemExit as end:  # its script's, not ours
            raise UserError(
                f"--with: {file} ends the program (sys.exit({end.code!r})); do that only under "
                '`if __name__ == "__main__":`'
            ) from None


with_option = click.Option(
    ["--with"],
    type=SOURCE,
    metavar="FILE",
    multiple=True,
    expose_value=False,
    callback=_bring,
    help="Add the designs of a Python file, such as `modexplorer new` writes.",
)


def cli_command(
    *examples: str, help: str | None = None, group: click.Group | None = None
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command, with --json, of a function. The examples are without `modexplorer`, and the
    command's name is their first word, or the second of one below a group; its help is the
    docstring, if no other is given."""
    lines = "\n".join(f"  modexplorer {example}" for example in examples)

    def make(function: Callable[..., Any]) -> click.Command:
        name = examples[0].split()[1 if group else 0]
        made = click.command(name, cls=Command, help=help)(function)
        made.epilog = f"\b\nExample:\n{lines}"
        made.params.append(json_option())
        if group:
            group.add_command(made)
        return made

    return make


def tell(answer: Any, lines: Iterable[str], as_json: bool) -> None:
    """Print an answer as JSON, or as lines."""
    if as_json:
        print_json(answer)
    else:
        click.echo("\n".join(lines))


def given(*names: str) -> str | None:
    """Find the first of the options with these names of parameters that was given."""
    ctx = click.get_current_context()
    typed = click.core.ParameterSource.COMMANDLINE
    found = (p for p in ctx.command.params if p.name in names)
    return next((p.opts[0] for p in found if ctx.get_parameter_source(p.name) is typed), None)


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    click.echo(json.dumps(value, indent=2))
