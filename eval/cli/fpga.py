"""`modexplorer fpga`: a design on an FPGA."""

import click

from eval.cli.options import example, json_option, nbits_option, print_json


@example(
    """
modexplorer fpga ssmm-004 --nbits 64 --device cyclonev
modexplorer fpga mmm-004 --nbits 64 --device artix7 --unit multiplier
"""
)
@click.command(short_help="Map a design to an FPGA: tables, registers, multipliers, frequency.")
@click.argument("design")
@nbits_option
@click.option(
    "--device",
    required=True,
    metavar="NAME",
    help="cyclonev (Cyclone V), artix7 (Artix-7), virtexe (Virtex-E), or ecp5 (ECP5, placed and "
    "routed, too).",
)
@click.option(
    "--unit",
    default="exponentiator",
    show_default=True,
    metavar="UNIT",
    help="exponentiator, accelerator (with its port to a processor), or multiplier.",
)
@json_option
def fpga(design: str, nbits: int, device: str, unit: str, as_json: bool) -> None:
    """Map DESIGN at N bits to the cells of an FPGA with yosys, and count them.

    All but ECP5 are mapped only: the counts are estimates, and no frequency is known. On ECP5,
    nextpnr places and routes the design, too, in a shell of shift registers that gives it
    four pins; the shell is not counted.
    """
    from eval.catalog.point import Point
    from eval.cli.progress import Reporter
    from eval.tasks.fpga import OnFpga, check_fpga
    from eval.tasks.measure import measure

    check_fpga(device, unit)
    task = OnFpga(Point(design, nbits).check(), device, unit)
    with Reporter(str(task)) as progress:
        row = measure(task, progress.now)
    if as_json:
        shown = vars(task.point) | {"device": device, "unit": unit, "reused": row.reused}
        print_json(shown | row.result)
        return
    from eval.report.fpga_tables import device_grid
    from eval.report.terminal import print_grids

    click.echo(f"{task}" + (", from the store" if row.reused else ""))
    print_grids([device_grid({task: row.result})])
