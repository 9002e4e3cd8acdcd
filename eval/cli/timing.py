"""`modexplorer timing`: what a design's cycles tell of a request."""

import click

from eval.cli.options import Number, cli_command, nbits_option, option


@cli_command("timing mont-ct --nbits 32")
@click.argument("design")
@nbits_option
@option("--requests R", "Requests in all.", Number(100, 10_000_000), default=100_000)
def command(design: str, nbits: int, requests: int, as_json: bool) -> None:
    """Find by experiment what DESIGN's cycles depend on: base, exponent, modulus.

    Pairs of requests that differ in one thing alone are sent to its Verilog, and their cycles
    compared; answers are checked. Exit code 1 if the cycles depend on what the design does not
    declare, or if those of a design of constant time differ through its port, on its bus or in a C
    program.
    """
    from eval.catalog.point import Point
    from eval.cli.measuring import measured, print_row
    from eval.tasks.task import measure
    from eval.tasks.timing import TimeTells
    from sim.errors import RunError

    task = TimeTells(Point(design, nbits), requests)
    if row := measured(task, as_json):
        print_row(row)
    if wrong := (row or measure(task)).result.broken:
        raise RunError(f"{task.point}: {wrong}")
