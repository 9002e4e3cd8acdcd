"""`modexplorer levels`: an operation on a design with every part at every level."""

from typing import TYPE_CHECKING

import click

from eval.cli.options import (
    Listed,
    Operation,
    cli_command,
    nbits_option,
    operation_options,
    option,
    print_json,
)

if TYPE_CHECKING:
    from eval.tasks.levels import Ran


@cli_command(
    "levels mont-best --nbits 32",
    "levels mont-best --nbits 1024 --workload e --level fl,cl",
)
@click.argument("design")
@nbits_option
@operation_options
@option("--level LIST", "Of these only: fl, cl, rtl, verilog, batch; all if not given.", Listed())
def command(
    design: str,
    nbits: int,
    operation: Operation,
    level: list[str] | None,
    as_json: bool,
) -> None:
    """Run an operation on DESIGN in every system, each part of it at every level, and print a
    table: result, cycles, and the speed of each.

    The systems are the exponentiator, with its multipliers at other levels, too, the accelerator at
    its port, and the processor with the accelerator. Results must be Python's pow, and cycles,
    where all has a clock, the formula's, on the processor those of its first row: if one differs,
    the exit code is 1. Speed is simulated cycles in a second of CPU time, without what was prepared
    and compiled before; level cl leaves out cycles in which nothing happens.
    """
    from eval.catalog.inputs import shorten
    from eval.catalog.point import Point
    from eval.cli.progress import Reporter
    from eval.tasks.levels import run_ways, ways
    from sim.errors import RunError, UserError
    from sim.stream import LEVELS

    point = Point(design, nbits)
    for name in level or ():
        if name not in LEVELS:
            raise UserError(f"--level: no level {shorten(name)!r}; choose from {', '.join(LEVELS)}")
    request = operation.request(point)
    chosen = ways(point, tuple(level or LEVELS))
    with Reporter(f"levels of {point}", len(chosen)) as progress:

        def say(way: object, done: int) -> None:
            progress.now(f"{chosen[done].system} at {', '.join(chosen[done].levels)}", done)

        found = list(run_ways(point, request, chosen, say))
    if as_json:
        shown = {"design": point.design, "nbits": nbits, "workload": operation.workload} | vars(
            request
        )
        print_json(shown | {"rows": [ran.as_dict() for ran in found]})
    else:
        _print(f"{point}, {operation.text}", found)
    if wrong := [ran.way for ran in found if not ran.right]:
        raise RunError(f"{point}: {wrong[0].system} at {', '.join(wrong[0].levels)} is wrong")


def _print(title: str, found: list["Ran"]) -> None:
    """Print the table."""
    from eval.table import numbers, words
    from eval.table.terminal import print_rows

    columns = words({"system": "way.system", "processor": "way.processor"})
    columns += words({"accelerator": "way.accelerator", "exponen-\ntiator": "way.exponentiator"})
    columns += words({"multi-\nplier": "way.unit"})
    columns += words({"": lambda ran: "right" if ran.right else "wrong"})
    columns += numbers(0, {"cycles": "cycles", "cycles/s": "speed"})
    print_rows(title, columns, found)
