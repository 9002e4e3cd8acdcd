"""`modexplorer flow`: one unit of a design through synthesis and timing."""

import click

from eval.commands.options import example, json_option, nbits_option, print_json


@example("modexplorer flow mul-rem --nbits 8 --clock 3.0")
@click.command(short_help="Synthesise a design and time it: area, cells, slack.")
@click.argument("design")
@nbits_option
@click.option(
    "--clock",
    "clock_ns",
    type=float,
    default=3.0,
    show_default=True,
    metavar="NS",
    help="Clock period in ns.",
)
@click.option(
    "--unit",
    default="accelerator",
    show_default=True,
    metavar="UNIT",
    help="accelerator (the whole), or multiplier (one modular multiplier by itself).",
)
@json_option
def flow(design: str, nbits: int, clock_ns: float, unit: str, as_json: bool) -> None:
    """Take DESIGN at N bits from Verilog through yosys and OpenSTA on NanGate 45 nm cells.

    A result that is in the store is shown again, not computed again.
    """
    from eval.harden import check_clock, check_unit
    from eval.measure import Hardening, measure
    from eval.points import Point
    from eval.progress import Reporter

    point = Point(design, nbits).check()
    check_clock(clock_ns)
    check_unit(unit)
    task = Hardening(point, unit, clock_ns)
    with Reporter(str(task)) as progress:
        row = measure(task, progress.now)
    if as_json:
        shown = {"design": design, "nbits": nbits, "unit": unit, "clock_ns": clock_ns}
        print_json(shown | {"reused": row.reused} | row.result)
        return
    from eval.tables import print_grids
    from eval.tabulate import metric_grid, module_grid, path_grid

    click.echo(f"{task} at {clock_ns:g} ns" + (", from the store" if row.reused else ""))
    print_grids(
        [metric_grid(row.result), module_grid(task, row.result), path_grid([(task, row.result)])]
    )
