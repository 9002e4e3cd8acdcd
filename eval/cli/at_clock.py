"""`modexplorer KIND DESIGN --nbits N --clock NS`: the commands that kinds of measurement have by
themselves."""

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING

import click

from eval.cli.options import (
    CLOCK,
    cli_command,
    flag,
    nbits_option,
    option,
    runs_on,
    scheduler_option,
    tech_options,
)
from eval.tasks.kinds import task_class
from sim.errors import UserError

if TYPE_CHECKING:
    from eval.study.engine import Engine


OPTIONS = {  # of kinds that have such a field
    "energy": flag("--energy", "Measure energies, too."),
    "shortest_ns": option(
        "--shortest NS",
        "The shortest clock period in ns; as short as modules reach if not given.",
        CLOCK,
        name="shortest_ns",
        usual=0.0,
    ),
}

EXAMPLES = {"private": "array-crt-16 --nbits 32"}  # for what not every design has
ELSEWHERE = ("supply",)  # what cannot be measured in the usual technology


def command(name: str) -> click.Command:
    """Make the command of a kind; its help is what the kind's class says of itself."""
    kind = task_class(name)
    own = {one.name for one in fields(kind)}

    def options(run: Callable[..., None]) -> Callable[..., None]:
        for name in (name for name in OPTIONS if name in own):
            run = OPTIONS[name](run)
        return run

    shown = f"{name} {EXAMPLES.get(name, 'ssmm-small --nbits 8')}"
    examples = (
        [f"{shown} --tech sky130"] if name in ELSEWHERE else [shown, f"{shown} --tech sky130"]
    )

    @cli_command(*examples, help=inspect.getdoc(kind))
    @click.argument("design")
    @nbits_option
    @options
    @tech_options
    @runs_on(scheduler_option)
    def run(
        design: str,
        nbits: int,
        clock_ns: float,
        engine: "Engine",
        tech: str,
        as_json: bool,
        **more: bool | float,
    ) -> None:
        from eval.catalog.point import Point
        from eval.cli.measuring import measured, print_row

        point = Point(design, nbits)
        shortest = more.get("shortest_ns", 0)
        if shortest > clock_ns:
            raise UserError(
                f"--shortest: {shortest:g} ns is above the clock of {clock_ns:g} ns, where the "
                "design begins; give less, or a longer --clock"
            )
        if row := measured(
            kind(point, clock_ns, tech=tech, **more), as_json, engine, clock_ns=clock_ns
        ):
            print_row(row)

    return run
