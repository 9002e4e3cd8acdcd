"""`modexplorer signoff`: a finished layout checked by its files alone."""

import click

from eval.cli.options import cli_command, nbits_option, tech_options


@cli_command("signoff ssmm-small --nbits 8", "signoff ssmm-small --nbits 32 --clock 3")
@click.argument("design")
@nbits_option
@tech_options
def command(design: str, nbits: int, clock_ns: float, tech: str, as_json: bool) -> None:
    """Check the layout of DESIGN's accelerator by its files alone: the GDS file, the netlist, the
    library's cells.

    KLayout checks the technology's design rules on all layers, tells densities, follows the supply
    rails, and compares the netlist that it extracts with the one that was laid out. The flow runs
    first if there is no layout. Exit code 1 if something is wrong.
    """
    from eval.catalog.point import Point
    from eval.cli.measuring import measured, print_row
    from eval.tasks.signoff.task import Signoff
    from eval.tasks.task import measure
    from sim.errors import RunError

    task = Signoff(Point(design, nbits), clock_ns, tech=tech)
    row = measured(task, as_json, clock_ns=clock_ns)
    if row:
        print_row(row)
    result = (row or measure(task)).result
    if result.wrong:
        raise RunError(f"{task.point}: the layout is not clean: {'; '.join(result.wrong)}")
    if row:
        click.echo(f"{task.point}: the layout is clean")
