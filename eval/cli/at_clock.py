"""`modexplorer KIND DESIGN --nbits N --clock NS`: the commands that kinds of measurement have by
themselves."""

import inspect
from dataclasses import fields
from typing import TYPE_CHECKING

import click

from eval.cli.options import (
    cli_command,
    flag,
    nbits_option,
    runs_on,
    scheduler_option,
    tech_options,
)
from eval.tasks.kinds import task_class

if TYPE_CHECKING:
    from eval.study.engine import Engine


def command(name: str) -> click.Command:
    """Make the command of a kind; its help is what the kind's class says of itself."""
    kind = task_class(name)
    has_energy = any(one.name == "energy" for one in fields(kind))
    energy_option = flag("--energy", "Measure energies, too.") if has_energy else lambda run: run

    examples = [f"{name} ssmm-small --nbits 8", f"{name} ssmm-small --nbits 8 --tech sky130"]

    @cli_command(*examples, help=inspect.getdoc(kind))
    @click.argument("design")
    @nbits_option
    @energy_option
    @tech_options
    @runs_on(scheduler_option)
    def run(
        design: str,
        nbits: int,
        clock_ns: float,
        engine: "Engine",
        tech: str,
        as_json: bool,
        **more: bool,
    ) -> None:
        from eval.catalog.point import Point
        from eval.cli.measuring import measured, print_row

        point = Point(design, nbits)
        if row := measured(
            kind(point, clock_ns, tech=tech, **more), as_json, engine, clock_ns=clock_ns
        ):
            print_row(row)

    return run
