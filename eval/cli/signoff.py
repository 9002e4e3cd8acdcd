"""`modexplorer signoff`: a finished layout checked by its files alone."""

from typing import Any

import click

from eval.cli.laid_out import unit_options
from eval.cli.options import cli_command


@cli_command(
    "signoff ssmm-small --nbits 8",
    "signoff ssmm-small --nbits 32 --clock 3",
    "signoff ssmm-small --nbits 8 --gated --fill 40",
)
@unit_options
def command(as_json: bool, **asked: Any) -> None:
    """Check the layout of DESIGN by its files alone: the GDS file, the netlist, the library's
    cells.

    KLayout checks the technology's design rules on all layers, tells densities, follows the supply
    rails, and compares the netlist that it extracts with the one that was laid out. DESIGN is what
    `modexplorer flow` takes; the flow runs first if there is no layout. Exit code 1 if something is
    wrong.
    """
    from eval.cli.measuring import measured, print_row
    from eval.tasks.signoff.task import Signoff
    from eval.tasks.task import measure
    from sim.errors import RunError

    task = Signoff.of_command(**asked)
    shown = {"design": task.point.design, "unit": task.unit, "clock_ns": task.clock_ns}
    row = measured(task, as_json, **shown)
    if row:
        print_row(row)
    result = (row or measure(task)).result
    if result.wrong:
        raise RunError(f"{task.point}: the layout is not clean: {'; '.join(result.wrong)}")
    if row:
        click.echo(f"{task.point}: the layout is clean")
